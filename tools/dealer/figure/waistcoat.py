"""The waistcoat: shell, satin lapels, button edge, pockets, buttons, name badge; and the trousers below it."""

import numpy as np
import trimesh
from scipy.spatial import cKDTree

from figure.arrays import Array, smoothstep, unit
from figure.cloth import ARM, TORSO_METRES, Cloth, planar_uv
from figure.cutting import add_rim, band, clip, patch
from figure.mesh import Mesh, merge, triangles, vertex_normals
from figure.part import Part
from figure.shapes import button, plate

_BUTTONS = (0.345, 0.245, 0.145, 0.045)
#: Pockets: side, height, metres from the middle, length.
_POCKETS = ((1, 0.125, 0.080, 0.060), (-1, 0.125, 0.080, 0.060), (-1, 0.60, 0.094, 0.045))
_BADGE = (0.630, 0.100)


def waistcoat_parts(cloth: Cloth, materials: dict[str, int]) -> list[Part]:
    inside = cloth.vest_field[cloth.F].max(1) > -0.02
    base = cloth.mesh(0.0128, inside, field=cloth.vest_field, lapel=cloth.lapel)
    vest = clip(base, base.A["field"])
    shell, normals = add_rim(vest, unit(vest.A["N"]), 0.0095)
    uv = planar_uv(shell.P, 26)
    parts = [Part("vest", shell.bare(), materials["vest"], uv=uv, normals=normals, occlusion=0.8)]
    lapel = patch(vest, [lambda m: _lapel_width(m, cloth.width), _above_first_button], 0.0030)
    if lapel is None:
        raise ValueError("the waistcoat has no room for lapels")
    parts.append(Part("satin", lapel.bare(), materials["satin"], uv=planar_uv(lapel.P, 26), normals=lapel.A["N"]))
    trim = _trim(vest, cloth.width)
    parts.append(Part("vest", trim.bare(), materials["vest"], uv=planar_uv(trim.P, 26), normals=trim.A["N"]))
    parts += _badge(cloth, materials)
    parts.append(Part("buttons", _buttons(cloth, vest), materials["button"]))
    return parts


def _lapel_width(m: Mesh, width: float) -> Array:
    t = m.A["t"]
    wide = 0.0045 + 0.030 * width * smoothstep(0.376, 0.53, t) * (1 - 0.45 * smoothstep(0.78, 0.97, t))
    return wide - m.A["lapel"]


def _above_first_button(m: Mesh) -> Array:
    return np.where(m.A["z"] > 0, (m.A["t"] - 0.390) * TORSO_METRES, 0.1)


def _trim(vest: Mesh, width: float) -> Mesh:
    """The overlapping edge with the buttons, and the welts of the pockets."""
    front = vest.keep(vest.A["z"][vest.F].min(1) > 0)
    edge = [*band(0.004, 0.0125, lambda m: m.A["x"]), lambda m: 0.397 - m.A["t"]]
    pieces = [patch(front, edge, 0.0017)]
    for side, t0, x0, length in _POCKETS:
        cos, sin = np.cos(-0.20), np.sin(-0.20)

        def across(m: Mesh, s: int = side, t: float = t0, x: float = x0, c: float = cos, n: float = sin) -> Array:
            return (m.A["x"] * s - x * width) * c - (m.A["t"] - t) * TORSO_METRES * n

        def upwards(m: Mesh, s: int = side, t: float = t0, x: float = x0, c: float = cos, n: float = sin) -> Array:
            return (m.A["x"] * s - x * width) * n + (m.A["t"] - t) * TORSO_METRES * c

        pieces.append(patch(front, [*band(0, length / 2, across), *band(0, 0.0062, upwards)], 0.0028))
    return merge([p for p in pieces if p is not None])


def _badge(cloth: Cloth, materials: dict[str, int]) -> list[Part]:
    height, x = _BADGE
    i = cloth.front_vertex(height, x * cloth.width)
    normal = unit(cloth.N[i])
    at = cloth.P[i] + normal * 0.0140
    frame = plate(at, normal, cloth.W[i], (0.0280, 0.0090))
    face = plate(at + normal * 0.0016, normal, cloth.W[i], (0.0245, 0.0062), 0.0012)
    return [Part("gold", frame, materials["gold"]), Part("buttons", face, materials["button"])]


def _buttons(cloth: Cloth, vest: Mesh) -> Mesh:
    surface, tree, made = trimesh.Trimesh(vest.P, vest.F, process=False), cKDTree(vest.P), []
    for t in _BUTTONS:
        hit, _, _ = surface.ray.intersects_location([[0.004, cloth.body.torso(t), 0.6]], [[0, 0, -1.0]])
        if len(hit):
            p = hit[np.argmax(hit[:, 2])]
            i = tree.query(p)[1]
            normal = vest.A["N"][i]
            made.append(button(p + normal * 0.0016, normal, vest.W[i], 0.0066))
    return merge(made)


def trousers(cloth: Cloth, material: int) -> Part:
    """Only what the table does not hide when the figure leans."""
    body, Q, y = cloth.body, cloth.coarse_Q, cloth.coarse_P[:, 1]
    arm = body.bone_weight(ARM, cloth.coarse_W)
    Q = Q[(y[Q].max(1) < body.torso(0.14)) & (y[Q].min(1) > body.torso(-0.84)) & (arm[Q].max(1) < 0.3)]
    used, inverse = np.unique(Q, return_inverse=True)
    P, F = cloth.coarse_P[used], triangles(inverse.reshape(-1, 4))
    return Part("trousers", Mesh(P + vertex_normals(P, F) * 0.007, cloth.coarse_W[used], F), material)
