"""History, its CSV, coups to be shown again, preferences, and a lobby that is cheap to ask."""

import csv
import io
import json
from typing import Any

import msgspec
import pytest

from bigroad.app.store import Cursor, Wanted
from bigroad.web.history_csv import AREAS, csv_head, csv_lines, safe, units
from bigroad.wire.session import HistoryCoup
from tests.web.rig import TABLE, open_house


def coup(number: int = 1, **changes: Any) -> HistoryCoup:
    made = HistoryCoup(
        table="emerald", table_name="Emerald Room", profile="three-d", coup=number, state="closed", automatic=False,
        at_utc_ms=1_700_000_000_000, dealt_utc_ms=1_700_000_001_000, outcome="banker", player_cards=["TS", "2C"],
        banker_cards=["9H", "KD"], player_points=2, banker_points=9, stakes={"banker": 10_050},
        returned={"banker": 19_597},
        staked_minor=10_050, returned_minor=19_597, net_minor=9_547, balance_before_minor=50_000,
        balance_after_minor=59_547,
    )  # fmt: skip
    return msgspec.structs.replace(made, **changes)


def rows(body: bytes) -> list[dict[str, str]]:
    text = body.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_a_coup_as_a_line_has_units_in_its_head() -> None:
    (row,) = rows(csv_head() + csv_lines([coup()]))
    assert row["Bet at (UTC)"] == "2023-11-14 22:13:20"
    assert [row[f"Stake on {area.capitalize()} (units)"] for area in AREAS] == ["0.00", "0.00", "100.50"]
    assert [row[f"Returned on {area.capitalize()} (units)"] for area in AREAS] == ["0.00", "0.00", "195.97"]
    assert [row[f"{name} (units)"] for name in ("Staked", "Returned", "Net", "Balance before", "Balance after")] == [
        "100.50", "195.97", "95.47", "500.00", "595.47",
    ]  # fmt: skip
    assert (row["Player cards"], row["Banker points"], row["Bet by the table"]) == ("TS 2C", "9", "no")


def test_a_coup_under_way_has_empty_cells() -> None:
    running = coup(
        outcome=None, player_cards=[], banker_cards=[], player_points=None, banker_points=None, returned={},
        returned_minor=0, net_minor=0, balance_before_minor=None, balance_after_minor=None, state="locked",
    )  # fmt: skip
    (row,) = rows(csv_head() + csv_lines([running]))
    assert [row[name] for name in ("Outcome", "Player cards", "Player points", "Balance after (units)")] == [""] * 4


@pytest.mark.parametrize(
    "words", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", '=HYPERLINK("http://x","y")', "=cmd|' /C calc'!A0"]
)
def test_no_words_are_a_formula(words: str) -> None:
    (row,) = rows(csv_head() + csv_lines([coup(table_name=words, profile=words)]))
    for name in ("Table", "Game"):
        assert row[name] == f"'{words}"
        assert not row[name].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


@pytest.mark.parametrize(
    ("minor", "text"), [(0, "0.00"), (5, "0.05"), (-150, "-1.50"), (-5, "-0.05"), (10**9, "10000000.00")]
)
def test_units(minor: int, text: str) -> None:
    assert units(minor) == text
    assert safe("Emerald Room") == "Emerald Room"


async def test_the_filter_and_the_place_reach_the_cashier() -> None:
    async with open_house() as house:
        cookie = {"Cookie": await house.guest()}
        query = "table=express&profile=three-d&outcome=tie&result=won&from_utc_ms=5&to_utc_ms=9&limit=7&before=12-34"
        answer = await house.http.get(f"/api/history?{query}", headers=cookie)
        assert answer.status_code == 200
        assert house.floor.cashier.asked == [(7, Wanted("express", "three-d", "tie", "won", 5, 9), Cursor(12, 34))]


@pytest.mark.parametrize(
    "query",
    ["result=maybe", "outcome=dragon", "from_utc_ms=-1", "to_utc_ms=x", "before=1", "before=a-b", "before=" + "9" * 99,
     "table=" + "x" * 33, "limit=0"],
)  # fmt: skip
async def test_what_cannot_be_asked_is_refused(query: str) -> None:
    async with open_house() as house:
        answer = await house.http.get(f"/api/history?{query}", headers={"Cookie": await house.guest()})
        assert (answer.status_code, answer.json()["code"]) == (400, "BAD_REQUEST")


async def test_the_csv_has_everything_that_is_chosen_page_by_page() -> None:
    async with open_house() as house:
        cashier = house.floor.cashier
        cashier.coups = [coup(number) for number in range(450, 0, -1)]
        answer = await house.http.get("/api/history.csv?result=lost", headers={"Cookie": await house.guest()})
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert answer.headers["content-disposition"] == 'attachment; filename="bigroad-history.csv"'
        assert [int(row["Coup (number)"]) for row in rows(answer.content)] == list(range(450, 0, -1))
        assert [asked[1] for asked in cashier.asked] == [Wanted(result="lost")] * 3


@pytest.mark.parametrize("path", ["/api/history", "/api/history.csv", "/api/preferences"])
async def test_nobody_without_a_visit_is_told_anything(path: str) -> None:
    async with open_house() as house:
        answer = await house.http.get(path)
        assert (answer.status_code, answer.json()["code"]) == (401, "NO_SESSION")


async def test_a_coup_is_asked_of_its_table_in_the_callers_name() -> None:
    async with open_house() as house:
        cookie = {"Cookie": await house.guest()}
        assert (await house.http.get(f"/api/coups/{TABLE}/7", headers=cookie)).status_code == 404
        assert (await house.http.get(f"/api/coups/{TABLE}/8")).status_code == 404
        assert house.desk.coups_asked == [(7, 1), (8, None)]
        assert (await house.http.get("/api/coups/nowhere/7")).json()["code"] == "UNKNOWN_TABLE"


async def test_the_lobby_is_sent_again_only_when_it_has_changed() -> None:
    async with open_house() as house:
        first = await house.http.get("/api/tables")
        tag = first.headers["etag"]
        again = await house.http.get("/api/tables", headers={"If-None-Match": tag})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        house.desk.sitting = 5
        changed = await house.http.get("/api/tables", headers={"If-None-Match": tag})
        assert (changed.status_code, changed.json()[0]["patrons"]) == (200, 5)
        assert changed.headers["etag"] != tag
        assert changed.headers["vary"] == "Cookie"


# ---- preferences

CHOSEN = {
    "changedUtcMs": 1_700_000_000_000, "quality": "high", "cameraMoves": False, "motion": "reduced", "captions": True,
    "largeCards": True, "shapes": True, "felt": None, "language": "zh-Hant", "fastPlay": True, "rebetAndDeal": False,
    "volumes": {"effects": 0.5, "voice": 0, "room": 1}, "muted": True,
}  # fmt: skip


async def test_what_is_chosen_comes_back_as_it_was_to_its_patron_alone() -> None:
    async with open_house() as house:
        mine, other = {"Cookie": await house.guest()}, {"Cookie": await house.guest()}
        for body in ({"changedUtcMs": 1, "muted": False}, CHOSEN):
            kept = await house.http.put("/api/preferences", content=json.dumps(body), headers=mine)
            assert (kept.status_code, kept.json()) == (200, body)
            assert (await house.http.get("/api/preferences", headers=mine)).json() == body
        assert (await house.http.get("/api/preferences", headers=other)).json() == {"changedUtcMs": 0}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"changedUtcMs": 1, "colour": "red"}, 400),
        ({"muted": True}, 400),
        ({"changedUtcMs": 1, "quality": "ultra"}, 400),
        ({"changedUtcMs": 1, "volumes": {"effects": 1.5}}, 400),
        ({"changedUtcMs": 1, "volumes": {"bass": 1}}, 400),
        ({"changedUtcMs": -1}, 400),
        ({"changedUtcMs": "5"}, 400),
        ({"changedUtcMs": True}, 400),
        ({"changedUtcMs": 1, "muted": "true"}, 400),
        ({"changedUtcMs": 1, "muted": 1}, 400),
        ({"changedUtcMs": 1, "volumes": {"effects": "0.5"}}, 400),
        ({"changedUtcMs": 1, "language": "x" * 36}, 400),
        ({"changedUtcMs": 1, "felt": "x" * 4_200}, 413),
        ([], 400),
        (None, 400),
    ],
)
async def test_other_things_are_not_kept(body: object, status: int) -> None:
    async with open_house() as house:
        mine = {"Cookie": await house.guest()}
        answer = await house.http.put("/api/preferences", content=json.dumps(body), headers=mine)
        assert answer.status_code in (status, 400), answer.text
        assert answer.json()["code"] in ("BAD_REQUEST", "FRAME_TOO_LARGE")
        assert house.floor.cashier.kept == {}


async def test_no_page_of_another_origin_chooses() -> None:
    async with open_house() as house:
        headers = {"Cookie": await house.guest(), "Origin": "https://evil.example"}
        answer = await house.http.put("/api/preferences", content=json.dumps(CHOSEN), headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "BAD_ORIGIN")
        assert house.floor.cashier.kept == {}
