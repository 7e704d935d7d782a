"""What a round costs on the line: every frame of one real round with 1,000 patrons who all bet, counted by its kind."""

from benching.crowd import Crowd, come
from benching.figure import Figure
from benching.house import House, Plan, open_house

CLIENTS = 1_000
ROUND = {"betting_ms": 9_000, "closing_ms": 1_000, "deal_pace": 0.2}
STAGE = '{"type":"stage","request_id":"s{I}","coup":COUP,"area":"banker","amount_minor":2000}'
SUBMIT = '{"type":"submit","request_id":"b{I}","coup":COUP}'
Kinds = dict[str, list[int]]


def run() -> list[Figure]:
    """See above."""
    with open_house(Plan(CLIENTS + 1, ROUND)) as house, come(house.port, CLIENTS, house.tokens) as crowd:
        began = _next_round(house, crowd, {})
        kinds: Kinds = {}
        for text in (STAGE, SUBMIT):
            _add(kinds, crowd.ask(f"say 3 {text.replace('COUP', str(began))}")["kinds"])
        _next_round(house, crowd, kinds)
    totals = kinds.pop("totals")
    each = {kind: total / CLIENTS for kind, (_, total, _) in kinds.items()}
    parts = ", ".join(f"{kind} {size:.0f}" for kind, size in sorted(each.items(), key=lambda part: -part[1]))
    betting_s = ROUND["betting_ms"] / 1000
    return [
        Figure("totals: longest", totals[2], "B", 120),
        Figure("totals: a patron and second of betting", totals[0] / CLIENTS / betting_s, "", 5),
        Figure("coup_dealt: longest", kinds["coup_dealt"][2], "B", 1024),
        Figure("all but totals, a patron and round", sum(each.values()), "B", 2048, note=parts),
    ]


def _next_round(house: House, crowd: Crowd, kinds: Kinds) -> int:
    """Listen until another coup is open; answers its number."""
    before: int = house.ask("coup")[0]
    now = before
    while now == before:
        _add(kinds, crowd.ask("listen 0.2")["kinds"])
        now = house.ask("coup")[0]
    _add(kinds, crowd.ask("listen 0.3")["kinds"])
    return now


def _add(kinds: Kinds, more: Kinds) -> None:
    for kind, (frames, total, longest) in more.items():
        so_far = kinds.setdefault(kind, [0, 0, 0])
        so_far[0] += frames
        so_far[1] += total
        so_far[2] = max(so_far[2], longest)
