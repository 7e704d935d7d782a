"""A texture that is painted in metres: every texel knows where on the rest pose it lies."""

import numpy as np
from scipy.ndimage import gaussian_filter
from scipy.spatial import cKDTree

from figure.arrays import Array, Noise, vec
from figure.body import Body
from figure.hairline import above_hairline
from figure.mesh import Mesh
from figure.raster import bake, dilate
from figure.source import Source

SIZE = 1024


class Canvas:
    """The skin's colour, painted by adding tints; and the masks that say what is where."""

    def __init__(self, source: Source, body: Body, mesh: Mesh) -> None:
        self._source, self.body, self.person = source, body, body.person
        baked, self.mask = bake(np.concatenate([mesh.P, mesh.A["uv0"]], 1), mesh.A["uv"], mesh.F, SIZE)
        self.pos, self._uv0 = baked[..., :3], baked[..., 3:5]
        self.hand = np.abs(self.pos[..., 0]) > 0.3
        self.head = ~self.hand & self.mask
        self._texels = np.argwhere(self.head)
        self._tree = cKDTree(self.pos[self.head])
        self.noise, self.rand = Noise(7), np.random.RandomState(5)
        self.lips = gaussian_filter(self.painted("lips"), 1.6)
        self.inside = np.clip(self.painted("inside-mouth"), 0, 1) * self.head
        self.ears, self.lids = self.painted("ears"), self.painted("eyelids")
        self.nails = np.clip(self.painted("fingernails") * 1.4, 0, 1)
        self.above_hairline = above_hairline(body, self.pos)
        self.colour = np.ones((SIZE, SIZE, 3)) * np.array(self.person.skin, float)
        self.grain = [
            self.noise(self.pos + k * 3.1, f, octaves) - 0.5
            for k, (f, octaves) in enumerate(((38, 3), (170, 2), (800, 2)))
        ]

    def painted(self, name: str) -> Array:
        """A mask that comes with the base mesh, brought into this layout."""
        image = self._source.mask(name)
        s = image.shape[0]
        rows, columns = ((1 - self._uv0[..., 1]) * s).astype(int), (self._uv0[..., 0] * s).astype(int)
        return image[np.clip(rows, 0, s - 1), np.clip(columns, 0, s - 1)]

    def blob(self, x: float, y: float, z: float, radii: tuple[float, float, float]) -> Array:
        """A soft spot. x from the middle, y from the eyes, z from the tip of the nose."""
        centre = vec(x, self.body.eye_y + y, self.body.nose_tip[2] + z)
        return np.exp(-(((self.pos - centre) / np.array(radii)) ** 2).sum(-1))

    def both(self, x: float, y: float, z: float, radii: tuple[float, float, float]) -> Array:
        """The same spot on both sides of the face."""
        return np.maximum(self.blob(x, y, z, radii), self.blob(-x, y, z, radii))

    def tint(self, colour: tuple[float, ...] | Array, amount: Array) -> None:
        """Lets a colour (sRGB) take over by a share per texel."""
        self.colour = self.colour * (1 - amount[..., None]) + np.array(colour, float) * amount[..., None]

    def distance_to(self, points: Array) -> Array:
        """Metres from each texel of the head to the nearest point; 1 elsewhere."""
        d = np.full((SIZE, SIZE), 1.0)
        d[self.head] = cKDTree(points).query(self.pos[self.head])[0]
        return d

    def strands(self, samples: Array, alpha: Array, blur: float = 0.55) -> Array:
        """The picture of points dropped on the nearest texels of the head."""
        distance, i = self._tree.query(samples)
        image, near = np.zeros((SIZE, SIZE)), distance < 0.004
        np.maximum.at(image, tuple(self._texels[i[near]].T), alpha[near])
        return np.clip(gaussian_filter(image, blur) * 1.9, 0, 1)

    def finished(self) -> Array:
        """The colours, with the gaps between islands filled."""
        image = dilate(np.clip(self.colour, 0, 255), self.mask)
        grown = dilate(self.mask.astype(float), self.mask) > 0
        image[~grown] = self.person.skin
        return image
