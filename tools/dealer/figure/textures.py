"""Small painted textures: cloth, hair, eye, lashes. All are arrays of 0 to 255."""

import numpy as np
from scipy.ndimage import gaussian_filter, gaussian_filter1d

from figure.arrays import Array, smoothstep
from figure.face import IRIS
from figure.hair import DENSE, FINE, VARIANTS
from figure.raster import normal_from_height


def weave_normal(size: int = 256) -> Array:
    """Fine twill, tiling."""
    y, x = np.mgrid[0:size, 0:size]
    twill = np.sin((x + y) * 2 * np.pi / 8) * 0.5 + np.sin((x - y) * 2 * np.pi / 64) * 0.15
    return normal_from_height(twill + np.random.RandomState(3).rand(size, size) * 0.5, 0.35)


def _mixed(dark: Array, light: Array, share: Array) -> Array:
    return np.clip(dark + (light - dark) * share[..., None], 0, 255)


def cap_textures(dark: Array, light: Array, size: int = 512) -> tuple[Array, Array]:
    """Tiling strands (rgba; v = 0 is the hairline, frayed there) and their normals."""
    rand = np.random.RandomState(11)

    def lanes(sigma: float) -> Array:
        a = gaussian_filter1d(rand.rand(size), sigma, mode="wrap")
        return (a - a.min()) / np.ptp(a)

    coarse, middle, fine = lanes(9), lanes(3), lanes(0.8)
    wobble = gaussian_filter1d(rand.randn(size), 40, mode="wrap")
    wobble *= 7 / np.abs(wobble).max()
    profile = 0.45 * fine + 0.30 * middle + 0.25 * coarse
    height = np.stack([np.roll(profile, round(float(w))) for w in wobble])
    height += (gaussian_filter(rand.rand(size, size), (18, 0.6), mode="wrap") - 0.5) * 0.9
    height = (height - height.min()) / np.ptp(height)
    colour = _mixed(dark * 0.42, light, smoothstep(0.10, 1.05, height))
    fray = 0.012 + 0.06 * gaussian_filter1d(rand.rand(size), 0.8, mode="wrap") ** 1.6
    alpha = smoothstep(0, 1, (np.arange(size)[:, None] / size - fray * 0.3) / fray)
    return np.concatenate([colour, alpha[..., None] * 255], -1), normal_from_height(height, 2.2)


def lock_texture(dark: Array, light: Array, lane: int = 128, height: int = 320) -> Array:
    """Locks side by side, root at v = 0; clear between the strands."""
    rand, width = np.random.RandomState(23), lane * VARIANTS
    alpha, tone = np.zeros((height, width)), np.full((height, width), 0.30)
    v = np.arange(height) / height
    for k in range(VARIANTS):
        fine = k in FINE
        for _ in range(7 if fine else 52):
            centre = np.clip(rand.normal(0, 0.50 if fine else 0.36), -0.92, 0.92)
            start = rand.uniform(0, 0.02 if k in DENSE or fine else 0.17) + 0.012 * abs(centre)
            end = 1 - rand.uniform(0, 0.24) - 0.16 * abs(centre)
            bend = rand.uniform(0.02, 0.16 if fine else 0.06)
            x = lane * (k + 0.5 + 0.46 * (centre * (1 - 0.45 * v**2) + bend * np.sin(v * 5 + rand.uniform(0, 6))))
            thick = rand.uniform(0.8, 1.3) if fine else rand.uniform(0.9, 2.5)
            w = thick * np.sqrt(np.clip(smoothstep(start, start + 0.03, v) * smoothstep(end, end - 0.3, v), 0, 1))
            _stroke(alpha, tone, x, w, float(rand.beta(1.6, 2.4)) * 1.25, (k * lane, (k + 1) * lane - 1))
    tone *= (0.72 + 0.28 * smoothstep(0, 0.25, v))[:, None]  # darker at the root
    colour = _mixed(dark * 0.48, light, np.clip(tone, 0, 1.2))
    return np.concatenate([colour, alpha[..., None] * 255], -1)


def _stroke(alpha: Array, tone: Array, x: Array, w: Array, shade: float, between: tuple[int, int]) -> None:
    for row in np.flatnonzero(w >= 0.2):
        columns = np.arange(int(x[row] - 4), int(x[row] + 5))
        a = np.clip(w[row] - np.abs(columns - x[row]) + 0.5, 0, 1)
        columns = np.clip(columns, *between)
        tone[row, columns] = tone[row, columns] * (1 - a) + shade * a
        alpha[row, columns] = np.maximum(alpha[row, columns], a)


def eye_texture(iris: Array, size: int = 512) -> Array:
    """The eyeball from the front: white, dark limbus, fibres, pupil, and two painted catch lights."""
    y, x = np.mgrid[0:size, 0:size]
    x, y = (x + 0.5) / size * 2 - 1, (y + 0.5) / size * 2 - 1
    r, a = np.hypot(x, y), np.arctan2(y, x)
    rand = np.random.RandomState(2)

    def rays(sigma: float, n: int = 1440) -> Array:
        f = gaussian_filter1d(rand.rand(n), sigma, mode="wrap")
        return ((f - f.min()) / np.ptp(f))[((a + np.pi) / (2 * np.pi) * (n - 1)).astype(int)]

    t = r / IRIS
    glow = 0.66 + 0.85 * rays(2.2) * smoothstep(0.35, 0.8, t) + 0.35 * rays(14)
    glow *= 0.76 + 0.60 * smoothstep(0.45, 0.95, t) + 0.40 * np.exp(-(((t - 0.54) / 0.08) ** 2))
    glow *= 1 + 0.6 * smoothstep(-0.2, 1, y / IRIS)  # light pools opposite the catch light
    colour = iris * glow[..., None] * (1 - 0.80 * smoothstep(0.80, 1.0, t))[..., None]
    white = np.array([240, 234, 230.0]) - np.array([14, 36, 38.0]) * smoothstep(0.62, 1.0, r)[..., None]
    veins = smoothstep(0.62, 0.9, gaussian_filter(rand.rand(size, size), 3) * 12 - 5.5) * smoothstep(0.6, 0.95, r)
    white -= veins[..., None] * [6, 26, 26]
    edge = smoothstep(IRIS - 0.045, IRIS + 0.035, r)[..., None]
    colour = colour * (1 - edge) + white * edge
    pupil = smoothstep(0.185, 0.215, r)[..., None]
    colour = np.array([7, 5, 5.0]) * (1 - pupil) + colour * pupil
    for cx, cy, radius, strength in ((0.15, -0.21, 0.085, 0.97), (-0.19, 0.20, 0.055, 0.28)):
        spot = np.exp(-((np.hypot(x - cx, y - cy) / radius) ** 4)) * strength
        colour += (255 - colour) * spot[..., None]
    return colour


def lash_texture(size: int = 256) -> Array:
    """Curved, clustered lashes; v = 1 (the bottom row) is the root."""
    rand, alpha, columns = np.random.RandomState(4), np.zeros((size, size)), np.arange(size)
    for k in range(58):
        x0, bend = (k + rand.uniform(-0.3, 0.3)) * size / 58, rand.uniform(-7, 7) + 5 * np.sin(k * 2.1)
        length = rand.uniform(0.60, 1.0) * (0.72 + 0.28 * np.sin(k / 58 * np.pi))
        for v in np.linspace(0, length, int(size * length)):
            width = 2.0 * (1 - v / length) + 0.45 + 2.4 * max(0.0, 1 - v / 0.10)
            d = np.abs(columns - (x0 + bend * v * v))
            row = int((1 - v) * (size - 1))
            alpha[row] = np.maximum(alpha[row], np.clip(width - np.minimum(d, size - d) + 0.5, 0, 1))
    return np.concatenate([np.ones((size, size, 3)) * [22, 15, 13], alpha[..., None] * 255], -1)
