"""The three textures of the skin: colour, roughness, and normals with pores, lip lines and creases."""

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter

from figure.arrays import Array
from figure.body import Body
from figure.canvas import Canvas
from figure.complexion import knuckles, paint_complexion, paint_hands
from figure.features import paint_brows, paint_eyes, paint_lips, paint_scalp
from figure.mesh import Mesh
from figure.raster import normal_from_height
from figure.source import Source


@dataclass(frozen=True)
class SkinTextures:
    """Images of 0 to 255; `surface` is occlusion (white), roughness, metal (black)."""

    colour: Array
    surface: Array
    normal: Array
    #: Where no shadow may be baked, 0 to 1: lids would keep the crease of the open eye when they close.
    unshaded: Array


def paint_skin(source: Source, body: Body, mesh: Mesh) -> SkinTextures:
    canvas = Canvas(source, body, mesh)
    bends = knuckles(canvas)
    paint_complexion(canvas)
    paint_eyes(canvas)
    paint_lips(canvas)
    paint_hands(canvas, bends)
    paint_brows(canvas)
    scalp = paint_scalp(canvas)
    lids = np.clip(gaussian_filter(canvas.lids, 5) * 2.0, 0, 1) * canvas.head
    return SkinTextures(canvas.finished(), _surface(canvas, scalp), _normals(canvas, bends, scalp), lids)


def _surface(canvas: Canvas, scalp: Array) -> Array:
    _, middle, fine = canvas.grain
    nose = canvas.body.nose_tip[1] - canvas.body.eye_y
    rough = 0.60 + 0.10 * (middle + fine)
    rough = (
        rough
        - 0.10 * canvas.blob(0, nose, 0, (0.016, 0.02, 0.03))
        - 0.07 * canvas.blob(0, 0.03, -0.03, (0.04, 0.02, 0.05))
    )
    rough -= 0.08 * canvas.both(canvas.body.eye_x * 1.3, -0.025, -0.035, (0.018, 0.010, 0.03))
    rough = rough * (1 - canvas.lips) + 0.40 * canvas.lips
    rough = np.where(canvas.hand, 0.62 + 0.08 * middle, rough) * (1 - canvas.nails * 0.45)
    rough = np.where(canvas.inside > 0.4, 0.95, rough)
    rough = rough * (1 - scalp) + 0.9 * scalp
    rough[~canvas.mask] = 0.6
    return np.stack([np.full_like(rough, 255), rough * 255, 0 * rough], -1)


def _normals(canvas: Canvas, bends: Array, scalp: Array) -> Array:
    _, middle, fine = canvas.grain
    bare = canvas.head * (1 - scalp)
    pores = -np.clip(canvas.noise(canvas.pos + 5, 1100, 1) - 0.52, 0, 1) * 0.07 * bare
    lip_lines = np.sin(canvas.pos[..., 0] * 5200 + 9 * middle) * 0.030 * canvas.lips
    creases = -np.cos((canvas.pos @ np.array([0.3, 1.2, 0.9])) * 5200) * 0.05 * bends + fine * 0.10 * canvas.hand
    nails = gaussian_filter(canvas.nails, 1.0) * 0.30 * canvas.hand
    height = gaussian_filter(pores + lip_lines + creases + middle * 0.006 + fine * 0.006 * bare, 0.6) + nails
    height[~canvas.mask] = 0
    edge = gaussian_filter(canvas.mask.astype(float), 2) > 0.98
    return normal_from_height(height * edge, 6.0)
