"""Her hair: parted, swept over the temples with some volume, drawn back into a wound bun high on the head."""

import numpy as np

from figure.arrays import Array, Noise, bell, smoothstep, unit
from figure.body import Body
from figure.hair import DENSE, SOFT, Hair, clumps, rising
from figure.hairline import PARTING_X, azimuth_of, beside_parting, parting_width
from figure.mesh import Mesh
from figure.part import Part
from figure.shapes import ellipsoid
from figure.skull import Skull, direction

POLE = direction(180.0, 33.0)
_PARTING = 12.0  # its azimuth at the forehead


class _Volume:
    """Thickness of the hair: flat at the hairline and the parting, full over the front and the crown."""

    def __init__(self, body: Body) -> None:
        self._body, self._noise = body, Noise(9)

    def __call__(self, P: Array) -> Array:
        body = self._body
        rise = rising(body, P, 0.050)
        height = (P[..., 1] - body.eye_y) / (body.top_y - body.eye_y)
        beside = beside_parting(body, P)
        crown = smoothstep(0.30, 1.0, height)
        side = bell(np.abs(azimuth_of(body, P)), 62, 30) * smoothstep(0.75, 0.35, height)
        full = 0.0055 + 0.0125 * crown + 0.0045 * side
        parted = 0.12 + 0.88 * smoothstep(0.0005, 0.030, beside)
        return 0.0008 + rise * parted * (full + 0.0012 * clumps(self._noise, P))


def bun_hair(body: Body, skull: Skull) -> tuple[Hair, list[Part]]:
    """Locks, and the solid parts: cap and bun."""
    hair = Hair(body, skull, _Volume(body))
    for side in (1, -1):
        _from_parting(hair, side)
        _from_hairline(hair, side)
        _from_ear_and_nape(hair, side)
        _tendrils(hair, side)
        _baby_hairs(hair, side)
    _crown(hair)
    _flyaways(hair)
    cap = hair.cap(POLE, 9, 0.001, lambda P: beside_parting(body, P) - parting_width(body, P))
    return hair, [cap, _bun(hair)]


def _end(hair: Hair, side: int, spread: float) -> Array:
    """Somewhere on the rim of the bun."""
    return unit(POLE + 0.26 * spread * direction(side * 90.0, 0.0) + 0.10 * hair.rand.randn() * np.array([0, 1, 0.6]))


def _from_parting(hair: Hair, side: int) -> None:
    front, rand = hair.skull.hairline(_PARTING), hair.rand
    for k in range(104):
        t = (k + rand.rand()) / 104  # 0 at the forehead, 1 behind the crown
        el = front + 2 + (112 - front) * t
        over = PARTING_X + side * 0.0014
        root = unit(np.array([over / 0.105 * (1 - 0.35 * t), np.sin(np.radians(el)), np.cos(np.radians(el))]))
        c1 = direction(_PARTING * (1 - t) + side * (44 + 56 * t), front + 12 + 38 * t)
        c2 = direction(side * (100 + 40 * t), 12 + 40 * t)
        hair.lock(
            [root, c1, c2, _end(hair, side, 1 - t)],
            0.013 + 0.006 * rand.rand(),
            (-0.0003, 0.0022 + 0.0030 * rand.rand(), 0.002),
            segments=7,
            taper=0.35,
            kind=SOFT if rand.rand() < 0.25 else DENSE,
            jitter=0.022,
        )


def _crown(hair: Hair) -> None:
    """From the end of the parting straight back to the bun."""
    rand = hair.rand
    for _ in range(46):
        az, el = rand.uniform(-48, 48), rand.uniform(72, 88)
        hair.lock(
            [
                direction(az, el),
                direction(180 - az, 104 - el + 62),
                direction(180 - az * 0.8, 58),
                _end(hair, int(np.sign(az)), 0.5),
            ],
            0.013,
            (0.0006, 0.0034, 0.002),
            segments=4,
            taper=0.3,
            jitter=0.02,
        )


def _from_hairline(hair: Hair, side: int) -> None:
    rand = hair.rand
    for k in range(84):
        az = _PARTING + side * (1 + (66 - side * _PARTING) * (k + rand.rand()) / 84)
        el = hair.skull.hairline(az)
        away = abs(az - _PARTING)
        lower = 12 * smoothstep(20, 70, away)
        c1 = direction(az + side * 12, el + 13 - lower * 0.5)
        c2 = direction(side * (92 + 8 * rand.rand()), 6 + 0.55 * el + 8 * rand.rand())
        hair.lock(
            [direction(az, el - 1.0 + 4.5 * rand.rand()), c1, c2, _end(hair, side, 1.1)],
            0.006 + 0.005 * rand.rand(),
            (-0.0002, 0.0016 + 0.0022 * rand.rand(), 0.001),
            segments=6,
            taper=0.3,
            kind=SOFT,
            jitter=0.016,
        )


def _from_ear_and_nape(hair: Hair, side: int) -> None:
    rand = hair.rand
    for k in range(52):
        az = 66 + 110 * (k + rand.rand()) / 52
        el = hair.skull.hairline(side * az) + 2 + 10 * rand.rand()
        c1 = direction(side * (az + 10), el + 14)
        c2 = direction(side * (az * 0.5 + 84), el * 0.4 + 14)
        hair.lock(
            [direction(side * az, el), c1, c2, _end(hair, side, 0.9)],
            0.011,
            (0.0004, 0.0022, 0.001),
            segments=5,
            kind=SOFT,
            jitter=0.02,
        )


def _tendrils(hair: Hair, side: int) -> None:
    """Short loose hair in front of the ear."""
    rand = hair.rand
    for k in range(8):
        az = 42 + 1.6 * k
        el = hair.skull.hairline(side * az) + 3
        end = -34 - 20 * rand.rand()
        hair.wisp(
            [
                direction(side * az, el),
                direction(side * (az + 14), el - 6),
                direction(side * (az + 19), 0.45 * end),
                direction(side * (53 + 5 * rand.rand()), end),
            ],
            0.013,
            (0.0015, 0.016, 0.006 + 0.006 * rand.rand()),
            segments=7,
        )


def _baby_hairs(hair: Hair, side: int) -> None:
    rand = hair.rand
    for k in range(46):
        az = _PARTING + side * (70 - side * _PARTING) * (k + rand.rand()) / 46
        el = hair.skull.hairline(az) - 1.5 + 2.5 * rand.rand()
        long = 0.5 + 0.8 * rand.rand()
        hair.wisp(
            [
                direction(az, el),
                direction(az + side * 3 * long, el + 4 * long),
                direction(az + side * 9 * long, el + 7 * long),
                direction(az + side * 15 * long, el + 9 * long),
            ],
            0.006,
            (0.0004, 0.0026 * long, 0.0022 + 0.002 * rand.rand()),
            segments=4,
        )


def _flyaways(hair: Hair) -> None:
    """Single hairs that leave the outline."""
    rand = hair.rand
    for _ in range(44):
        az, el = rand.uniform(-110, 110), rand.uniform(25, 85)
        turn = np.sign(az)
        hair.wisp(
            [
                direction(az, el),
                direction(az + turn * 14, el + rand.uniform(-6, 6)),
                direction(az + turn * 30, el + rand.uniform(-10, 6)),
                direction(az + turn * 46, el + rand.uniform(-16, 4)),
            ],
            0.010,
            (0.001, 0.006 * rand.rand() + 0.002, 0.006 * rand.rand() + 0.001),
        )


def _bun(hair: Hair) -> Part:
    """Wound hair: ridges that spiral around the axis, with strands that follow them."""
    centre = hair.skull.point(POLE[None], 0.024)[0]
    _, F, D = ellipsoid(np.zeros(3), np.ones(3), 40, 20)
    turn, tilt = np.arctan2(D[:, 1], D[:, 0]), np.arccos(np.clip(D[:, 2], -1, 1))
    wound = turn + 2.4 * tilt
    coil = 1 + 0.10 * (np.abs(np.sin(wound * 1.5)) - 0.6) * np.sin(tilt) + 0.02 * np.sin(turn * 5 + tilt * 9)
    forward, right = -POLE, np.array([1.0, 0, 0])
    up = unit(np.cross(forward, right))
    frame = np.stack([right, up, POLE])
    P = centre + (D * coil[:, None] * [0.041, 0.038, 0.031]) @ frame
    mesh = Mesh(P, hair.body.rigid("head", len(P)), F).outward(centre)
    uv = np.stack([wound / (2 * np.pi) * 3, 0.25 + 0.6 * (turn / (2 * np.pi) + 0.5)], 1)
    return Part("hair", mesh, 0, uv=uv, occlusion=0.8)
