"""The deal of protocol bigroad/0 written a second time, from its description alone and without the package.

Cards are codes here, hands are lists, and the shoe is one list of 416 codes in ascending order: taking the r-th card
that is left is the same as walking counts.
"""

import hashlib
import hmac
from collections.abc import Iterator


def words(seed: bytes, coup_no: int) -> Iterator[int]:
    """The stream of 16-bit words."""

    def mac(key: bytes, data: bytes) -> bytes:
        return hmac.new(key, data, hashlib.sha256).digest()

    material = seed + coup_no.to_bytes(8, "big") + b"\0" * 8 + b"bigroad/0/deal"
    key, value = b"\0" * 32, b"\1" * 32
    key = mac(key, value + b"\0" + material)
    value = mac(key, value)
    key = mac(key, value + b"\1" + material)
    value = mac(key, value)
    while True:
        block = b""
        while len(block) < 1024:
            value = mac(key, value)
            block += value
        key = mac(key, value + b"\0")
        value = mac(key, value)
        for high, low in zip(block[::2], block[1::2], strict=True):
            yield 256 * high + low


def second_deal(left: list[int], seed: bytes, coup_no: int, *, fresh: bool) -> dict[str, list[int] | int]:
    """Deal from `left` (changed in place): the codes burned, the cut card's place, both hands."""
    stream = words(seed, coup_no)

    def below(m: int) -> int:
        largest = 65536 // m * m
        return next(word for word in stream if word < largest) % m

    def take() -> int:
        return left.pop(below(len(left)))

    def worth(code: int) -> int:
        return (code // 4 + 1) if code < 36 else 0

    burned: list[int] = []
    cut = -1
    if fresh:
        burned.append(take())
        burned += [take() for _ in range(worth(burned[0]) or 10)]
        cut = 14 + below(3)
    one, two, three, four = take(), take(), take(), take()
    player, banker = [one, three], [two, four]
    p, b = sum(map(worth, player)) % 10, sum(map(worth, banker)) % 10
    if p < 8 and b < 8:
        limit = 5
        if p < 6:
            player.append(take())
            limit = [3, 3, 4, 4, 5, 5, 6, 6, 2, 3][worth(player[2])]
        if b <= limit:
            banker.append(take())
    return {"burned": burned, "cut": cut, "player": player, "banker": banker}
