"""What the web can be told by the settings."""

from typing import Annotated, Protocol

import msgspec

Positive = Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
Origin = Annotated[str, msgspec.Meta(pattern=r"^https?://[a-z0-9.:\[\]-]+\Z", max_length=300)]
"""Scheme, host and, unless it is the scheme's own, port; lower case, nothing after it."""


class ServerOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the server listens, and under which name it is seen.

    public_url: the origin that patrons type, when it differs from what reaches this server (behind a proxy); https
    there makes the cookie Secure. allowed_origins: further pages that may open tables. frame_ancestors: origins that
    may show the page in a frame. trusted_proxies: addresses or networks whose X-Forwarded-For is believed.
    metrics: addresses or networks that may read /metrics; none where it is empty. data: the folder of the database.
    """

    host: Annotated[str, msgspec.Meta(min_length=1, max_length=255)] = "0.0.0.0"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8080
    public_url: Origin | None = None
    allowed_origins: tuple[Origin, ...] = ()
    frame_ancestors: tuple[Origin, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ("127.0.0.1", "::1")
    data: Annotated[str, msgspec.Meta(min_length=1)] = "data"

    @property
    def is_https(self) -> bool:
        """Whether patrons come over https."""
        return self.public_url is not None and self.public_url.startswith("https://")


class LimitOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much one patron, one address and one socket may ask for. Requests are those of the API, and handshakes."""

    sockets_per_patron: Positive = 5
    sockets_per_ip: Positive = 50
    sockets: Positive = 20_000
    messages_per_second: Positive = 20
    message_burst: Positive = 40
    frame_bytes: Annotated[int, msgspec.Meta(ge=512, le=65536)] = 4096
    requests_per_ip_per_minute: Positive = 6_000
    guests_per_ip_per_minute: Positive = 60
    send_queue_bytes: Annotated[int, msgspec.Meta(ge=65536)] = 262_144
    head_bytes: Annotated[int, msgspec.Meta(ge=4096, le=1_048_576)] = 32_768
    request_seconds: Annotated[int, msgspec.Meta(ge=1, le=3600)] = 10


class WebOptions(Protocol):
    """The part of the settings that the web reads."""

    @property
    def server(self) -> ServerOptions:
        """Where and as whom."""

    @property
    def limits(self) -> LimitOptions:
        """How much."""
