"""From vertices to texels, and from heights to normals."""

import numpy as np

from figure.arrays import Array, Ints, Mask, unit


def bake(values: Array, uv: Array, faces: Ints, size: int) -> tuple[Array, Mask]:
    """Draws values per vertex into texture space: an image (size, size, k) and which texels are covered."""
    out, mask = np.zeros((size, size, values.shape[1])), np.zeros((size, size), bool)
    p = uv * size
    p[:, 1] = size - p[:, 1]
    for face in faces:
        a, b, c = p[face]
        low = np.maximum(np.floor(np.minimum(np.minimum(a, b), c) - 1), 0).astype(int)
        high = np.minimum(np.ceil(np.maximum(np.maximum(a, b), c) + 1), size - 1).astype(int)
        det = (b[1] - c[1]) * (a[0] - c[0]) + (c[0] - b[0]) * (a[1] - c[1])
        if abs(det) < 1e-9 or high[0] - low[0] > size * 0.3:
            continue
        X, Y = np.meshgrid(np.arange(low[0], high[0] + 1) + 0.5, np.arange(low[1], high[1] + 1) + 0.5)
        l0 = ((b[1] - c[1]) * (X - c[0]) + (c[0] - b[0]) * (Y - c[1])) / det
        l1 = ((c[1] - a[1]) * (X - c[0]) + (a[0] - c[0]) * (Y - c[1])) / det
        shares = np.stack([l0, l1, 1 - l0 - l1], -1)
        margin = 1.2 / np.sqrt(abs(det) + 1e-9)  # a little over the edge, so that no seam stays empty
        hit = (shares > -margin).all(-1)
        rows, columns = np.nonzero(hit)
        rows, columns = rows + low[1], columns + low[0]
        write = (shares[hit] >= 0).all(-1) | ~mask[rows, columns]
        out[rows[write], columns[write]] = (shares[hit] @ values[face])[write]
        mask[rows[write], columns[write]] = True
    return out, mask


def normal_from_height(height: Array, strength: float) -> Array:
    """Tangent-space normal map (0 to 255) of a height image."""
    across = (np.roll(height, -1, 1) - np.roll(height, 1, 1)) * strength
    down = (np.roll(height, -1, 0) - np.roll(height, 1, 0)) * strength
    return unit(np.stack([-across, down, np.ones_like(height)], -1)) * 127.5 + 127.5


def dilate(image: Array, filled: Mask, steps: int = 14) -> Array:
    """Grows the filled texels outwards, so that small mipmaps do not take in the background."""
    image, filled = image.copy(), filled.copy()
    for _ in range(steps):
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            new = np.roll(filled, (dy, dx), (0, 1)) & ~filled
            image[new] = np.roll(image, (dy, dx), (0, 1))[new]
            filled |= new
    return image
