"""Where a request comes from: its page's origin, and its address behind trusted proxies."""

import ipaddress
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bigroad.web.limits import address_key
from bigroad.web.options import ServerOptions

Headers = Mapping[str, Sequence[str]]
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")


def headers_of(scope: Any) -> dict[str, list[str]]:
    """Lower-case name to all its values, of an ASGI scope."""
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def is_allowed(headers: Headers, server: ServerOptions) -> bool:
    """Whether the page behind this request may act here: compared whole, never by part.

    Allowed are public_url, allowed_origins, and the origin of the very host that was asked, over http or https; once
    public_url is https, only over https. No Origin, two, or "null" are not.
    """
    origins, hosts = headers.get("origin", ()), headers.get("host", ())
    if len(origins) != 1:
        return False
    allowed = set(server.allowed_origins)
    if server.public_url is not None:
        allowed.add(server.public_url)
    if len(hosts) == 1 and hosts[0]:
        allowed.add(f"https://{hosts[0]}")
        if not server.is_https:
            allowed.add(f"http://{hosts[0]}")
    return origins[0] in allowed


def readable_by(headers: Headers, origins: Sequence[str]) -> list[tuple[bytes, bytes]]:
    """The headers that let a page of these origins read the answer; compared whole. Nothing for any other page."""
    if not origins:
        return []
    found = [(b"vary", b"Origin")]
    asking = headers.get("origin", ())
    if len(asking) == 1 and asking[0] in origins:
        found.append((b"access-control-allow-origin", asking[0].encode("ascii")))
        found.append((b"access-control-allow-credentials", b"true"))
    return found


class Networks:
    """Addresses and networks of the settings."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._networks = [ipaddress.ip_network(text, strict=False) for text in texts]

    def __contains__(self, address: str) -> bool:
        if not self._networks or not _is_address(address):
            return False
        parsed = ipaddress.ip_address(address)
        if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
            parsed = parsed.ipv4_mapped
        return any(parsed in network for network in self._networks)


class Proxies:
    """The addresses whose X-Forwarded-For is believed."""

    def __init__(self, trusted: Iterable[str]) -> None:
        self._trusted = Networks(trusted)

    def address(self, scope: Any, headers: Headers) -> str:
        """Who counts as the sender, an IPv6 one by its /64."""
        return address_key(self.sender(scope, headers))

    def sender(self, scope: Any, headers: Headers) -> str:
        """Who sent it: the last address of X-Forwarded-For that is no trusted proxy's, else the peer."""
        peer: str = scope["client"][0] if scope.get("client") else "unknown"
        if peer not in self._trusted:
            return peer
        chain = [part.strip() for value in headers.get("x-forwarded-for", ()) for part in value.split(",")]
        for hop in reversed(chain):
            if not _is_address(hop):
                break
            peer = hop
            if hop not in self._trusted:
                break
        return peer

    def is_forwarded(self, scope: Any, headers: Headers) -> bool:
        """Whether a proxy that is not trusted has handed it on: then nobody knows who sent it."""
        peer = scope["client"][0] if scope.get("client") else "unknown"
        return peer not in self._trusted and any(name in headers for name in FORWARDED)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
