"""The head as a function of direction: where the skin is, and the curves that hair follows over it."""

import numpy as np
import trimesh
from scipy.ndimage import distance_transform_edt, gaussian_filter, map_coordinates

from figure.arrays import Array
from figure.body import Body
from figure.hairline import above_hairline
from figure.mesh import triangles

_ROWS, _COLUMNS = 72, 144


def direction(azimuth: float | Array, elevation: float | Array) -> Array:
    """Unit vectors; degrees from the nose towards the figure's left, and upwards."""
    a, e = np.radians(azimuth), np.radians(elevation)
    return np.stack([np.sin(a) * np.cos(e), np.sin(e) + 0 * a, np.cos(a) * np.cos(e)], -1)


class Skull:
    """Distance from the centre of the head to the skin in any direction, with the ears smoothed away."""

    def __init__(self, body: Body, ears: Array) -> None:
        self.body, self.centre = body, body.head_centre
        Q = body.quads
        Q = Q[(ears[Q].max(1) < 0.25) & (body.P[Q][:, :, 1].mean(1) > body.neck_y)]
        surface = trimesh.Trimesh(body.P, triangles(Q), process=False)
        elevation, azimuth = np.meshgrid(
            np.linspace(-90, 90, _ROWS), np.linspace(-180, 180, _COLUMNS, endpoint=False), indexing="ij"
        )
        D = direction(azimuth.ravel(), elevation.ravel())
        origin = np.tile(self.centre, (len(D), 1))
        hit, ray, _ = surface.ray.intersects_location(origin, D, multiple_hits=False)
        radius = np.full(len(D), np.nan)
        radius[ray] = np.linalg.norm(hit - self.centre, axis=1)
        thrice = np.tile(radius.reshape(_ROWS, _COLUMNS), (1, 3))  # so that nothing stops at the back of the head
        nearest = distance_transform_edt(np.isnan(thrice), return_distances=False, return_indices=True)
        self._grid = gaussian_filter(thrice[tuple(nearest)], 1.2)

    def radius(self, D: Array) -> Array:
        elevation = np.degrees(np.arcsin(np.clip(D[..., 1], -1, 1)))
        azimuth = np.degrees(np.arctan2(D[..., 0], D[..., 2]))
        where = np.stack([(elevation + 90) / 180 * (_ROWS - 1), (azimuth + 180) / 360 * _COLUMNS + _COLUMNS])
        out = map_coordinates(self._grid, where.reshape(2, -1), order=1, mode="nearest")
        return np.asarray(out.reshape(D.shape[:-1]))

    def point(self, D: Array, lift: float | Array = 0.0) -> Array:
        """The skin in these directions, or `lift` metres above it."""
        return self.centre + D * (self.radius(D) + lift)[..., None]

    def hairline(self, azimuth: float) -> float:
        """Elevation of the hairline in degrees."""
        elevation = np.linspace(-35, 60, 191)
        haired = above_hairline(self.body, self.point(direction(np.full(len(elevation), azimuth), elevation))) > 0
        return float(elevation[np.argmax(haired)])
