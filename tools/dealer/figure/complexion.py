"""The colours of bare skin: blood near the surface, shade in the hollows, hands, beard."""

import numpy as np
from scipy.ndimage import gaussian_filter

from figure.arrays import Array
from figure.body import FINGERS
from figure.canvas import SIZE, Canvas


def paint_complexion(canvas: Canvas) -> None:
    """Regional colour of the face; numbers are metres on a face, see Canvas.blob."""
    ex, both, blob, tint = canvas.body.eye_x, canvas.both, canvas.blob, canvas.tint
    person = canvas.person
    low, middle, fine = (g[..., None] for g in canvas.grain)
    canvas.colour += low * [9, 20, 20] + middle * [12, 21, 20] + fine * [12, 17, 16]
    warm = np.array(person.skin, float) * [0.985, 0.74, 0.70]
    deep = np.array(person.skin, float) * [0.83, 0.70, 0.66]
    light = np.clip(np.array(person.skin, float) * [1.06, 1.12, 1.14], 0, 255)
    tint(warm, person.blush * both(ex * 1.42, -0.036, -0.040, (0.026, 0.019, 0.04)))
    tint(warm, 0.34 * blob(0, canvas.body.nose_tip[1] - canvas.body.eye_y, 0, (0.013, 0.011, 0.018)))
    tint(warm, 0.16 * blob(0, -0.105, -0.015, (0.016, 0.012, 0.03)))
    tint(warm, 0.42 * canvas.ears)
    tint(light, 0.22 * blob(0, 0.040, -0.03, (0.035, 0.020, 0.05)))
    tint(light, 0.25 * blob(0, -0.012, 0.0, (0.0045, 0.022, 0.03)))  # the bridge of the nose
    tint(light, 0.20 * both(ex * 1.35, -0.0215, -0.035, (0.016, 0.007, 0.03)))  # on the cheekbone
    tint(deep, 0.16 * both(ex, -0.0165, -0.03, (0.017, 0.005, 0.03)))  # under the eyes
    tint(deep, 0.12 * both(ex, 0.007, -0.03, (0.022, 0.009, 0.03)))  # sockets
    tint(deep, 0.14 * both(0.0105, 0.002, -0.03, (0.006, 0.014, 0.03)))  # beside the bridge
    tint(deep, 0.20 * both(0.060, -0.062, -0.075, (0.014, 0.026, 0.04)))  # under the cheekbone
    tint(deep, 0.16 * both(0.066, 0.020, -0.070, (0.012, 0.030, 0.04)))  # temples
    tint(
        deep * 0.8,
        0.26 * both(0.0085, canvas.body.nose_tip[1] - 0.010 - canvas.body.eye_y, -0.012, (0.005, 0.0035, 0.01)),
    )
    if person.stubble:
        _paint_beard(canvas)


def _paint_beard(canvas: Canvas) -> None:
    jaw = canvas.blob(0, -0.118, -0.03, (0.050, 0.030, 0.07)) + canvas.both(0.048, -0.10, -0.075, (0.026, 0.033, 0.05))
    lip = 0.8 * canvas.blob(0, -0.074, -0.01, (0.026, 0.006, 0.03))
    grain = 0.4 + 1.2 * canvas.noise(canvas.pos + 9, 1500, 1)
    shade = np.array(canvas.person.skin, float) * [0.52, 0.56, 0.60]
    canvas.tint(shade, canvas.person.stubble * np.clip(jaw + lip, 0, 1) * grain * (1 - canvas.lips) * canvas.head)


def knuckles(canvas: Canvas) -> Array:
    """Where fingers bend, 0 to 1."""
    out = np.zeros((SIZE, SIZE))
    for bone, p in canvas.body.joint.items():
        if bone.endswith("_l") and bone.startswith(FINGERS):
            for side in (1, -1):
                out = np.maximum(out, np.exp(-((canvas.pos * [side, 1, 1] - p) ** 2).sum(-1) / 0.0095**2))
    return out * canvas.hand


def paint_hands(canvas: Canvas, bends: Array) -> None:
    """Redder knuckles and tips, nails with their fold."""
    skin = np.array(canvas.person.skin, float)
    canvas.tint(skin * [0.96, 0.80, 0.77], 0.34 * bends)
    canvas.tint(skin * [1.0, 0.86, 0.84], 0.18 * canvas.noise(canvas.pos + 4, 70, 2) * canvas.hand)
    polish = (214, 138, 128) if canvas.body.female else tuple(np.clip(skin * [1.06, 1.0, 1.0], 0, 255))
    fold = np.clip(gaussian_filter(canvas.nails, 2.2) * 1.6 - canvas.nails, 0, 1)
    canvas.tint(skin * [0.8, 0.62, 0.6], 0.5 * fold * canvas.hand)
    canvas.tint(polish, 0.70 * canvas.nails * canvas.hand)
