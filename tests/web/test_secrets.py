"""A canary: play on a real server, make things go wrong, and look for every known secret in all that it says."""

import asyncio
import base64
import json
import sqlite3
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from bigroad.wire.version import subprotocols
from tests.server import Server

PASSWORD = "canary-Sv7pQk2xLm"
WRONG = "canary-wrong-Zt41bb"


class Ear:
    """Everything that the server said, apart from where a secret belongs."""

    def __init__(self, server: Server) -> None:
        self.url, self.said, self.secrets = server.url, list[str](), dict[str, str]()
        self.seeds = dict[int, str]()

    async def ask(self, http: httpx.AsyncClient, method: str, path: str, **words: Any) -> httpx.Response:
        answer = await http.request(method, path, **words)
        for name, value in answer.headers.multi_items():
            if name == "set-cookie":
                token = value.split(";")[0].split("=")[1]
                if token:
                    self.secrets[f"cookie of {path}"] = token
            else:
                self.said.append(f"{name}: {value}")
        if path == "/api/ticket" and answer.status_code == 200:
            self.secrets[f"ticket {len(self.secrets)}"] = answer.json()["ticket"]
        else:
            self.said.append(answer.text)
        return answer

    async def play(self, http: httpx.AsyncClient) -> None:
        """Two rounds on a socket, with nonsense in between."""
        ticket = (await self.ask(http, "POST", "/api/ticket")).json()["ticket"]
        cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        words: dict[str, Any] = {"subprotocols": subprotocols(ticket), "origin": self.url, "compression": None}
        words["additional_headers"] = {"Cookie": cookie}
        where = self.url.replace("http", "ws", 1) + "/ws/emerald"
        async with connect(where, **words) as line, asyncio.timeout(60):
            for nonsense in ("{", b"\x00", '{"type":"submit","request_id":"x","coup":1,"seed":"?"}', '{"type":"x"}'):
                await line.send(nonsense)
            while len(self.seeds) < 2:
                text = str(await line.recv())
                event = json.loads(text)
                if event["type"] == "coup_opened":
                    for kind, more in (("stage", {"area": "player", "amount_minor": 2000}), ("submit", {})):
                        message = {"type": kind, "request_id": f"{kind}-{event['coup']}", "coup": event["coup"], **more}
                        await line.send(json.dumps(message))
                if event["type"] == "coup_dealt":
                    seed = event["seed"]
                    assert not any(seed in earlier for earlier in self.said), "nobody heard of it before"
                    self.seeds[event["coup"]] = seed
                    text = text.replace(seed, "")
                self.said.append(text)
        for again in (ticket, "none"):
            words["subprotocols"] = subprotocols(again)
            try:
                await connect(where, **words)
            except WebSocketException as refused:
                self.said.append(repr(refused) + repr(getattr(getattr(refused, "response", None), "body", b"")))
            else:
                raise AssertionError("a ticket was good twice")


async def test_no_secret_is_said_anywhere(tmp_path: Path) -> None:
    server = Server(tmp_path, betting_ms=800, closing_ms=300, pace=0.05).start()
    ear = Ear(server)
    ear.secrets |= {"password": PASSWORD, "wrong password": WRONG}
    try:
        async with httpx.AsyncClient(base_url=server.url, timeout=30) as http:
            await ear.ask(http, "POST", "/api/session")
            who = {"name": "Canary", "password": PASSWORD}
            registered = await ear.ask(http, "POST", "/api/account/register", json=who)
            assert registered.status_code == 200, registered.text
            await ear.play(http)
            await ear.ask(http, "POST", "/api/account/sign-in", json={**who, "password": WRONG})
            await ear.ask(http, "POST", "/api/account/password", json={"old": WRONG, "new": PASSWORD + "2"})
            await ear.ask(http, "POST", "/api/account/register", json={**who, "more": PASSWORD})
            for path in ("/api/account", "/api/history", "/api/history?limit=x", "/api/nothing", "/metrics", "/readyz"):
                await ear.ask(http, "GET", path)
            with sqlite3.connect(server.database, timeout=20) as database:
                database.execute("ALTER TABLE patrons RENAME TO elsewhere")
            broken = await ear.ask(http, "GET", "/api/preferences")
            assert broken.status_code == 503
            await ear.ask(http, "GET", "/metrics")
            with sqlite3.connect(server.database, timeout=20) as database:
                database.execute("ALTER TABLE elsewhere RENAME TO patrons")
    finally:
        log = server.stop()
    for name in ("bigroad.key", "bigroad.seed.key"):
        key = (tmp_path / "data" / name).read_bytes()
        ear.secrets[name] = key.decode("ascii", "replace").strip()
        ear.secrets[f"{name} in base64"] = base64.b64encode(key).decode().rstrip("=")
        ear.secrets[f"{name} in hex"] = key.hex()
    assert len(ear.secrets) >= 10
    for what, secret in ear.secrets.items():
        assert len(secret) >= 16, what
        assert secret not in log, f"{what} in the log"
        assert not any(secret in words for words in ear.said), f"{what} in an answer"
    for seed in ear.seeds.values():
        assert seed not in log
