"""What the browser is told to forbid: on every answer, whatever is asked and however it goes wrong."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from bigroad.web import accounts, protection
from bigroad.web.http import api
from bigroad.web.options import LimitOptions, ServerOptions
from bigroad.web.static import Page
from tests.web.rig import House, Options, open_house
from tests.web.test_gate import GET, LARGE, speak

HTTPS = ServerOptions(
    host="127.0.0.1", port=0, public_url="https://play.example", frame_ancestors=("https://a.example",)
)


def verify(headers: Mapping[str, str], what: str, *, https: bool = False) -> None:
    assert headers["x-content-type-options"] == "nosniff", what
    assert headers["referrer-policy"] == "no-referrer", what
    assert headers["cross-origin-opener-policy"] == "same-origin", what
    assert headers["cross-origin-resource-policy"] == "same-origin", what
    assert "camera=()" in headers["permissions-policy"], what
    assert headers.get("strict-transport-security") == ("max-age=31536000" if https else None), what
    rules = dict(rule.strip().partition(" ")[::2] for rule in headers["content-security-policy"].split(";"))
    assert rules["default-src"] == "'self'", what
    assert rules["object-src"] == rules["base-uri"] == "'none'", what
    assert rules["frame-ancestors"] == ("'self' https://a.example" if https else "'self'"), what
    for name in ("script-src", "style-src"):
        assert not re.search(
            r"unsafe-inline|unsafe-eval'| \*|https?:|data:", rules[name].replace("wasm-unsafe-eval", "")
        )


def asked() -> list[tuple[str, str]]:
    """Every route as it is meant and as it is not; files, and what is not there."""
    found = [("GET", "/"), ("POST", "/"), ("GET", "/nothing"), ("GET", "/app.js"), ("GET", "/api"), ("OPTIONS", "/x")]
    for route in api(None, (*accounts.HANDLERS, *protection.HANDLERS)).routes:  # type: ignore[arg-type]
        if not route.path.startswith("/schema"):
            path = re.sub(r"\{table:\w+\}", "emerald", re.sub(r"\{number:\w+\}", "1", route.path))
            found += [(method, path) for method in ("GET", "POST", "TRACE")]
    return found


async def walk(house: House, *, https: bool) -> None:
    cookie = await house.guest()
    for method, path in asked()[:: 8 if https else 1]:
        headers = {"Cookie": cookie} if method == "GET" else {"Origin": "https://evil.example"}
        answer = await house.http.request(method, path, headers=headers)
        verify(answer.headers, f"{method} {path} → {answer.status_code}", https=https)
    etag = (await house.http.get("/app.js")).headers["etag"]
    kept = await house.http.get("/app.js", headers={"If-None-Match": etag})
    assert kept.status_code == 304
    verify(kept.headers, "304", https=https)
    for request in (GET + LARGE, b"nonsense\r\n\r\n", GET + b"Content-Length: 999999\r\n\r\n"):
        refused = await speak(house, request)
        assert refused is not None
        verify(refused.headers, f"{request[:40]!r} → {refused.status}", https=https)
    for words in ({"origin": "https://evil.example"}, {"ticket": "none"}, {"path": "/ws/nowhere"}):
        with pytest.raises(InvalidStatus) as upgrade:
            await house.connect(cookie, **words)
        verify(
            {name.lower(): value for name, value in upgrade.value.response.headers.raw_items()}, str(words), https=https
        )


@pytest.mark.parametrize("server", [ServerOptions(host="127.0.0.1", port=0), HTTPS], ids=["http", "https"])
async def test_every_answer_says_what_is_forbidden(server: ServerOptions, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        "<!doctype html><script>let a</script><style>b{}</style><script src=app.js></script>"
    )
    (tmp_path / "app.js").write_text("1")
    limits = LimitOptions(guests_per_ip_per_minute=10_000)
    async with open_house(Options(server=server, limits=limits), Page(tmp_path)) as house:
        await walk(house, https=server.is_https)


async def test_what_breaks_below_everything_is_a_code_and_a_ref_too(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house() as house:

        async def broken(*_: Any) -> None:
            raise ValueError("what is inside")

        monkeypatch.setattr(house.app, "page", broken)
        answer = await house.http.get("/")
        assert (answer.status_code, answer.json()["code"]) == (500, "INTERNAL")
        assert set(answer.json()["facts"]) == {"ref"}
        assert "inside" not in answer.text
        verify(answer.headers, "500")
