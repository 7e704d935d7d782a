"""A part is one mesh with one material; parts that share a material and do not move on their own become one."""

from dataclasses import dataclass, field

import numpy as np

from figure.arrays import Array
from figure.mesh import Mesh, merge

Morphs = dict[str, Array]


@dataclass
class Part:
    """`colour` is authored (rgb or rgba per vertex); without it, occlusion is baked into the vertices."""

    name: str
    mesh: Mesh
    material: int
    uv: Array | None = None
    normals: Array = field(default_factory=lambda: np.zeros((0, 3)))
    morphs: Morphs | None = None
    colour: Array | None = None
    #: How strong the baked occlusion is, 0 to 1.
    occlusion: float = 0.7
    #: Whether it darkens other parts.
    occludes: bool = True

    def __post_init__(self) -> None:
        if not len(self.normals):
            self.normals = self.mesh.normals()


def merge_by_material(parts: list[Part]) -> list[Part]:
    """Fewer draw calls for the same picture."""
    out: dict[tuple[int, str], Part] = {}
    for part in parts:
        key = (part.material, part.name if part.morphs or part.colour is not None else "")
        first = out.get(key)
        if first is None:
            out[key] = part
            continue
        if (first.uv is None) != (part.uv is None):
            raise ValueError(f"{part.name} and {first.name} share a material but not texture coordinates")
        if first.uv is not None and part.uv is not None:
            first.uv = np.concatenate([first.uv, part.uv])
        shades = [p.mesh.A.get("shade", np.ones(len(p.mesh.P))) for p in (first, part)]
        first.normals = np.concatenate([first.normals, part.normals])
        first.mesh = merge([first.mesh.bare(), part.mesh.bare()])
        first.mesh.A["shade"] = np.concatenate(shades)
    return list(out.values())
