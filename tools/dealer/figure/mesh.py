"""Triangle meshes with skin weights, and what is done to whole meshes."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sparse

from figure.arrays import Array, Ints, Mask, unit


class Mesh:
    """P positions (metres), W weights per bone, F triangles, A further attributes per vertex."""

    def __init__(self, P: Array, W: Array, F: Ints, **attributes: Array) -> None:
        self.P, self.W, self.A = P, W, attributes
        self.F: Ints = np.asarray(F, int).reshape(-1, 3)

    def normals(self) -> Array:
        return vertex_normals(self.P, self.F)

    def bare(self) -> "Mesh":
        """Without the further attributes."""
        return Mesh(self.P, self.W, self.F)

    def keep(self, faces: Mask) -> "Mesh":
        """The marked triangles alone."""
        used, inverse = np.unique(self.F[faces], return_inverse=True)
        return Mesh(self.P[used], self.W[used], inverse.reshape(-1, 3), **{k: a[used] for k, a in self.A.items()})

    def outward(self, centre: Array) -> "Mesh":
        """Turns all triangles if the mesh is inside out as seen from `centre`."""
        if ((self.P - centre) * self.normals()).sum() < 0:
            self.F = self.F[:, ::-1]
        return self

    def outward_from_axis(self, origin: Array, axis: Array) -> "Mesh":
        """Turns all triangles if a ring around the axis is inside out."""
        radial = (self.P - origin) - np.outer((self.P - origin) @ axis, axis)
        if (radial * self.normals()).sum() < 0:
            self.F = self.F[:, ::-1]
        return self


def vertex_normals(P: Array, F: Ints) -> Array:
    """Normals weighted by the area of the triangles around."""
    face = np.cross(P[F[:, 1]] - P[F[:, 0]], P[F[:, 2]] - P[F[:, 0]])
    total = np.zeros_like(P)
    for k in range(3):
        np.add.at(total, F[:, k], face)
    return unit(total)


def merge(meshes: Sequence[Mesh]) -> Mesh:
    """One mesh; attributes that all have survive."""
    keys = set.intersection(*[set(m.A) for m in meshes])
    offsets = np.cumsum([0] + [len(m.P) for m in meshes[:-1]])
    return Mesh(
        np.concatenate([m.P for m in meshes]),
        np.concatenate([m.W for m in meshes]),
        np.concatenate([m.F + o for m, o in zip(meshes, offsets, strict=True)]),
        **{k: np.concatenate([m.A[k] for m in meshes]) for k in sorted(keys)},
    )


def triangles(quads: Ints, P: Array | None = None) -> Ints:
    """Splits quads; with positions, along the diagonal that avoids slivers."""
    Q = np.asarray(quads)
    first, second = Q[:, [0, 1, 2, 0, 2, 3]], Q[:, [1, 2, 3, 1, 3, 0]]
    if P is None:
        return first.reshape(-1, 3)

    def worst(split: Ints) -> Array:
        T = P[split.reshape(-1, 2, 3)]
        edges = T - np.roll(T, 1, axis=2)
        area = np.linalg.norm(np.cross(edges[:, :, 0], edges[:, :, 1]), axis=-1)
        return (area / (edges**2).sum((-1, -2))).min(1)

    better = (worst(first) >= worst(second))[:, None]
    return np.where(better, first, second).reshape(-1, 3)


def subdivide(attributes: Sequence[Array], quads: Ints) -> tuple[list[Array], Ints]:
    """Every quad becomes four; attributes are interpolated linearly."""
    Q = np.asarray(quads)
    edges = np.sort(np.stack([Q, np.roll(Q, -1, 1)], -1).reshape(-1, 2), 1)
    single, inverse = np.unique(edges, axis=0, return_inverse=True)
    n, m = len(attributes[0]), len(single)
    out = [np.concatenate([a, (a[single[:, 0]] + a[single[:, 1]]) / 2, a[Q].mean(1)]) for a in attributes]
    e, c = inverse.reshape(-1, 4) + n, np.arange(len(Q)) + n + m
    return out, np.concatenate([np.stack([Q[:, k], e[:, k], c, e[:, k - 1]], 1) for k in range(4)])


def smooth(values: Array, F: Ints, rounds: int = 5, strength: float = 0.5, weight: Array | None = None) -> Array:
    """Each vertex moves towards the mean of its neighbours."""
    n = len(values)
    E = np.concatenate([F[:, [0, 1]], F[:, [1, 2]], F[:, [2, 0]]])
    E = np.concatenate([E, E[:, ::-1]])
    adjacent = sparse.coo_matrix((np.ones(len(E)), (E[:, 0], E[:, 1])), (n, n)).tocsr()
    adjacent.data[:] = 1
    mean = sparse.diags(1 / np.maximum(np.asarray(adjacent.sum(1)).ravel(), 1)) @ adjacent
    share = strength * (np.ones(n) if weight is None else weight)[:, None]
    for _ in range(rounds):
        values = values + share * (mean @ values - values)
    return values
