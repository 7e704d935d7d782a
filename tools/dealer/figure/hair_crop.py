"""His hair: short at the sides, longer on top, swept up and across from a side parting, with an uneven edge."""

import numpy as np

from figure.arrays import Array, Noise, bell, smoothstep, unit
from figure.body import Body
from figure.hair import DENSE, SOFT, Hair, clumps, rising
from figure.hairline import azimuth_of
from figure.part import Part
from figure.skull import Skull, direction

_POLE = unit(np.array([0.10, 0.75, -0.65]))


class _Volume:
    """Thickness of the hair: close at the sides, rising at the front."""

    def __init__(self, body: Body) -> None:
        self._body, self._noise = body, Noise(9)

    def __call__(self, P: Array) -> Array:
        body = self._body
        height = (P[..., 1] - body.eye_y) / (body.top_y - body.eye_y)
        rise = rising(body, P, 0.040)
        top = smoothstep(0.45, 0.88, height)
        azimuth = azimuth_of(body, P)
        quiff = bell(azimuth, -8, 48) * bell(height, 0.86, 0.22)
        return 0.0012 + rise * (
            0.0030 + 0.0085 * top + 0.0060 * quiff + (0.0008 + 0.0016 * top) * clumps(self._noise, P)
        )


def crop_hair(body: Body, skull: Skull) -> tuple[Hair, list[Part]]:
    """Locks, and the solid part: the cap."""
    hair = Hair(body, skull, _Volume(body))
    _front(hair)
    _top(hair)
    for side in (1, -1):
        _sides(hair, side)
    _edge(hair)
    return hair, [hair.cap(_POLE, 9, 0.001)]


def _swept(az: float, el: float, reach: float, lift: float) -> list[Array]:
    """Up from the skin and across towards the figure's right."""
    across = -26 * float(smoothstep(62, 20, abs(az))) * reach
    back = 30 * reach
    return [
        direction(az, el),
        direction(az + 0.18 * across, el + 0.30 * back + lift),
        direction(az + 0.65 * across, el + 0.75 * back + lift * 0.5),
        direction(az + 1.15 * across, el + 1.15 * back),
    ]


def _front(hair: Hair) -> None:
    """Rooted along the forehead and lifted, so that the edge is open and uneven."""
    rand = hair.rand
    for k in range(150):
        az = -56 + 112 * (k + rand.rand()) / 150
        el = hair.skull.hairline(az) - 1.2 + 9 * rand.rand() ** 1.6
        high = float(bell(az, -6, 40))
        tuft = float(np.sin(az * 0.55 + 1.0) + 0.6 * np.sin(az * 0.23))  # hair stands in clumps
        hair.lock(
            _swept(az, el, 0.85 + 0.5 * rand.rand() + 0.12 * tuft, 3.0 + 1.5 * tuft),
            0.005 + 0.006 * rand.rand(),
            (-0.0004, 0.004 + (0.008 + 0.0025 * tuft) * high + 0.003 * rand.rand(), 0.002 + 0.006 * rand.rand()),
            segments=5,
            taper=0.75,
            kind=SOFT if rand.rand() < 0.7 else DENSE,
            jitter=0.040,
            roll=0.35,
        )


def _top(hair: Hair) -> None:
    rand = hair.rand
    for _ in range(210):
        az, t = rand.uniform(-62, 62), rand.rand()
        el = hair.skull.hairline(az) + 8 + 72 * t
        hair.lock(
            _swept(az * (1 - 0.2 * t), el, 0.9 + 0.5 * rand.rand(), 2.0),
            0.009 + 0.008 * rand.rand(),
            (-0.001, 0.004 + 0.004 * rand.rand(), 0.002 + 0.005 * rand.rand()),
            segments=5,
            taper=0.75,
            kind=SOFT,
            jitter=0.055,
            roll=0.4,
        )
    for _ in range(70):  # the crown and the back of the head, combed down from the whorl
        az, el = rand.uniform(110, 250), rand.uniform(5, 62)
        hair.lock(
            [direction(az, el), direction(az, el - 9), direction(az + 3, el - 19), direction(az + 5, el - 28)],
            0.014,
            (0.0, 0.003, 0.0012),
            segments=4,
            kind=SOFT,
            jitter=0.05,
        )


def _sides(hair: Hair, side: int) -> None:
    """Short, combed back and down."""
    rand = hair.rand
    for _ in range(110):
        az, el = 54 + 80 * rand.rand(), rand.uniform(-16, 46)
        if el < hair.skull.hairline(side * az) + 0.5:
            continue
        lift = 0.0012 + 0.00006 * max(el, 0)
        hair.lock(
            [
                direction(side * az, el),
                direction(side * (az + 7), el - 3),
                direction(side * (az + 13), el - 7),
                direction(side * (az + 18), el - 12),
            ],
            0.010,
            (0.0, lift + 0.001, lift * 0.6),
            segments=4,
            kind=SOFT,
            jitter=0.02,
            shade=(0.55, 0.95),
        )


def _edge(hair: Hair) -> None:
    """Fine hair along the forehead and the temples."""
    rand = hair.rand
    for k in range(70):
        az = -66 + 132 * (k + rand.rand()) / 70
        el = hair.skull.hairline(az) - 1.6 + 2.6 * rand.rand()
        long = 0.4 + 0.7 * rand.rand()
        hair.wisp(
            [
                direction(az, el),
                direction(az - 1 * long, el + 4 * long),
                direction(az - 4 * long, el + 8 * long),
                direction(az - 8 * long, el + 11 * long),
            ],
            0.006,
            (0.0003, 0.004 * long, 0.004 * rand.rand()),
            segments=4,
        )
