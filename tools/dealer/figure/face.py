"""Eyeballs, the soft shadow that the lids cast on them, the wet line, lashes, teeth and earrings."""

import numpy as np
from scipy.spatial import cKDTree

from figure.arrays import Array, smoothstep, vec
from figure.body import Body
from figure.mesh import Mesh, merge
from figure.part import Part
from figure.shapes import ellipsoid, grid_faces

#: Radius of the iris as a share of the eyeball's, on its texture too.
IRIS = 0.50
_CORNEA = 0.035


def eyeballs(body: Body, material: int) -> Part:
    """Spheres with a bulging cornea, so that the catch light sits where it does in life."""
    meshes = []
    for side in "lr":
        centre, radius = body.eye_centre[side], body.eye_radius
        _, F, D = ellipsoid(np.zeros(3), np.ones(3), 24, 20)
        off_axis = np.hypot(D[:, 0], D[:, 1])
        bulge = 1 + _CORNEA * smoothstep(IRIS * 1.12, 0.10, off_axis) * (D[:, 2] > 0)
        mesh = Mesh(centre + D * radius * bulge[:, None], body.rigid(f"eye_{side}", len(D)), F)
        normals = mesh.outward(centre).normals()
        normals[off_axis < 1e-6] = [0, 0, 1]
        normals[D[:, 2] < 0] = D[D[:, 2] < 0]
        mesh.A["uv"] = np.stack([0.5 + D[:, 0] * 0.51, 0.5 - D[:, 1] * 0.51], 1)
        mesh.A["N"] = normals
        meshes.append(mesh.keep(D[mesh.F][:, :, 2].max(1) > -0.25))  # the back is never seen
        meshes.append(_wet_line(body, side))
    whole = merge(meshes)
    return Part("eyes", whole, material, uv=whole.A["uv"], normals=whole.A["N"])


def _wet_line(body: Body, side: str) -> Mesh:
    """The rim of tears on the lower lid: a thin bead that catches the light."""
    centre, lower = body.eye_centre[side], body.lash_roots(side, upper=False)
    order = lower[np.argsort(lower[:, 0])]
    across = np.linspace(order[0, 0], order[-1, 0], 15)
    curve = np.stack([across, np.interp(across, order[:, 0], order[:, 1]), np.zeros(15)], 1)
    D = curve - centre
    D[:, 1] += 0.0007
    flat = np.clip((body.eye_radius * 1.012) ** 2 - D[:, 0] ** 2 - D[:, 1] ** 2, 1e-9, None)
    D[:, 2] = np.sqrt(flat)
    bead = np.array([(0.0, -0.0005, -0.0001), (0.0, 0.0001, 0.00025), (0.0, 0.0006, -0.0002)])
    P = (centre + D[:, None] + bead).reshape(-1, 3)
    mesh = Mesh(P, body.rigid("head", len(P)), grid_faces(15, 3)).outward(centre)
    mesh.A["uv"] = np.tile(vec(0.5, 0.955), (len(P), 1))  # the palest pink of the white
    mesh.A["N"] = mesh.normals()
    return mesh


def lid_shadow(body: Body, material: int) -> Part:
    """A clear shell before each eyeball, dark under the upper lid and in the corners."""
    meshes, colours = [], []
    for side in "lr":
        centre, radius = body.eye_centre[side], body.eye_radius * (1.010 + _CORNEA * 0.9)
        upper, lower = body.lash_roots(side, upper=True), body.lash_roots(side, upper=False)
        u, v = np.meshgrid(np.linspace(-1, 1, 15), np.linspace(-0.75, 0.75, 13), indexing="ij")
        D = np.stack([np.sin(u), np.sin(v) * np.cos(u), np.cos(u) * np.cos(v)], -1).reshape(-1, 3)
        off_axis = np.hypot(D[:, 0], D[:, 1])
        fit = 1.010 + _CORNEA * smoothstep(IRIS * 1.12, 0.10, off_axis)
        P = centre + D * (body.eye_radius * fit)[:, None]
        meshes.append(Mesh(P, body.rigid("head", len(P)), grid_faces(15, 13)).outward(centre))
        from_upper, from_lower = cKDTree(upper).query(P)[0], cKDTree(lower).query(P)[0]
        above = P[:, 1] > upper[cKDTree(upper[:, :1]).query(P[:, :1])[1], 1]
        alpha = np.where(above, 0.55, 0.55 * np.exp(-((from_upper / 0.0032) ** 1.5)))
        alpha += 0.26 * np.exp(-((from_lower / 0.0011) ** 2))
        alpha *= P[:, 2] < centre[2] + radius
        colours.append(np.concatenate([np.ones((len(P), 3)), np.clip(alpha, 0, 0.8)[:, None]], 1))
    return Part("lidshadow", merge(meshes), material, colour=np.concatenate(colours), occludes=False)


def lashes(body: Body, material: int) -> Part:
    """The upper rows; they move with the lids."""
    meshes, uvs, sources = [], [], []
    for side in "lr":
        rows = sorted("12", key=lambda k: -float(body.P[body.ids[f"helper-{side}-eyelashes-{k}"]][:, 1].mean()))
        vertices, uv, F = body.helper(f"helper-{side}-eyelashes-{rows[0]}")
        distance = np.linalg.norm(body.P[vertices] - body.eye_centre[side], axis=1)
        across = (uv - uv.min(0)) / np.ptp(uv, axis=0)
        if np.corrcoef(across[:, 1], distance)[0, 1] < 0:
            across[:, 1] = 1 - across[:, 1]
        uvs.append(np.stack([across[:, 0], 1 - np.clip(across[:, 1], 0.02, 0.98)], 1))
        meshes.append(Mesh(body.P[vertices], body.W[vertices], F))
        sources.append(vertices)
    source = np.concatenate(sources)
    morphs = {name: delta[source] for name, delta in body.morphs.items()}
    return Part("lashes", merge(meshes), material, uv=np.concatenate(uvs), morphs=morphs, occludes=False)


def teeth(body: Body, material: int) -> Part:
    """Two smooth arches; the lower one follows the jaw as a rigid piece."""
    meshes, colours = [], []
    morphs: dict[str, list[Array]] = {name: [] for name in body.morphs}
    for group, sign in (("helper-upper-teeth", 1), ("helper-lower-teeth", -1)):
        P, C = _arch(body.P[body.ids[group]], sign)
        mesh = Mesh(P, body.rigid("head", len(P)), grid_faces(len(P) // 4, 4)).outward(P.mean(0) - [0, 0, 0.03])
        meshes.append(mesh)
        colours.append(C)
        for name, delta in body.morphs.items():
            moved = delta[body.ids[group]].mean(0) * (sign < 0)
            morphs[name].append(np.tile(moved, (len(P), 1)))
    joined = {name: np.concatenate(rows) for name, rows in morphs.items()}
    return Part("teeth", merge(meshes), material, colour=np.concatenate(colours), morphs=joined)


def _arch(helper: Array, sign: int) -> tuple[Array, Array]:
    low, high = helper.min(0), helper.max(0)
    half, depth = (high[0] - low[0]) * 0.36, (high[2] - low[2]) * 0.75
    edge, gum = (low[1] - 0.0032, high[1] - 0.002) if sign > 0 else (high[1] - 0.0110, low[1] - 0.004)
    count, back = 14, 0.0055 if sign > 0 else 0.0085
    points, colours = [], []
    for k in range(count):
        for share, gap in ((0.04, 1), (0.3, 0), (0.7, 0), (0.96, 1)):
            a = (-1 + 2 * (k + share) / count) * 1.25
            for t in (0.0, 1 / 3, 2 / 3, 1.0):
                out = 1 - 0.02 * gap - 0.03 * (1 - t) * (t < 0.1)
                y = edge + (gum - edge) * t + sign * 0.0002 * gap * (t < 0.1)
                z = high[2] - back - depth * (1 - np.cos(a)) - 0.0007 * gap
                points.append([np.sin(a) * half * out / np.sin(1.25), y, z])
                shade = (0.94 if sign > 0 else 0.62) * (1 - 0.20 * gap) * (1 - 0.45 * smoothstep(0.5, 1.15, abs(a)))
                colours.append(vec(1, 0.97, 0.92) * shade * (1 if t < 0.8 else 0.75))
    return np.array(points), np.array(colours)


def earrings(body: Body, ears: Array, material: int) -> Part:
    """Small gold beads on the lobes."""
    P = body.P[[i for i in body.ids["body"] if ears[i] > 0.5]]
    meshes = []
    for sign in (1, -1):
        ear = P[P[:, 0] * sign > 0]
        lobe = ear[ear[:, 1] < np.percentile(ear[:, 1], 8)].mean(0) + vec(sign * 0.003, 0.004, 0.003)
        Q, F, _ = ellipsoid(lobe, np.full(3, 0.0034), 12, 8)
        meshes.append(Mesh(Q, body.rigid("head", len(Q)), F))
    return Part("gold", merge(meshes), material)
