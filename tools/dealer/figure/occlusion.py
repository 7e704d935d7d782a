"""Ambient occlusion by embree rays."""

import numpy as np
import trimesh
from trimesh.ray.ray_pyembree import RayMeshIntersector

from figure.arrays import Array, unit
from figure.part import Part

REACH = 0.10
SAMPLES = 40


def _cosine_directions(n: int) -> Array:
    i = np.arange(n) + 0.5
    phi, z = np.pi * (1 + 5**0.5) * i, 1 - i / n
    r = np.sqrt(1 - z * z)
    x, y = r * np.cos(phi), r * np.sin(phi)
    return np.stack([x, y, np.sqrt(np.clip(1 - x * x - y * y, 0, 1))], 1)


class OcclusionBaker:
    """Knows all parts that take light away from others."""

    def __init__(self, parts: list[Part]) -> None:
        solid = [p for p in parts if p.occludes]
        offsets = np.cumsum([0] + [len(p.mesh.P) for p in solid[:-1]])
        faces = np.concatenate([p.mesh.F + o for p, o in zip(solid, offsets, strict=True)])
        self._rays = RayMeshIntersector(
            trimesh.Trimesh(np.concatenate([p.mesh.P for p in solid]), faces, process=False)
        )

    def bake(self, P: Array, N: Array) -> Array:
        """The share of light that arrives at each vertex, 0 to 1; what is farther than REACH takes none."""
        helper = np.where(np.abs(N[:, [0]]) > 0.8, [[0, 1.0, 0]], [[1.0, 0, 0]])
        T = unit(np.cross(N, helper))
        B, blocked = np.cross(N, T), np.zeros(len(P))
        for dx, dy, dz in _cosine_directions(SAMPLES):
            way = T * dx + B * dy + N * dz
            hit, ray, _ = self._rays.intersects_location(P + N * 0.0015, way, multiple_hits=False)
            blocked[ray] += np.clip(1 - np.linalg.norm(hit - P[ray], axis=1) / REACH, 0, 1) ** 0.7
        return 1 - blocked / SAMPLES
