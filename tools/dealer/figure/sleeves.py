"""How a shirt sleeve folds: one height field over the arm, used coarse for the mesh and fine for the texture."""

import numpy as np
from scipy.ndimage import gaussian_filter

from figure.arrays import Array, Ints, Noise, bell, smoothstep, unit
from figure.body import Body
from figure.mesh import Mesh

SIZE = 512
#: The sleeve takes this share of the texture's height; below it the cloth is flat, for everything else.
_SLEEVE_V = 0.9
FLAT_UV = (0.5, 0.96)
#: What one texel is long, metres, around and along an average arm.
_TEXEL = (0.30 / SIZE, 0.52 / (SIZE * _SLEEVE_V))


def along_arm(body: Body, P: Array) -> Array:
    """0 to 1 on the upper arm, 1 to 2 on the forearm; negative towards the chest."""
    out = np.zeros(len(P))
    for side, sign in (("l", 1), ("r", -1)):
        a, b, c = (body.joint[f"{bone}_{side}"] for bone in ("upperarm", "lowerarm", "hand"))
        here = P[:, 0] * sign > 0
        upper, lower = ((P - a) @ (b - a)) / ((b - a) @ (b - a)), ((P - b) @ (c - b)) / ((c - b) @ (c - b))
        out[here] = np.where(lower > 0, 1 + lower, np.minimum(upper, 1))[here]
    return out


def around_arm(body: Body, P: Array) -> Array:
    """Radians around the arm, -pi to pi: 0 in front, where the elbow bends, positive below. Mirrored on the right."""
    out = np.zeros(len(P))
    for side, sign in (("l", 1), ("r", -1)):
        a, b, c = (body.joint[f"{bone}_{side}"] for bone in ("upperarm", "lowerarm", "hand"))
        here = P[:, 0] * sign > 0
        axis = unit(c - a)
        on_fore = smoothstep(-0.03, 0.03, (P - b) @ axis)[:, None]
        upper, fore = unit(b - a), unit(c - b)
        on_upper = a + ((P - a) @ upper)[:, None] * upper
        on_lower = b + ((P - b) @ fore)[:, None] * fore
        base = on_upper * (1 - on_fore) + on_lower * on_fore
        front = unit(np.array([0, 0, 1.0]) - axis * axis[2])
        down = np.cross(axis, front) * sign
        q = P - base
        out[here] = np.arctan2(q @ down, q @ front)[here]
    return out


def _ridge(x: Array) -> Array:
    """A crest with a valley on one side, as cloth that is pushed together."""
    return np.exp(-(x**2)) - 0.40 * np.exp(-(((x - 1.7) / 1.0) ** 2))


def _wrapped(angle: Array) -> Array:
    return (angle + np.pi) % (2 * np.pi) - np.pi


#: Folds of upper arm and forearm: along, around, slope per radian, half width along, reach around, height in metres.
_DRAGS = (
    (0.22, 0.6, 0.10, 0.045, 1.1, 0.0034),
    (0.40, 0.2, 0.13, 0.040, 1.0, 0.0030),
    (0.62, -0.2, 0.10, 0.040, 1.2, 0.0026),
    (0.30, 2.6, -0.09, 0.050, 1.0, 0.0030),
    (0.66, 2.3, 0.11, 0.045, 1.1, 0.0028),
    (0.80, 0.9, -0.12, 0.035, 0.9, 0.0026),
    (1.26, -0.4, 0.15, 0.038, 1.2, 0.0028),
    (1.42, 0.9, -0.12, 0.036, 1.1, 0.0026),
    (1.40, -2.2, 0.11, 0.040, 1.0, 0.0024),
    (1.58, 0.1, 0.10, 0.036, 1.3, 0.0026),
    (1.62, 2.4, -0.10, 0.036, 1.0, 0.0024),
)


def folds(along: Array, around: Array) -> Array:
    """Metres above the smooth sleeve."""
    circle = np.stack([np.cos(around) * 0.05, np.sin(around) * 0.05, along * 0.26], -1)
    noise = Noise(13)
    s = along + 0.05 * (noise(circle, 24, 2) - 0.5)
    out = np.zeros_like(s)
    bend = np.abs(_wrapped(around + 0.15))
    for j in (-2, -1, 0, 1, 2):  # a fan out of the crook of the elbow
        line = 1.0 + 0.062 * j + 0.060 * j * bend
        out += 0.0040 * _ridge((s - line) / 0.026 * (1 if j >= 0 else -1)) * np.exp(-((bend / 1.7) ** 2))
    for at, angle, slope, width, reach, height in _DRAGS:
        turn = _wrapped(around - angle)
        out += height * _ridge((s - at - slope * turn) / width) * np.exp(-((turn / reach) ** 2))
    gathers = np.sin(around * 11 + 5 * noise(circle + 3, 30, 1)) * bell(s, 1.83, 0.085)
    out += 0.0013 * gathers + 0.0020 * bell(s, 1.70, 0.09)
    out += 0.0010 * (noise(circle + 7, 70, 2) - 0.5)
    return out * smoothstep(0.02, 0.16, along) * smoothstep(1.99, 1.93, along)


def sleeve_textures() -> tuple[Array, Array]:
    """Normals and shading of a sleeve; both arms use the same."""
    v, u = (np.mgrid[0:SIZE, 0:SIZE] + 0.5) / SIZE
    along, around = v / _SLEEVE_V * 2, (u - 0.5) * 2 * np.pi
    height = np.where(v < _SLEEVE_V, folds(np.minimum(along, 2), around), 0.0)
    y, x = np.mgrid[0:SIZE, 0:SIZE]
    height = height * 1.5  # what the mesh has lost in being thinned out
    weave = 0.00002 * (np.sin((x + y) * 2 * np.pi / 8) + np.sin((x - y) * 2 * np.pi / 8))
    across = (np.roll(height + weave, -1, 1) - np.roll(height + weave, 1, 1)) / (2 * _TEXEL[0])
    down = (np.roll(height + weave, -1, 0) - np.roll(height + weave, 1, 0)) / (2 * _TEXEL[1])
    normal = unit(np.stack([-across, down, np.ones_like(height)], -1)) * 127.5 + 127.5
    hollow = np.clip(gaussian_filter(height, (9, 17), mode=("nearest", "wrap")) - height, 0, None)
    shade = 1 - np.clip(hollow / 0.0045, 0, 1) * 0.5
    tint = np.stack([shade, shade**1.06, shade**1.12], -1)
    return normal, tint * 255


def sleeve_uv(body: Body, mesh: Mesh) -> tuple[Mesh, Array]:
    """Texture coordinates of sleeves; vertices on the seam at the back of the arm are doubled. Sets A["seam"]."""
    u = around_arm(body, mesh.P) / (2 * np.pi) + 0.5
    v = np.clip(mesh.A["along"], 0.0, 2.0) / 2 * _SLEEVE_V
    F, across = mesh.F, np.ptp(u[mesh.F], axis=1) > 0.5
    low = np.unique(F[across][u[F[across]] < 0.5])
    twin = np.full(len(u), -1)
    twin[low] = len(u) + np.arange(len(low))
    moved: Ints = F.copy()
    moved[across] = np.where(u[F[across]] < 0.5, twin[F[across]], F[across])
    everything = np.concatenate([np.arange(len(u)), low])
    out = Mesh(mesh.P[everything], mesh.W[everything], moved, **{k: a[everything] for k, a in mesh.A.items()})
    out.A["source"] = everything
    return out, np.stack([np.concatenate([u, u[low] + 1]), v[everything]], 1)
