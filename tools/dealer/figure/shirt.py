"""The shirt: sleeves, pleated front with placket and buttons, cuffs with links, collar."""

import numpy as np

from figure.arrays import Array, bell, smoothstep, unit
from figure.cloth import Cloth
from figure.collar import TILT, Collar
from figure.cutting import Field, band, clip, patch
from figure.mesh import Mesh, merge
from figure.part import Part
from figure.shapes import button, grid_faces
from figure.sleeves import FLAT_UV, around_arm, folds, sleeve_uv

_BUTTONS = (0.855, 0.735, 0.615, 0.495)
#: Where the sleeve ends inside the cuff.
_SLEEVE_END = 1.955


def _lift(cloth: Cloth) -> Array:
    """Metres of the shirt above the tights: some ease, the folds, tight under the cuff."""
    sleeve = smoothstep(0.3, 0.8, cloth.arm)
    along = cloth.along
    lift = 0.0042 + sleeve * (0.0004 + 0.0030 * bell(along, 1.62, 0.20) + 0.0022 * bell(along, 0.45, 0.4))
    lift -= sleeve * 0.0062 * smoothstep(1.72, 1.84, along)
    return lift + sleeve * 0.8 * folds(along, around_arm(cloth.body, cloth.P))


def _cuffs(cloth: Cloth, shirt: Mesh) -> tuple[list[Mesh], list[Mesh]]:
    """Cuffs, and the links that close them."""
    bands, links = [], []
    for side, sign in (("l", 1), ("r", -1)):
        elbow, wrist = cloth.body.joint[f"lowerarm_{side}"], cloth.body.joint[f"hand_{side}"]
        axis = unit(wrist - elbow)
        ring = shirt.P[(shirt.P[:, 0] * sign > 0.25) & (shirt.A["along"] > 1.84)]
        centre, up = ring.mean(0), unit(np.cross(axis, [0, 0, 1.0]))
        right = np.cross(up, axis)
        ru, rr = (float(np.percentile(np.abs((ring - centre) @ d), 97)) + 0.0032 for d in (up, right))
        profile = [
            (-0.0385, 0.86),
            (-0.037, 1.0),
            (-0.0365, 1.03),
            (0.016, 1.03),
            (0.0185, 1.01),
            (0.0175, 0.93),
            (0, 0.90),
        ]
        turns = np.linspace(0, 2 * np.pi, 28, endpoint=False)
        P = np.array(
            [
                centre + axis * (h + 0.004) + up * np.cos(p) * ru * k + right * np.sin(p) * rr * k
                for p in turns
                for h, k in profile
            ]
        )
        weights = cloth.body.rigid(f"lowerarm_twist_{side}", len(P))
        mesh = Mesh(P, weights, grid_faces(28, len(profile), True)).outward_from_axis(centre, axis)
        bands.append(mesh)
        outer = unit(up * 0.8 - right * sign * 0.6)
        links.append(button(centre + axis * 0.006 + outer * (ru + rr) * 0.515, outer, weights[0], 0.0052))
    return bands, links


def _open_front(m: Mesh) -> Array:
    return 0.001 - m.A["field"]


def _front(cloth: Cloth, lift: Array) -> list[Mesh]:
    """The placket and three pleats on each side of it, where the waistcoat does not hide them."""
    C, x = cloth, np.abs(cloth.x[cloth.F])
    seen = (x.max(1) < 0.085) & (C.z[C.F].min(1) > 0) & (C.t[C.F].min(1) > 0.3)
    bib = C.mesh(lift, seen, field=C.vest_field)
    between: list[Field] = [lambda m: 0.962 - m.A["t"], lambda m: m.A["t"] - 0.345, _open_front]
    pieces = [patch(bib, [*band(0, 0.0145, lambda m: m.A["x"]), *between], 0.0015)]
    for k in range(3):
        for side in (1, -1):
            strip = band(side * (0.0215 + 0.0105 * k), 0.0036, lambda m: m.A["x"])
            pieces.append(patch(bib, [*strip, lambda m: 0.925 - m.A["t"], _open_front, *between], 0.0014))
    return [p for p in pieces if p is not None]


def _buttons(cloth: Cloth, lift: Array) -> Mesh:
    made = []
    for t in _BUTTONS:
        i = cloth.front_vertex(t)
        n = unit(cloth.N[i] * [0, 1, 1])
        at = cloth.P[i] * [0, 1, 1] + n * (lift[i] + 0.0010)
        made.append(button(at, n, cloth.W[i], 0.0046, 0.0019, 12))
    return merge(made)


def shirt_parts(cloth: Cloth, collar: Collar, materials: dict[str, int]) -> list[Part]:
    lift, C = _lift(cloth), cloth
    near = (C.vest_field[C.F].min(1) < 0.020) & ((C.t[C.F].mean(1) > 0.348) | (C.arm[C.F].min(1) > 0.5))
    shirt = C.mesh(lift, near, along=np.where(C.arm > 0.5, C.along, 0))
    height = (shirt.P - collar.origin) @ TILT
    at_neck = np.hypot(shirt.P[:, 0], shirt.P[:, 2] - collar.origin[2]) < 0.13 * C.width
    shirt = clip(shirt, np.where(at_neck, 0.004 - height, 0.05))
    shirt = clip(shirt, _SLEEVE_END - shirt.A["along"])
    smooth_normals = shirt.normals()
    bands, links = _cuffs(cloth, shirt)
    shirt, uv = sleeve_uv(cloth.body, shirt)
    plain = [*_front(cloth, lift), *bands, collar.mesh]
    whole = merge([m.bare() for m in [shirt, *plain]])
    flat = np.tile(FLAT_UV, (sum(len(m.P) for m in plain), 1))
    normals = [smooth_normals[shirt.A["source"]], *[m.A["N"] if "N" in m.A else m.normals() for m in plain]]
    return [
        Part(
            "shirt",
            whole,
            materials["shirt"],
            uv=np.concatenate([uv, flat]),
            normals=np.concatenate(normals),
            occlusion=0.6,
        ),
        Part("pearl", _buttons(cloth, lift), materials["pearl"]),
        Part("gold", merge(links), materials["gold"]),
    ]
