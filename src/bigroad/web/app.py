"""The whole web as one ASGI app: sockets, API, page, and the security headers of everything."""

from typing import Any

from bigroad.app.ports import Bus, Floor
from bigroad.web import accounts, protection
from bigroad.web.gate import Gate
from bigroad.web.headers import SecurityHeaders
from bigroad.web.http import Door, api
from bigroad.web.hub import Hub
from bigroad.web.metrics import Metrics
from bigroad.web.options import WebOptions
from bigroad.web.origin import headers_of, readable_by
from bigroad.web.problems import code_of, send_problem
from bigroad.web.sessions import SocketSessions
from bigroad.web.socket import Sockets
from bigroad.web.static import Page

TO_GET_IN = ("/api/session", "/api/tables", "/api/ticket")
"""What the pages of `allowed_origins` may read the answers of: all that it takes to open a table."""
API_PATHS = ("/api", "/healthz", "/metrics", "/readyz")


class WebApp:
    """An ASGI app; `start` when its event loop runs, `stop` closes its sockets in good order."""

    def __init__(self, floor: Floor, bus: Bus, options: WebOptions, page: Page, metrics: Metrics) -> None:
        self.hub = Hub(bus, options.limits.send_queue_bytes, metrics.told)
        self.page, self.metrics = page, metrics
        metrics.watch("sockets", "Sockets at tables.", self.hub.sockets)
        metrics.watch("sockets_behind", "Sockets that do not read as fast as they are written to.", self.hub.behind)
        metrics.watch("send_queue_bytes", "What those have not taken yet.", self.hub.buffered)
        metrics.watch_tables(floor.desks)
        self._door = Door(floor, options, metrics, page.entry)
        self.sessions = SocketSessions()
        if floor.accounts is not None:
            floor.accounts.sockets = self.sessions
        self._sockets = Sockets(self._door, self.hub, self.sessions)
        self._api = api(self._door, (*accounts.HANDLERS, *protection.HANDLERS))
        self._headers = SecurityHeaders(options.server, page.script_hashes, page.style_hashes)
        self.gate = Gate(options, self._door.proxies, self._headers, metrics)
        self._allowed = options.server.allowed_origins
        self.refusal_headers = self._headers.of("")

    def start(self) -> None:
        """Watch the running event loop."""
        self.metrics.start()

    async def stop(self) -> None:
        """Not ready from now on; every socket gets its last words."""
        self._door.stopping = True
        await self.hub.stop()
        self.metrics.stop()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """ASGI."""
        if scope["type"] == "websocket":
            await self._sockets(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._api(scope, receive, send)

    async def _http(self, scope: Any, receive: Any, send: Any) -> None:
        is_head, is_api = scope["method"] == "HEAD", _is_api(scope["path"])
        asked = headers_of(scope)
        hosts = asked.get("host", [])
        extra = self._headers.of(hosts[0] if len(hosts) == 1 else "")
        if scope["path"] in TO_GET_IN:
            extra += readable_by(asked, self._allowed)

        begun = False

        async def send_with_headers(message: Any) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                self.metrics.answered(message["status"])
                headers = [*message["headers"], *extra]
                if is_api and not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": headers}
            elif is_head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        inner: Any = self._api if is_api else self.page
        try:
            if is_api:
                self._door.verify_pace(self._door.proxies.address(scope, asked))
            await inner({**scope, "method": "GET"} if is_head else scope, receive, send_with_headers)
        except Exception as trouble:  # the last resort: whatever breaks, outside there is a code and a ref
            code, facts = code_of(trouble)
            if not begun:
                await send_problem(send_with_headers, code, facts)


def _is_api(path: str) -> bool:
    return any(path == prefix or path.startswith(prefix + "/") for prefix in API_PATHS)


def create_app(
    floor: Floor, bus: Bus, options: WebOptions, page: Page | None = None, metrics: Metrics | None = None
) -> WebApp:
    """The web over a floor. options: the `Settings`, or whatever has their sections `server` and `limits`. metrics:
    what the floor is measured by too."""
    return WebApp(floor, bus, options, page or Page(), metrics or Metrics())
