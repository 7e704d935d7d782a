"""Visible skin: which faces of the body are seen (head, neck, hands), and how they are laid out on one texture."""

import numpy as np
from scipy.spatial import cKDTree

from figure.arrays import Array, Mask, smoothstep, unit
from figure.body import FINGERS, Body
from figure.hairline import above_hairline
from figure.mesh import Mesh, triangles, vertex_normals
from figure.source import Source

#: How far the skin goes on under the hair, metres.
UNDER_HAIR = 0.026
#: Where the inside of the mouth lies on the texture.
MOUTH_ISLAND = 0.835


def ear_mask(source: Source, body: Body) -> Array:
    """How much each vertex of the body belongs to an ear, 0 to 1."""
    mask = source.mask("ears")
    uv = np.zeros((len(body.P), 2))
    uv[body.quads.ravel()] = body.uv[body.uv_quads.ravel()]
    s = np.array(mask.shape) - 1
    rows, columns = ((1 - uv[:, 1]) * s[0]).astype(int), (uv[:, 0] * s[1]).astype(int)
    return mask[np.clip(rows, 0, s[0]), np.clip(columns, 0, s[1])]


def skin_mesh(body: Body) -> Mesh:
    """Attributes: src (vertex of the body), uv0 (original layout), uv (packed), N, inner_mouth."""
    P, Q = body.P, body.quads
    keep = _seen(body)
    corners = np.stack([Q[keep].ravel(), body.uv_quads[keep].ravel()], 1)
    pairs, inverse = np.unique(corners, axis=0, return_inverse=True)
    src, uv0 = pairs[:, 0], body.uv[pairs[:, 1]]
    uv = _pack(P[src], uv0)
    faces = triangles(inverse.reshape(-1, 4), P[src])
    inner = (uv > MOUTH_ISLAND).all(1)
    seen = _tucked(P[src], inner)
    return Mesh(seen, body.W[src], faces, src=src, uv0=uv0, uv=uv, N=_normals(body)[src], inner_mouth=inner)


def _tucked(P: Array, inner: Mask) -> Array:
    """The inside of the mouth drawn in from the cheeks: thinned out, it would come through them as dark specks."""
    out = P.copy()
    from_lips = cKDTree(P[~inner]).query(P[inner])[0]
    share = smoothstep(0.0005, 0.005, from_lips)
    out[inner, 0] *= 1 - 0.32 * share
    out[inner, 2] -= 0.007 * share
    return out


def _normals(body: Body) -> Array:
    """Morphs move no normals: lids get those of the closed eye, where they are seen."""
    blink = body.morphs["blinkL"] + body.morphs["blinkR"]
    closed = vertex_normals(body.P + blink, triangles(body.quads))
    share = 0.8 * smoothstep(0.0, 0.004, np.linalg.norm(blink, axis=1))[:, None]
    return unit(body.N * (1 - share) + closed * share)


def _seen(body: Body) -> Mask:
    P, Q = body.P, body.quads
    centre = P[Q].mean(1)
    head, hand = body.bone_weight(("head", "neck")), body.bone_weight(("hand", *FINGERS))
    wrists = [np.linalg.norm(centre - body.joint[f"hand_{side}"], axis=1) for side in "lr"]
    near_wrist = np.min(wrists, 0) < 0.036
    collar_y = body.neck_y - 0.037 + 0.10 * np.clip(-centre[:, 2], 0, 0.2)
    keep = (centre[:, 1] > collar_y) & ((np.abs(centre[:, 0]) < 0.075) | (head[Q].min(1) > 0.6))
    keep |= (hand[Q].max(1) > 0.25) | (near_wrist & (np.abs(centre[:, 0]) > 0.3))
    covered = (above_hairline(body, P)[Q].min(1) > UNDER_HAIR) & (centre[:, 1] > body.eye_y - 0.10)
    return np.asarray(keep & ~covered)


def _pack(P: Array, uv0: Array) -> Array:
    """A big island for the head with the face magnified, one for both hands (mirrored), small ones for the rest."""
    x, y = uv0.T
    hand = np.abs(P[:, 0]) > 0.3
    mouth = ~hand & (y < 0.142) & (x > 0.75)
    neck = ~hand & ~mouth & (x <= 0.63)
    head = ~hand & ~mouth & ~neck
    wrist = hand & (y > 0.5)
    palm = hand & ~wrist
    uv = np.zeros_like(uv0)

    def fit(where: Mask, coords: Array, left: float, bottom: float, width: float, height: float) -> None:
        if where.any():
            low, high = coords.min(0), coords.max(0)
            uv[where] = [left, bottom] + (coords - low) / np.maximum(high - low, 1e-9) * [width, height]

    fit(head, _magnified(uv0[head]), 0.012, 0.012, 0.645, 0.976)
    fit(neck, uv0[neck], 0.67, 0.60, 0.15, 0.10)
    fit(wrist, np.stack([np.abs(x[wrist] - 0.39), y[wrist]], 1), 0.67, 0.44, 0.15, 0.10)
    fit(palm, np.stack([_mirrored(x[palm], P[palm, 0] > 0), y[palm]], 1), 0.668, 0.015, 0.322, 0.41)
    fit(mouth, uv0[mouth], 0.84, 0.84, 0.14, 0.14)
    return uv


def _magnified(uv0: Array) -> Array:
    from_face = uv0 - [0.872, 0.483]
    radius = np.linalg.norm(from_face, axis=1, keepdims=True)
    k = radius / 0.36
    return from_face / np.maximum(radius, 1e-9) * np.where(k < 1, k**0.62, 1 + (k - 1) * 0.62)


def _mirrored(x: Array, left: Mask) -> Array:
    """Both hands on the same texels."""
    swapped = x[left].mean() > x[~left].mean()
    axis = (x[left].min() + x[~left].max()) / 2 if swapped else (x[left].max() + x[~left].min()) / 2
    return np.where(left if swapped else ~left, 2 * axis - x, x)
