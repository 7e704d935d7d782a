"""Painted features: lids and lash line, lips, brows hair by hair, and the scalp with the first hairs at its edge."""

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter
from scipy.spatial import cKDTree

from figure.arrays import Array, smoothstep, unit
from figure.canvas import SIZE, Canvas
from figure.hairline import beside_parting, parting_width

#: The middle line of a brow from the nose outwards, metres from the centre of an eye at _BROW_EYE_X.
_BROW = {
    "female": [(-0.0168, 0.0180), (-0.006, 0.0201), (0.006, 0.0221), (0.0175, 0.0219), (0.0285, 0.0164)],
    "male": [(-0.0182, 0.0165), (-0.007, 0.0186), (0.006, 0.0203), (0.0185, 0.0203), (0.0285, 0.0155)],
}
_BROW_EYE_X = 0.0298


def paint_eyes(canvas: Canvas) -> None:
    """Shadow on the lids, and the dark line that the roots of the lashes make."""
    person = canvas.person
    skin = np.array(person.skin, float)
    lid = np.clip(gaussian_filter(canvas.lids, 1.5) * 1.2, 0, 1) * canvas.head
    if person.makeup:
        canvas.tint(skin * [0.78, 0.62, 0.60], 0.16 * person.makeup * lid)
    for side in "lr":
        for upper, width, strength in ((False, 0.0007, 0.34), (True, 0.0014, 0.96 if person.makeup else 0.66)):
            d = canvas.distance_to(canvas.body.lash_roots(side, upper))
            canvas.tint((44, 29, 24), strength * np.exp(-((d / width) ** 2)))
            canvas.tint(skin * [0.60, 0.48, 0.46], 0.22 * strength * np.exp(-((d / (width * 2.8)) ** 2)))


def paint_lips(canvas: Canvas) -> None:
    """Colour, a darker seam, a lighter middle."""
    lip = np.array(canvas.person.lip, float)
    seam = np.clip(gaussian_filter(canvas.inside, 2.5) * 1.3, 0, 1)
    canvas.tint(lip, canvas.person.lip_opacity * canvas.lips)
    canvas.tint(lip * 0.5, 0.72 * canvas.lips * seam)
    lower = canvas.lips * canvas.blob(0, -0.083, -0.012, (0.011, 0.005, 0.02))
    canvas.tint(np.minimum(lip * 1.22 + 8, 255), 0.30 * lower)
    canvas.tint((74, 26, 26), canvas.inside)


def paint_brows(canvas: Canvas) -> None:
    """Hair by hair; the two sides differ."""
    body, person, rand = canvas.body, canvas.person, canvas.rand
    scale = body.eye_x / _BROW_EYE_X
    curve = CubicSpline(np.linspace(0, 1, 5), np.array(_BROW[person.sex]) * scale)
    front = canvas.head & (canvas.pos[..., 2] > body.nose_tip[2] - 0.075)
    flat, texels = cKDTree(canvas.pos[front][:, :2]), np.argwhere(front)
    strokes, soft = np.zeros((SIZE, SIZE)), np.zeros((SIZE, SIZE))
    for mirror in (1, -1):
        eye = np.array([mirror * body.eye_x, body.eye_y])
        for _ in range(360):
            t, v = rand.rand() ** 0.85, rand.uniform(-1, 1)
            width = 0.0030 * person.brow_width * (1 - 0.74 * t**1.5) * smoothstep(-0.16, 0.30, t)
            along = unit(curve(min(t + 0.02, 1)) - curve(t - 0.001))
            up = np.array([-along[1], along[0]])
            way = unit(along + up * (0.95 * (1 - t) ** 1.4 - 0.40 * v * (0.35 + t)))
            q = np.linspace(-0.4, 0.6, 24)
            length = 0.0062 * scale * (1 - 0.35 * t) * rand.uniform(0.6, 1.1)
            xy = (curve(t) + up * v * width * 0.75 + way * length * q[:, None]) * [mirror, 1] + eye
            alpha = (1 - np.abs(q - 0.05) * 1.3) * rand.uniform(0.5, 1) * smoothstep(-0.06, 0.22, t)
            np.maximum.at(strokes, tuple(texels[flat.query(xy)[1]].T), alpha)
        core = curve(np.linspace(0.08, 0.97, 240)) * [mirror, 1] + eye
        distance, i = cKDTree(core).query(canvas.pos[front][:, :2])
        soft[front] = np.maximum(
            soft[front], np.exp(-((distance / (0.0026 * person.brow_width * (1 - 0.6 * (i / 240) ** 1.5))) ** 2))
        )
    canvas.tint(person.brow, 0.34 * gaussian_filter(soft, 1.0))
    canvas.tint(person.brow, 0.74 * np.clip(gaussian_filter(strokes, 0.6) * 1.6, 0, 1))


def paint_scalp(canvas: Canvas) -> Array:
    """Dark skin under the hair, with an edge broken up by single hairs. Answers where it is, 0 to 1."""
    person, body = canvas.person, canvas.body
    hair = np.array(person.hair, float)
    edge = (canvas.noise(canvas.pos * [1, 0.4, 1], 240, 2) - 0.5) * 0.008
    region = canvas.head & (canvas.pos[..., 1] > body.eye_y - 0.11) & (canvas.ears < 0.3)
    scalp = smoothstep(-0.002, 0.011, canvas.above_hairline + edge) * region
    if person.hair_style == "bun":
        beside = beside_parting(body, canvas.pos) - parting_width(body, canvas.pos)
        scalp *= 0.34 + 0.66 * smoothstep(0.0006, 0.0034, beside + edge * 0.25)
    canvas.tint(hair * 0.82 + np.array(person.skin, float) * 0.10, scalp * 0.94)
    fade = smoothstep(-0.016, 0.003, canvas.above_hairline + edge) * region * (1 - scalp)
    canvas.tint(hair * 0.7 + np.array(person.skin, float) * 0.3, 0.26 * fade)
    canvas.tint(hair * 1.1, 0.7 * _first_hairs(canvas, region) * region)
    return scalp


def _first_hairs(canvas: Canvas, region: Array) -> Array:
    """Fine hairs rooted around the hairline, combed up and back."""
    body, rand = canvas.body, canvas.rand
    near = region & (np.abs(canvas.above_hairline - 0.001) < 0.0055)
    roots = canvas.pos[near]
    roots = roots[rand.permutation(len(roots))[:3200]]
    q = roots - body.head_centre
    back = unit(np.stack([q[:, 0] * 0.6, 0.045 + 0 * q[:, 0], -0.035 - np.abs(q[:, 0]) * 1.2], 1))
    outward = unit(q)
    back = unit(back - outward * (back * outward).sum(1, keepdims=True) + 0.25 * rand.randn(len(roots), 3))
    t = np.linspace(0, 1, 16)
    length = rand.uniform(0.003, 0.010, len(roots))
    samples = roots[:, None] + back[:, None] * (t[None, :, None] * length[:, None, None])
    alpha = np.tile(0.55 * (1 - 0.3 * t), (len(roots), 1)) * rand.uniform(0.3, 1, (len(roots), 1))
    return canvas.strands(samples.reshape(-1, 3), alpha.ravel())
