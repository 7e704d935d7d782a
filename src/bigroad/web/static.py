"""The built page, held in memory: a path is looked up, never opened, so no path can lead out of the folder."""

import base64
import hashlib
import mimetypes
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bigroad.web.origin import Headers, headers_of
from bigroad.web.problems import send_problem
from bigroad.wire.errors import Fault

PAGE = Path(__file__).parent / "page"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".glb": "model/gltf-binary",
    ".gltf": "model/gltf+json",
    ".wasm": "application/wasm",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".txt": "text/plain; charset=utf-8",
}
ENCODINGS = {"br": ".br", "gzip": ".gz"}
_INLINE = re.compile(r"<(script|style)\b([^>]*)>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE)
_ENTRY = re.compile(r'<script type="module"[^>]*\ssrc="\./([^"]+)"')
_NOT_BUILT = b"<!doctype html><title>Bigroad</title><p>The page is not built. Run <code>make run</code>."


@dataclass(frozen=True)
class File:
    """One file: its type, how long it may be kept, and its bytes by content encoding ("" is as it is)."""

    kind: str
    keep: str
    etag: str
    bodies: dict[str, bytes] = field(repr=False)

    def pick(self, accepted: str) -> tuple[str, bytes]:
        """The best encoding that the client takes, and the bytes."""
        offers = {}
        for part in accepted.lower().split(","):
            name, _, weight = part.strip().partition(";")
            offers[name.strip()] = weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
        encoding = next((name for name in ENCODINGS if offers.get(name) and name in self.bodies), "")
        return encoding, self.bodies[encoding]


class Page:
    """All files of the page, by path from `/`. entry: the script it begins with, named by what is in it; "" where it is
    not built."""

    def __init__(self, folder: Path = PAGE) -> None:
        self.files = _load(folder)
        index = self.files.get("/index.html")
        if index is None:
            index = File(TYPES[".html"], "no-store", '"none"', {"": _NOT_BUILT})
        self.is_built = "/index.html" in self.files
        self.files["/"] = self.files["/index.html"] = index
        entry = _ENTRY.search(index.bodies[""].decode("utf-8"))
        self.entry = entry.group(1) if entry is not None else ""
        inline = _INLINE.findall(index.bodies[""].decode("utf-8"))
        self.script_hashes = [_hash(text) for tag, words, text in inline if tag == "script" and "src=" not in words]
        self.style_hashes = [_hash(text) for tag, _, text in inline if tag == "style"]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a GET, as ASGI."""
        if scope["method"] != "GET":
            await send_problem(send, Fault.METHOD_NOT_ALLOWED)
            return
        file = self.files.get(scope["path"])
        if file is None:
            await send_problem(send, Fault.NOT_FOUND)
            return
        status, headers, body = _answer(file, headers_of(scope))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _answer(file: File, asked: Headers) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    encoding, body = file.pick(",".join(asked.get("accept-encoding", ())))
    etag = f'{file.etag[:-1]}-{encoding}"' if encoding else file.etag
    headers = {"cache-control": file.keep, "etag": etag, "vary": "accept-encoding"}
    known = {tag.strip().removeprefix("W/") for line in asked.get("if-none-match", ()) for tag in line.split(",")}
    if etag in known or "*" in known:
        return 304, _encoded(headers), b""
    headers |= {"content-type": file.kind, "content-length": str(len(body))}
    if encoding:
        headers["content-encoding"] = encoding
    return 200, _encoded(headers), body


def _encoded(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def _load(folder: Path) -> dict[str, File]:
    files: dict[str, File] = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.suffix in ENCODINGS.values():
            continue
        body = path.read_bytes()
        bodies = {"": body}
        for encoding, ending in ENCODINGS.items():
            packed = path.with_name(path.name + ending)
            if packed.is_file():
                bodies[encoding] = packed.read_bytes()
        name = "/" + path.relative_to(folder).as_posix()
        kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        keep = "public, max-age=31536000, immutable" if name.startswith("/assets/") else "no-cache"
        files[name] = File(kind, keep, f'"{hashlib.sha256(body).hexdigest()[:24]}"', bodies)
    return files


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
