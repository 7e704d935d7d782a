"""The page: types, caching, compression, and a policy without unsafe-inline."""

import base64
import hashlib
from pathlib import Path

import pytest

from bigroad.web.options import ServerOptions
from bigroad.web.static import Page
from tests.web.rig import Options, open_house

INLINE = "console.log('<b>')"


@pytest.fixture
def page(tmp_path: Path) -> Page:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(
        f"<!doctype html><script>{INLINE}</script><script type=module src=./assets/a-1.js></script>"
        "<style>body{color:red}</style>",
        encoding="utf-8",
    )
    (tmp_path / "assets" / "a-1.js").write_text("x" * 1000)
    (tmp_path / "assets" / "a-1.js.br").write_bytes(b"brotli")
    (tmp_path / "assets" / "a-1.js.gz").write_bytes(b"gzipped")
    (tmp_path / "dealer.glb").write_bytes(b"glTF")
    (tmp_path / "odd.nothing").write_bytes(b"?")
    return Page(tmp_path)


async def test_the_index_is_asked_for_anew_and_hashed_files_are_kept(page: Page) -> None:
    async with open_house(page=page) as house:
        for path in ("/", "/index.html"):
            answer = await house.http.get(path)
            assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
        asset = await house.http.get("/assets/a-1.js", headers={"Accept-Encoding": "identity"})
        assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert asset.headers["content-type"] == "text/javascript; charset=utf-8"
        model = await house.http.get("/dealer.glb")
        assert (model.headers["content-type"], model.headers["cache-control"]) == ("model/gltf-binary", "no-cache")
        assert (await house.http.get("/odd.nothing")).headers["content-type"] == "application/octet-stream"


@pytest.mark.parametrize(
    ("accepted", "encoding", "length"),
    [
        ("gzip, deflate, br", "br", 6),
        ("gzip", "gzip", 7),
        ("br;q=0, gzip", "gzip", 7),
        ("identity", None, 1000),
        ("", None, 1000),
        ("brotli", None, 1000),
    ],
)
async def test_compressed_where_the_client_takes_it(
    page: Page, accepted: str, encoding: str | None, length: int
) -> None:
    async with (
        open_house(page=page) as house,
        house.http.stream("GET", "/assets/a-1.js", headers={"Accept-Encoding": accepted}) as answer,
    ):
        assert answer.headers.get("content-encoding") == encoding
        assert answer.headers["vary"] == "accept-encoding"
        assert len(b"".join([part async for part in answer.aiter_raw()])) == length


async def test_compressed_twins_are_no_files_of_their_own(page: Page) -> None:
    async with open_house(page=page) as house:
        assert (await house.http.get("/assets/a-1.js.br")).status_code == 404


async def test_a_known_version_is_not_sent_again(page: Page) -> None:
    async with open_house(page=page) as house:
        first = await house.http.get("/dealer.glb")
        again = await house.http.get("/dealer.glb", headers={"If-None-Match": f'"x", W/{first.headers["etag"]}'})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        other = await house.http.get("/dealer.glb", headers={"If-None-Match": '"x"'})
        assert other.status_code == 200


async def test_the_policy_names_inline_scripts_by_hash_and_allows_no_others(page: Page) -> None:
    async with open_house(page=page) as house:
        policy = (await house.http.get("/")).headers["content-security-policy"]
        rules = {words.split()[0]: words.split()[1:] for words in policy.split("; ")}
        digest = base64.b64encode(hashlib.sha256(INLINE.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in rules["script-src"]
        assert len([word for word in rules["style-src"] if word.startswith("'sha256-")]) == 1
        assert "unsafe-inline" not in policy
        assert "'unsafe-eval'" not in policy
        assert rules["default-src"] == ["'self'"]
        assert rules["object-src"] == rules["base-uri"] == ["'none'"]
        assert rules["frame-ancestors"] == ["'self'"]
        assert f"ws://{house.host}" in rules["connect-src"]


async def test_operators_may_embed_where_the_settings_say(page: Page) -> None:
    server = ServerOptions(host="127.0.0.1", port=0, frame_ancestors=("https://casino.example",))
    async with open_house(Options(server=server), page) as house:
        policy = (await house.http.get("/")).headers["content-security-policy"]
        assert "frame-ancestors 'self' https://casino.example" in policy


@pytest.mark.parametrize("host", ["x; script-src *", "a b", "x,y", "é"])
async def test_a_made_up_host_does_not_get_into_the_policy(page: Page, host: str) -> None:
    async with open_house(page=page) as house:
        answer = await house.http.get("/", headers={b"Host": host.encode("latin-1")})
        if answer.status_code == 200:
            assert answer.headers["content-security-policy"].endswith("connect-src 'self' data: blob:")


async def test_without_a_built_page_there_are_words(tmp_path: Path) -> None:
    async with open_house(page=Page(tmp_path / "nothing")) as house:
        answer = await house.http.get("/")
        assert "make run" in answer.text
        assert answer.headers["cache-control"] == "no-store"
