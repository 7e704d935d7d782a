"""The stand-and-fall collar, lofted on a ring around the neck."""

import numpy as np
import trimesh
from scipy.ndimage import gaussian_filter1d
from scipy.spatial import cKDTree

from figure.arrays import Array, unit
from figure.body import Body
from figure.cloth import Cloth
from figure.mesh import Mesh, triangles
from figure.shapes import grid_faces

#: The plane of the ring leans forward.
TILT = np.array([0, 1, 0.42]) / np.hypot(1, 0.42)
_ROWS = 9
#: Rows of the fall that must lie on the shirt: row, least distance to it.
_ON_SHIRT = ((5, 0.0075), (6, 0.0085), (7, 0.0092), (8, 0.0062))


class Collar:
    """`low` and `high` are the neck's radii at the foot and the fold of the stand; `weights` bind it to the body."""

    def __init__(self, body: Body, cloth: Cloth, segments: int = 56, gap: float = 0.012) -> None:
        self.origin: Array = body.joint["neck_01"] + [0, -0.0106, 0.0048]
        self.up = TILT
        self.forward = unit(np.cross([1, 0, 0], TILT))
        if self.forward[2] < 0:
            self.forward = -self.forward
        self._angle = np.linspace(gap, 2 * np.pi - gap, segments)  # 0 in front
        turn = self._angle[:, None]
        self._out = self.forward * np.cos(turn) + np.array([1.0, 0, 0]) * np.sin(turn)
        self._neck = trimesh.Trimesh(body.P, triangles(body.quads), process=False)
        self.low, self.high = self._radii(0.006), self._radii(0.030)
        self.weights: Array = body.rigid("spine_03", 1)[0] * 0.72 + body.rigid("neck_01", 1)[0] * 0.28
        self.mesh = self._loft(cloth)

    def _radii(self, height: float) -> Array:
        origin = np.tile(self.origin + self.up * height, (len(self._out), 1))
        hit, ray, _ = self._neck.ray.intersects_location(origin, self._out, multiple_hits=True)
        radius = np.zeros(len(self._out))
        for p, i in zip(hit, ray, strict=True):
            d = np.linalg.norm(p - origin[i])
            if d < 0.12:
                radius[i] = max(radius[i], d)
        radius[radius == 0] = np.median(radius[radius > 0])
        return np.asarray(gaussian_filter1d(radius, 2, mode="nearest"))

    def _loft(self, cloth: Cloth) -> Mesh:
        a = np.minimum(self._angle, 2 * np.pi - self._angle)
        back = 0.5 - 0.5 * np.cos(self._angle)
        stand, fall = 0.030 + 0.006 * back, 0.036 + 0.014 * np.exp(-((a / 0.55) ** 2))
        point = 0.35 * np.exp(-((a / 0.5) ** 2))
        points: list[Array] = []
        for i, d in enumerate(self._out):
            o, up, r0, r1, h = self.origin, self.up, self.low[i], self.high[i], stand[i]
            side = np.array([np.sign(np.sin(self._angle[i])), 0, 0])
            tip = o + d * (r0 + 0.0165 + 0.010 * back[i]) + up * (h - fall[i]) + side * point[i] * 0.036
            points += [
                o + d * (r0 + 0.0045) - up * 0.012,
                o + d * (r0 + 0.005) + up * 0.006,
                o + d * (r1 + 0.0055) + up * h,
                o + d * (r1 + 0.0085) + up * (h + 0.0016),
                o + d * (r1 + 0.0118) + up * (h - 0.001),
                o + d * (r1 + 0.0130) + up * (h - 0.010),
                o + d * (max(r0, r1) + 0.0170) + up * (h - fall[i] * 0.62) + side * point[i] * 0.012,
                tip,
                tip - d * 0.002 - up * 0.0004,
            ]
        P = np.array(points)
        tree = cKDTree(cloth.P)
        for row, clearance in _ON_SHIRT:
            i = np.arange(len(self._out)) * _ROWS + row
            j = tree.query(P[i])[1]
            distance = ((P[i] - cloth.P[j]) * cloth.N[j]).sum(1)
            P[i] += cloth.N[j] * np.clip(clearance - distance, 0, 0.03)[:, None]
        mesh = Mesh(P, np.tile(self.weights, (len(P), 1)), grid_faces(len(self._out), _ROWS))
        return mesh.outward_from_axis(self.origin, self.up)
