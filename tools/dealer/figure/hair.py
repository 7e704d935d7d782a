"""Hair is a thin cap that follows the skull, covered by locks: textured ribbons along curves over the head."""

from collections.abc import Callable, Sequence

import numpy as np

from figure.arrays import Array, Noise, bezier, smoothstep, unit
from figure.body import Body
from figure.cutting import clip
from figure.hairline import above_hairline
from figure.mesh import Mesh, merge, vertex_normals
from figure.part import Part
from figure.shapes import grid_faces
from figure.skull import Skull

#: Locks side by side on the texture: dense ones first, then ones with a long thin root, then single strands.
DENSE, SOFT, FINE = (0, 1), (2, 3), (4, 5)
VARIANTS = 6

#: Metres of hair above the skin, for points of the skin.
Volume = Callable[[Array], Array]


class Hair:
    """Gathers the locks of one head. `volume` gives the shape of the whole; locks lie on it."""

    def __init__(self, body: Body, skull: Skull, volume: Volume) -> None:
        self.body, self.skull, self.volume = body, skull, volume
        self.rand = np.random.RandomState(17)
        self._locks: list[Mesh] = []
        self._wisps: list[Mesh] = []

    def lock(
        self,
        controls: Sequence[Array],
        width: float,
        lift: tuple[float, float, float],
        *,
        segments: int = 7,
        taper: float = 0.5,
        kind: tuple[int, int] = SOFT,
        jitter: float = 0.02,
        roll: float = 0.22,
        shade: tuple[float, float] = (0.62, 1.18),
    ) -> None:
        """A ribbon over four directions. `lift` is metres above the volume at root, middle and tip."""
        self._locks.append(self._ribbon(controls, width, lift, segments, taper, kind, jitter, roll, shade))

    def wisp(
        self, controls: Sequence[Array], width: float, lift: tuple[float, float, float], segments: int = 5
    ) -> None:
        """A few single hairs, drawn with soft edges."""
        self._wisps.append(self._ribbon(controls, width, lift, segments, 0.3, FINE, 0.02, 0.1, (0.7, 1.1)))

    def _ribbon(
        self,
        controls: Sequence[Array],
        width: float,
        lift: tuple[float, float, float],
        segments: int,
        taper: float,
        kind: tuple[int, int],
        jitter: float,
        roll: float,
        shade: tuple[float, float],
    ) -> Mesh:
        rand, n = self.rand, segments + 1
        loose = [unit(c + jitter * k * rand.randn(3)) for c, k in zip(controls, (0.35, 1, 1, 1.2), strict=True)]
        D = unit(bezier(np.array(loose), n))
        t = np.linspace(0, 1, n)
        above = lift[0] * (1 - t) ** 2 + 2 * lift[1] * t * (1 - t) + lift[2] * t**2
        P = self.skull.point(D, self.volume(self.skull.point(D)) + above)
        tangent = unit(np.gradient(P, axis=0))
        side = unit(unit(np.cross(tangent, D)) + roll * rand.randn() * D)
        half = width * 0.5 * (1 - taper * t**2) * (0.35 + 0.65 * smoothstep(0, 0.30, t))
        u = (rand.choice(kind) + np.array([0.0, 1.0])) / VARIANTS
        facing = np.cross(side, tangent)
        facing *= np.sign((facing * D).sum(1, keepdims=True))
        normals = unit(0.7 * D + 0.3 * facing)
        i = np.arange(segments)
        faces = np.concatenate([np.stack([i, i + n, i + n + 1], 1), np.stack([i, i + n + 1, i + 1], 1)])
        return Mesh(
            np.concatenate([P - side * half[:, None], P + side * half[:, None]]),
            self.body.rigid("head", 2 * n),
            faces,
            uv=np.concatenate([np.stack([np.full(n, k), 0.01 + 0.98 * t], 1) for k in u]),
            N=np.concatenate([unit(normals - 0.35 * side), unit(normals + 0.35 * side)]),
            shade=np.full(2 * n, rand.uniform(*shade)),
        )

    def cap(self, pole: Array, repeats: int, margin: float, gap: Callable[[Array], Array] | None = None) -> Part:
        """The closed surface under the locks, above the hairline; its strands run to `pole`. Bare where `gap` < 0."""
        ring, arc = 96, 46
        a, p = np.linspace(0, 2 * np.pi, ring + 1), np.linspace(0.04, 2.75, arc)
        x = unit(np.cross([0, 1.0, 0], pole))
        y = unit(np.cross(pole, x))
        turn, tilt = (grid.ravel()[:, None] for grid in np.meshgrid(a, p, indexing="ij"))
        D = np.cos(tilt) * pole + np.sin(tilt) * (np.cos(turn) * x + np.sin(turn) * y)
        skin = self.skull.point(D)
        f = above_hairline(self.body, skin)
        P = self.skull.point(
            D, np.maximum(self.volume(skin) - 0.0018, 0.0004)
        )  # thinned out, it must stay under the locks
        F = grid_faces(ring + 1, arc)
        outward = vertex_normals(P, F)
        outward *= np.sign((outward * D).sum(1, keepdims=True))
        uv = np.stack([turn[:, 0] / (2 * np.pi) * repeats, np.clip((f + margin) / 0.20, 0.004, 0.98)], 1)
        mesh = Mesh(P, self.body.rigid("head", len(P)), F, f=f + margin, N=unit(0.5 * D + 0.5 * outward), uv=uv)
        if gap is not None:
            mesh.A["gap"] = gap(skin)
            mesh = clip(mesh, mesh.A["gap"])
        mesh = clip(mesh, mesh.A["f"]).outward(self.body.head_centre)
        return Part("hair", mesh, 0, uv=mesh.A["uv"], normals=mesh.A["N"], occlusion=0.55)

    def locks(self) -> Part:
        """All locks so far."""
        mesh = merge(self._locks)
        return Part("locks", mesh, 0, uv=mesh.A["uv"], normals=mesh.A["N"], occlusion=0.5)

    def wisps(self) -> Mesh | None:
        """All wisps so far."""
        return merge(self._wisps) if self._wisps else None


def rising(body: Body, P: Array, over: float = 0.045) -> Array:
    """0 at the hairline, 1 `over` metres behind it."""
    return smoothstep(-0.003, over, above_hairline(body, P))


def clumps(noise: Noise, P: Array) -> Array:
    """Uneven thickness, about -1 to 1."""
    return 2 * (noise(P, 55, 2) - 0.5)
