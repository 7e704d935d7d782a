"""Simple solids: grids, ellipsoids, buttons, plates."""

import numpy as np

from figure.arrays import Array, Ints, unit, vec
from figure.mesh import Mesh, vertex_normals


def grid_faces(rows: int, columns: int, wrap_rows: bool = False, wrap_columns: bool = False) -> Ints:
    """Triangles of a grid whose vertices are numbered row by row."""
    i, j = np.mgrid[0 : rows if wrap_rows else rows - 1, 0 : columns if wrap_columns else columns - 1]
    i, j = i.ravel(), j.ravel()
    i1, j1 = (i + 1) % rows, (j + 1) % columns
    a, b, a1, b1 = i * columns + j, i1 * columns + j, i * columns + j1, i1 * columns + j1
    return np.stack([a, b, b1, a, b1, a1], 1).reshape(-1, 3)


def ellipsoid(centre: Array, radii: Array, segments: int = 12, rings: int = 8) -> tuple[Array, Ints, Array]:
    """Positions, triangles and directions from the centre. The poles lie on z."""
    turn, tilt = np.meshgrid(
        np.linspace(0, 2 * np.pi, segments, endpoint=False), np.linspace(0, np.pi, rings), indexing="ij"
    )
    D = np.stack([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)], -1).reshape(-1, 3)
    P, F = centre + D * radii, grid_faces(segments, rings, True)
    if ((P - centre) * vertex_normals(P, F)).sum() < 0:
        F = F[:, ::-1]
    return P, F, D


def _same(weights: Array, count: int) -> Array:
    return np.tile(weights, (count, 1))


def button(point: Array, normal: Array, weights: Array, radius: float, height: float = 0.0028, turns: int = 14) -> Mesh:
    """A turned button with a dished face."""
    n = unit(normal)
    a = unit(np.cross(n, [1, 0, 0]))
    b = np.cross(n, a)
    profile = [(0, 1), (height, 1), (height * 1.25, 0.84), (height, 0.66), (height * 1.05, 0)]
    angles = np.linspace(0, 2 * np.pi, turns, endpoint=False)
    P = np.array([point + n * h + (a * np.cos(p) + b * np.sin(p)) * radius * r for p in angles for h, r in profile])
    return Mesh(P, _same(weights, len(P)), grid_faces(turns, len(profile), True)).outward(point - n * 0.01)


def plate(point: Array, normal: Array, weights: Array, half: tuple[float, float], thickness: float = 0.0022) -> Mesh:
    """A name badge: flat, with rounded corners, level in x."""
    turns, (half_width, half_height) = 20, half
    n = unit(normal)
    up = unit(vec(0, 1, 0) - n * n[1])
    right = np.cross(up, n)
    a = np.linspace(0, 2 * np.pi, turns, endpoint=False) + np.pi / turns
    cx = np.sign(np.cos(a)) * np.abs(np.cos(a)) ** 0.30
    cy = np.sign(np.sin(a)) * np.abs(np.sin(a)) ** 0.30
    profile = [(-0.003, 0.0), (thickness * 0.6, 0.0), (thickness, 0.0006), (thickness, half_height)]
    P = np.array(
        [
            point + n * h + right * x * (half_width - inset) + up * y * (half_height - inset)
            for x, y in zip(cx, cy, strict=True)
            for h, inset in profile
        ]
    )
    return Mesh(P, _same(weights, len(P)), grid_faces(turns, 4, True)).outward(point - n * 0.005)
