"""Two pinched wings with pleats that run out of a soft knot."""

import numpy as np

from figure.arrays import Array, smoothstep
from figure.cloth import planar_uv
from figure.collar import Collar
from figure.mesh import Mesh, merge
from figure.part import Part
from figure.shapes import ellipsoid, grid_faces

_LENGTH, _AROUND = 16, 22


def _power(v: float, e: float) -> float:
    return float(np.sign(v) * abs(v) ** e)


def _wing(collar: Collar, centre: Array, side: int) -> Mesh:
    points = []
    for i in range(_LENGTH):
        t = i / (_LENGTH - 1)
        half = 0.0090 + 0.0185 * float(smoothstep(0, 0.80, t))
        depth = (0.0100 - 0.0030 * t) * (1 - 0.90 * float(smoothstep(0.50, 1, t)))
        if t > 0.93:
            half *= 1 - 0.22 * ((t - 0.93) / 0.07) ** 2
        for j in range(_AROUND):
            p = 2 * np.pi * j / _AROUND
            y, z = half * _power(np.cos(p), 0.75), depth * _power(np.sin(p), 0.8)
            pleat = 0.0022 * np.cos(y / half * np.pi * 2.6) * (1 - t) ** 0.7 * np.sign(np.sin(p))
            out = 0.006 + 0.047 * t - 0.005 * t * t * (1 - (y / half) ** 2)
            lean = z + pleat + 0.0010 * np.sin(t * 5) - 0.0060 * t * t
            points.append(centre + np.array([side * out, 0, 0]) + collar.up * (y - 0.0015 * t) + collar.forward * lean)
    P = np.array(points)
    F = grid_faces(_LENGTH, _AROUND, wrap_columns=True)
    return Mesh(P, np.tile(collar.weights, (len(P), 1)), F).outward(P.mean(0))


def bow_tie(collar: Collar, material: int) -> Part:
    before = float(collar.low[[0, -1]].max()) + 0.0235
    centre = collar.origin + collar.forward * before + collar.up * 0.013
    _, F, D = ellipsoid(np.zeros(3), np.ones(3), 16, 9)
    soft = np.sign(D) * np.abs(D) ** 0.68
    P = centre + soft[:, [0]] * np.array([0.0088, 0, 0]) + soft[:, [2]] * 0.0118 * collar.up
    P = P + soft[:, [1]] * 0.0122 * collar.forward
    knot = Mesh(P, np.tile(collar.weights, (len(P), 1)), F).outward(centre)
    whole = merge([_wing(collar, centre, 1), _wing(collar, centre, -1), knot])
    return Part("bowtie", whole, material, uv=planar_uv(whole.P, 40))
