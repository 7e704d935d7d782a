"""Security headers of every answer."""

import re
from collections.abc import Iterable

from bigroad.web.options import ServerOptions

_HOST = re.compile(r"^[A-Za-z0-9.:\[\]-]{1,255}\Z")

_ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
}


class SecurityHeaders:
    """What the browser is told to forbid.

    The page runs scripts and styles of its own files alone; inline ones of index.html are named by hash. The model
    decoder of three.js compiles WebAssembly ('wasm-unsafe-eval') and loads textures through blob: addresses.
    """

    def __init__(self, server: ServerOptions, script_hashes: Iterable[str], style_hashes: Iterable[str]) -> None:
        self._fixed = [(name.encode(), value.encode()) for name, value in _ALWAYS.items()]
        if server.is_https:
            self._fixed.append((b"strict-transport-security", b"max-age=31536000"))
        ancestors = " ".join(["'self'", *server.frame_ancestors])
        self._policy = "; ".join(
            [
                "default-src 'self'",
                " ".join(["script-src 'self' 'wasm-unsafe-eval'", *script_hashes]),
                " ".join(["style-src 'self'", *style_hashes]),
                "img-src 'self' data: blob:",
                "media-src 'self' data: blob:",
                "font-src 'self' data:",
                "worker-src 'self' blob:",
                "object-src 'none'",
                "base-uri 'none'",
                "form-action 'none'",
                f"frame-ancestors {ancestors}",
            ]
        )

    def of(self, host: str) -> list[tuple[bytes, bytes]]:
        """The headers of one answer. host: as the request named it; older Safari wants the sockets' address spelt."""
        sockets = f" ws://{host} wss://{host}" if _HOST.match(host) else ""
        policy = f"{self._policy}; connect-src 'self' data: blob:{sockets}"
        return [*self._fixed, (b"content-security-policy", policy.encode("ascii"))]
