"""Cutting cloth: clipping by a scalar field, thickness at the edges, raised patches."""

from collections.abc import Callable, Sequence

import numpy as np

from figure.arrays import Array, Ints, unit
from figure.mesh import Mesh

Field = Callable[[Mesh], Array]


def clip(mesh: Mesh, field: Array) -> Mesh:
    """What lies where `field` > 0; edges are cut by linear interpolation."""
    F, inside = mesh.F, field[mesh.F] > 0
    count = inside.sum(1)
    cutter = _Cutter(field)
    made: list[list[int]] = []
    partly = (count > 0) & (count < 3)
    for triangle, within in zip(F[partly], inside[partly], strict=True):
        one = within.sum() == 1
        r = int(np.argmax(within)) if one else int(np.argmin(within))
        a, b, c = (int(triangle[(r + k) % 3]) for k in range(3))
        ab, ac = cutter.cut(a, b), cutter.cut(a, c)
        made += [[a, ab, ac]] if one else [[ab, b, c], [ab, c, ac]]
    faces = np.concatenate([F[count == 3], np.array(made, int).reshape(-1, 3)])
    grown = {k: cutter.extend(a) for k, a in mesh.A.items()}
    return Mesh(cutter.extend(mesh.P), cutter.extend(mesh.W), faces, **grown).keep(np.ones(len(faces), bool))


class _Cutter:
    """New vertices on the edges that cross zero, each made once."""

    def __init__(self, field: Array) -> None:
        self._field = field
        self._made: dict[tuple[int, int], int] = {}
        self._shares: list[float] = []

    def cut(self, i: int, j: int) -> int:
        i, j = min(i, j), max(i, j)
        if (i, j) not in self._made:
            f = self._field
            self._shares.append(float(np.clip(f[i] / (f[i] - f[j]), 1e-4, 1 - 1e-4)))
            self._made[i, j] = len(f) + len(self._made)
        return self._made[i, j]

    def extend(self, a: Array) -> Array:
        rows = np.array(list(self._made), int).reshape(-1, 2)
        t = np.array(self._shares).reshape((-1,) + (1,) * (a.ndim - 1))
        return np.concatenate([a, a[rows[:, 0]] + t * (a[rows[:, 1]] - a[rows[:, 0]])])


def _border(F: Ints) -> Ints:
    E = np.concatenate([F[:, [0, 1]], F[:, [1, 2]], F[:, [2, 0]]])
    _, index, count = np.unique(np.sort(E, 1), axis=0, return_index=True, return_counts=True)
    return E[index[count == 1]]


def add_rim(mesh: Mesh, N: Array, depth: float) -> tuple[Mesh, Array]:
    """Cloth gets thickness: a skirt from its border inwards along -N. Answers the mesh and its normals."""
    E = _border(mesh.F)
    if not len(E):
        return mesh, N
    v = np.unique(E)
    n, k = len(mesh.P), len(v)
    a, b = np.searchsorted(v, E[:, 0]), np.searchsorted(v, E[:, 1])
    skirt = np.stack([n + b, n + a, n + k + a, n + b, n + k + a, n + k + b], 1).reshape(-1, 3)
    out = Mesh(
        np.concatenate([mesh.P, mesh.P[v], mesh.P[v] - N[v] * depth]),
        np.concatenate([mesh.W, mesh.W[v], mesh.W[v]]),
        np.concatenate([mesh.F, skirt]),
        **{key: np.concatenate([x, x[v], x[v]]) for key, x in mesh.A.items()},
    )
    normals = out.normals()
    normals[:n] = N
    return out, normals


def band(centre: float, half_width: float, coordinate: Field) -> list[Field]:
    """Two one-sided fields; one field with abs() would lose bands thinner than an edge of the mesh."""
    return [lambda m: half_width - (coordinate(m) - centre), lambda m: half_width + (coordinate(m) - centre)]


def patch(mesh: Mesh, fields: Sequence[Field], lift: float, depth: float | None = None) -> Mesh | None:
    """A thin raised piece of a cloth that has normals in A["N"]; None when nothing is left of it."""
    for field in fields:
        mesh = clip(mesh, field(mesh))
        if not len(mesh.F):
            return None
    raised = Mesh(mesh.P + mesh.A["N"] * lift, mesh.W, mesh.F, **mesh.A)
    out, normals = add_rim(raised, unit(raised.A["N"]), lift + 0.001 if depth is None else depth)
    return Mesh(out.P, out.W, out.F, N=normals)
