"""`bigroad bots`: patrons that bet at random over real HTTP and WebSocket, and check every number they are told."""

import asyncio
import contextlib
import ipaddress
import json as json_text
import random
import time
from http.cookiejar import DefaultCookiePolicy
from typing import Annotated, Any
from urllib.parse import urlsplit

import httpx
from cyclopts import Parameter, validators

from bigroad.cli import output
from bigroad.cli.bot_books import Tally
from bigroad.cli.bot_patron import Bot, Target
from bigroad.cli.errors import BadUsage

SOCKETS_PER_SOURCE = 40
ENTERING_AT_ONCE = 25
PATIENCE_S = 30.0
FAILED = 1


def bots(
    *,
    patrons: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=10_000), help="How many.")] = 10,
    url: Annotated[str, Parameter(help="The server.")] = "http://127.0.0.1:8080",
    table: Annotated[str | None, Parameter(help="The table's id; else the first.")] = None,
    seconds: Annotated[float, Parameter(validator=validators.Number(gt=0, lte=86_400), help="How long to bet.")] = 60,
    coups: Annotated[int | None, Parameter(validator=validators.Number(gte=1), help="Stop after so many.")] = None,
    seed: Annotated[int, Parameter(help="Of what they choose.")] = 0,
    allow_remote: Annotated[bool, Parameter(negative="", help="Take a server that is not this machine.")] = False,
    json: Annotated[bool, Parameter(negative="", help="Print JSON.")] = False,
) -> int:
    """Let patrons play: some stage and bet, some leave their chips to the automatic submission, some double or rebet.

    Each checks that every bet is settled exactly once by the rules and that the balance adds up, at the end against the
    history too. After SECONDS they bet no more and wait for what is still open. The exit status is 1 if anything was
    wrong. Only servers on this machine are played against, unless --allow-remote; there the patrons come from many
    addresses of 127.0.0.0/8, so that the limits per address hold.
    """
    target, is_local = parse_url(url, table, allow_remote=allow_remote)
    tally = Tally(wanted_coups=coups)
    started = time.monotonic()
    asyncio.run(_play(target, is_local, patrons, seconds, seed, tally))
    report = as_json(tally, patrons, time.monotonic() - started)
    if json:
        output.emit(report)
    else:
        print(in_words(report))
    return FAILED if tally.errors else 0


def parse_url(url: str, table: str | None, *, allow_remote: bool) -> tuple[Target, bool]:
    """The target, and whether it is 127.0.0.1. Raises BadUsage for another machine unless that is allowed."""
    wrong = BadUsage(f"--url is to be like http://127.0.0.1:8080, and not {url[:64]!r}")
    try:
        parts = urlsplit(url)
        number = parts.port
    except ValueError as problem:
        raise wrong from problem
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise wrong
    host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname
    try:
        is_loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback and not allow_remote:
        raise BadUsage(f"{host[:64]} is not this machine; --allow-remote says that you may load it")
    port = f":{number}" if number else ""
    named = f"[{host}]" if ":" in host else host
    return Target(f"{parts.scheme}://{named}{port}", table or ""), host.startswith("127.")


def source_address(number: int) -> str:
    """The loopback address that patron `number` comes from: 40 patrons each, from 127.0.0.2 on."""
    block = number // SOCKETS_PER_SOURCE + 2
    return f"127.0.{block // 250}.{block % 250 + (1 if block >= 250 else 0)}"


async def _play(target: Target, is_local: bool, patrons: int, seconds: float, seed: int, tally: Tally) -> None:
    async with contextlib.AsyncExitStack() as stack:
        clients: dict[str | None, httpx.AsyncClient] = {}

        async def client(source: str | None) -> httpx.AsyncClient:
            if source not in clients:
                transport = httpx.AsyncHTTPTransport(local_address=source, limits=httpx.Limits(max_connections=8))
                made = httpx.AsyncClient(base_url=target.url, transport=transport, timeout=30)
                made.cookies.jar.set_policy(_NoCookies())
                clients[source] = await stack.enter_async_context(made)
            return clients[source]

        if not target.table:
            target = Target(target.url, await _first_table(await client(source_address(0) if is_local else None)))
        players = []
        for number in range(patrons):
            source = source_address(number) if is_local else None
            players.append(Bot(target, await client(source), source, tally, random.Random(f"{seed}:{number}")))
        await _session(players, seconds, tally)


async def _first_table(http: httpx.AsyncClient) -> str:
    try:
        answer = await http.get("/api/tables")
        return str(answer.raise_for_status().json()[0]["terms"]["table"])
    except (httpx.HTTPError, ValueError, LookupError) as trouble:
        raise BadUsage(f"no tables at {http.base_url}: {type(trouble).__name__} {trouble}") from trouble


async def _session(players: list[Bot], seconds: float, tally: Tally) -> None:
    door = asyncio.Semaphore(ENTERING_AT_ONCE)
    entered: list[Bot] = []
    running: list[asyncio.Task[None]] = []

    async def come_in(bot: Bot) -> None:
        async with door:
            try:
                await bot.enter()
            except (httpx.HTTPError, LookupError) as trouble:
                tally.wrong("no session", f"{type(trouble).__name__}: {trouble}")
                return
            entered.append(bot)
            running.append(asyncio.create_task(bot.run()))

    async def go(bot: Bot) -> None:
        async with door:
            try:
                await bot.leave()
            except (httpx.HTTPError, ValueError) as trouble:
                tally.wrong("no balance at the end", f"{type(trouble).__name__}: {trouble}")

    coming = asyncio.gather(*(come_in(bot) for bot in players))
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(tally.enough.wait(), seconds)
    await coming
    for bot in entered:
        bot.stop_betting()
    waiting = [asyncio.create_task(bot.idle.wait()) for bot in entered]
    if waiting:
        await asyncio.wait(waiting, timeout=max(bot.longest_round_s for bot in entered) + PATIENCE_S)
    for task in [*waiting, *running]:
        task.cancel()
    await asyncio.gather(*waiting, *running, return_exceptions=True)
    await asyncio.gather(*(go(bot) for bot in entered))


class _NoCookies(DefaultCookiePolicy):
    """Patrons of one address share connections, and must not share cookies."""

    def set_ok(self, cookie: Any, request: Any) -> bool:
        return False


def as_json(tally: Tally, patrons: int, seconds: float) -> dict[str, Any]:
    """What was played and what was wrong, as JSON values."""
    answers = sorted(tally.bet_answers_ms)
    return {
        "patrons": patrons,
        "seconds": round(seconds, 1),
        "coups": len(tally.coups),
        "commands": tally.commands,
        "events": tally.events,
        "reconnected": tally.reconnected,
        "bets": {"submitted": tally.submitted, "automatic": tally.automatic, "settled": tally.settled},
        "voided": tally.voided,
        "refills": tally.refills,
        "staked_minor": tally.staked_minor,
        "returned_minor": tally.returned_minor,
        "refusals": dict(tally.refusals),
        "errors": dict(tally.errors),
        "bet_answer_ms": {
            "p50": quantile(answers, 0.50),
            "p99": quantile(answers, 0.99),
            "most": quantile(answers, 1.0),
        },
    }


def quantile(ordered: list[float], part: float) -> float | None:
    """The value that this part of the ordered ones does not exceed; None of nothing."""
    return round(ordered[min(len(ordered) - 1, int(part * len(ordered)))], 2) if ordered else None


def _times(answer: dict[str, float | None]) -> str:
    known = [f"{name} {value} ms" for name, value in answer.items() if value is not None]
    return ", ".join(known) or "nobody pressed it"


def in_words(report: dict[str, Any]) -> str:
    """The report for a person."""
    bets, answer = report["bets"], report["bet_answer_ms"]
    lines = [
        f"{report['patrons']} patrons, {report['coups']} coups, {report['seconds']} s",
        f"  bets       {bets['submitted']} submitted, {bets['automatic']} automatic, {bets['settled']} settled"
        f" ({report['voided']} of them void)",
        f"  minor      {report['staked_minor']:,} staked, {report['returned_minor']:,} returned",
        f"  BET to answer  {_times(answer)}",
        f"  refusals   {json_text.dumps(report['refusals']) if report['refusals'] else 'none'}",
        f"  errors     {'none' if not report['errors'] else ''}",
    ]
    lines += [f"    {count} x {what}" for what, count in report["errors"].items()]
    return "\n".join(lines)
