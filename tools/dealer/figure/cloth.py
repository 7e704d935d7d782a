"""The surface that the uniform is cut from: MakeHuman's `helper-tights`, smoothed, with the fields of the cuts.

Landmarks are shares of the body's own torso (`Body.torso`) and of its shoulders, so that any shaped body can wear it.
"""

import numpy as np

from figure.arrays import Array, Mask, smoothstep, unit
from figure.body import Body
from figure.mesh import Mesh, smooth, subdivide, triangles, vertex_normals
from figure.sleeves import along_arm

ARM = ("upperarm", "lowerarm", "hand")
#: Half the width of the shoulders for which widths below are given, metres.
_REFERENCE_SHOULDER = 0.1623
#: The edge of the waistcoat at the arm: share of the torso's height, share of the shoulder's width.
_ARMHOLE = ([0.518, 0.594, 0.669, 0.745, 0.820, 0.896, 0.971], [1.85, 1.16, 0.92, 0.825, 0.79, 0.785, 0.79])
#: From a share of the torso's height to metres, for buttons and pockets.
TORSO_METRES = 0.53


class Cloth:
    """P, N, W, F of the surface; t is the share of the torso's height, along the place on the arm (see sleeves)."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.width = body.shoulder_x / _REFERENCE_SHOULDER
        quads = np.array([vertices for vertices, _ in body.groups["helper-tights"]])
        used, inverse = np.unique(quads, return_inverse=True)
        self.coarse_P, self.coarse_W, self.coarse_Q = body.P[used], body.W[used], inverse.reshape(-1, 4)
        (P, self.W), Q = subdivide([self.coarse_P, self.coarse_W], self.coarse_Q)
        self.F = triangles(Q)
        self.arm = body.bone_weight(ARM, self.W)
        torso = smoothstep(0.9, 0.3, self.arm) * smoothstep(body.torso(-0.35), body.torso(-0.07), P[:, 1])
        P = smooth(P, self.F, 10, 0.5, weight=torso)
        P = smooth(P, self.F, 8, 0.5, weight=smoothstep(0.5, 0.9, self.arm))  # no muscles through a sleeve
        self.P = smooth(P, self.F, 2, 0.4)
        self.N = unit(smooth(vertex_normals(self.P, self.F), self.F, 3, 0.5))
        self.t = (self.P[:, 1] - body.pelvis_y) / (body.neck_y - body.pelvis_y)
        self.x, self.z = self.P[:, 0], self.P[:, 2]
        self.along = along_arm(body, self.P)
        self._cut()

    def _cut(self) -> None:
        """Signed distances: inside the waistcoat is > 0; `lapel` grows away from the opening at the neck."""
        b, ax, t = self.body, np.abs(self.x), self.t
        neck = b.joint["neck_01"]
        opening = 0.066 * self.width * np.clip((t - 0.376) / 0.595, 0, None) ** 0.85
        v_neck = np.where(self.z > neck[2] - 0.005, ax - opening + np.clip(0.376 - t, 0, None) * 0.27, 0.3)
        armhole = np.interp(t, *_ARMHOLE) * b.shoulder_x - ax
        # behind, the cloth climbs to the collar
        back = 0.12 * smoothstep(-0.005, -0.035, self.z - neck[2]) * smoothstep(0.975, 0.93, t)
        hole = np.where(t > 0.78, np.hypot(self.x, self.z - neck[2]) - 0.074 * self.width**0.6 + back, 0.3)
        hem = -0.077 - 0.066 * np.exp(-(((ax - 0.05) / 0.035) ** 2)) * (self.z > 0)
        below = (t - hem) * (b.neck_y - b.pelvis_y)
        body_only = (0.45 - self.arm) * 0.09 + 0.3 * smoothstep(0.68, 0.86, t)
        self.vest_field: Array = np.minimum.reduce([v_neck, armhole, hole, below, body_only])
        self.lapel: Array = np.minimum(v_neck, hole)

    def mesh(self, lift: float | Array, faces: Mask | None = None, **fields: Array) -> Mesh:
        """The surface, or the marked triangles of it, `lift` metres out."""
        P = self.P + self.N * np.reshape(lift, (-1, 1))
        m = Mesh(P, self.W, self.F, N=self.N, x=self.x, z=self.z, t=self.t, **fields)
        return m if faces is None else m.keep(faces)

    def front_vertex(self, t: float, x: float = 0.0) -> int:
        """The vertex in front that is nearest to a height."""
        behind = (self.z < self.body.joint["neck_01"][2]) * 9
        return int(np.argmin(np.hypot(self.x - x, (self.t - t) * TORSO_METRES) + behind))


def planar_uv(P: Array, scale: float) -> Array:
    """Texture coordinates for cloth that needs no layout; `scale` tiles a metre."""
    return np.stack([(P[:, 0] + P[:, 2]) * scale, (P[:, 1] + 0.3 * P[:, 2]) * scale], 1)
