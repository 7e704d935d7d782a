"""Small numerical helpers that every part of the figure uses."""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import map_coordinates

Array: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]


def vec(*values: float) -> Array:
    """A vector of floats."""
    return np.array(values, float)


def smoothstep(low: float, high: float, x: ArrayLike) -> Array:
    """0 below `low`, 1 above `high`, smooth between; works backwards too when low > high."""
    t = np.clip((np.asarray(x, float) - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def bell(x: ArrayLike, centre: float, width: float) -> Array:
    """A Gaussian bump of height 1."""
    return np.exp(-(((np.asarray(x, float) - centre) / width) ** 2))


def unit(v: ArrayLike) -> Array:
    """Vectors of length one along the last axis."""
    a = np.asarray(v, float)
    return a / np.maximum(np.linalg.norm(a, axis=-1, keepdims=True), 1e-12)


def bezier(controls: Array, count: int) -> Array:
    """`count` points of a cubic Bezier curve through four control points."""
    t = np.linspace(0, 1, count)[:, None]
    a, b, c, d = controls
    return (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t * t * (1 - t) * c + t**3 * d


class Noise:
    """Periodic value noise in 3D, 0 to 1."""

    def __init__(self, seed: int = 7, size: int = 32) -> None:
        self._grid = np.random.RandomState(seed).rand(size, size, size)
        self._size = size

    def __call__(self, points: Array, frequency: float, octaves: int = 1) -> Array:
        total, norm, amplitude = np.zeros(points.shape[:-1]), 0.0, 1.0
        for k in range(octaves):
            where = ((points * frequency * 2**k) % self._size).reshape(-1, 3).T
            layer = map_coordinates(self._grid, where, order=1, mode="grid-wrap")
            total = total + amplitude * layer.reshape(points.shape[:-1])
            norm, amplitude = norm + amplitude, amplitude / 2
        return total / norm
