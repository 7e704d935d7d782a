"""From a person to a file: body, skin, face, hair, uniform, light baked in."""

from pathlib import Path

import numpy as np
from scipy.ndimage import distance_transform_edt

from figure import face
from figure.arrays import Array
from figure.body import Body
from figure.bow_tie import bow_tie
from figure.canvas import SIZE
from figure.cloth import Cloth
from figure.collar import Collar
from figure.glb import write
from figure.hair_bun import bun_hair
from figure.hair_crop import crop_hair
from figure.materials import Library, make_materials
from figure.mesh import Mesh
from figure.occlusion import OcclusionBaker
from figure.part import Part, merge_by_material
from figure.people import Person
from figure.raster import bake
from figure.shirt import shirt_parts
from figure.skin import SkinTextures, paint_skin
from figure.skin_mesh import ear_mask, skin_mesh
from figure.skull import Skull
from figure.source import Source
from figure.waistcoat import trousers, waistcoat_parts

_STYLES = {"bun": bun_hair, "crop": crop_hair}
#: Occluded skin turns red, not grey.
_BLEED = np.array([1, 0.80, 0.70])


def build(source: Source, person: Person, path: Path) -> int:
    """Writes the figure as a plain GLB; answers its triangles."""
    body, library = Body(source, person), Library()
    mesh = skin_mesh(body)
    textures = paint_skin(source, body, mesh)
    materials = make_materials(library, person, textures)
    parts = [_skin(body, mesh, materials["skin"]), *_face(source, body, materials), *_hair(source, body, materials)]
    cloth = Cloth(body)
    collar = Collar(body, cloth)
    parts += shirt_parts(cloth, collar, materials) + waistcoat_parts(cloth, materials)
    parts += [bow_tie(collar, materials["tie"]), trousers(cloth, materials["trousers"])]
    parts = merge_by_material(parts)
    _bake_light(parts, library, textures)
    return write(path, body, parts, library)


def _skin(body: Body, mesh: Mesh, material: int) -> Part:
    uv = np.stack([mesh.A["uv"][:, 0], 1 - mesh.A["uv"][:, 1]], 1)
    morphs = {name: delta[mesh.A["src"]] for name, delta in body.morphs.items()}
    return Part("skin", mesh, material, uv=uv, normals=mesh.A["N"], morphs=morphs, occlusion=0.75)


def _face(source: Source, body: Body, materials: dict[str, int]) -> list[Part]:
    parts = [
        face.eyeballs(body, materials["eyes"]),
        face.teeth(body, materials["teeth"]),
        face.lid_shadow(body, materials["lidshadow"]),
        face.lashes(body, materials["lash"]),
    ]
    if body.person.earrings:
        parts.append(face.earrings(body, ear_mask(source, body), materials["gold"]))
    return parts


def _hair(source: Source, body: Body, materials: dict[str, int]) -> list[Part]:
    hair, solid = _STYLES[body.person.hair_style](body, Skull(body, ear_mask(source, body)))
    for part in solid:
        part.material = materials["hair"]
    locks = hair.locks()
    locks.material = materials["locks"]
    parts = [*solid, locks]
    wisps = hair.wisps()
    if wisps is not None:
        uv, normals = wisps.A["uv"], wisps.A["N"]
        parts.append(Part("wisps", wisps, materials["wisps"], uv=uv, normals=normals, occlusion=0.3, occludes=False))
    return parts


def _bake_light(parts: list[Part], library: Library, textures: SkinTextures) -> None:
    baker = OcclusionBaker(parts)
    for part in parts:
        if part.colour is not None or part.name == "lashes":
            continue
        light = 1 - (1 - baker.bake(part.mesh.P, part.normals)) * part.occlusion
        if part.name == "skin":
            library.replace("skin", _shaded(part.mesh, light, textures))
            continue
        if part.name == "eyes":
            light = np.clip(light * 1.15, 0.62, 1)
        part.colour = np.repeat(np.clip(light * part.mesh.A.get("shade", 1.0), 0, 1)[:, None], 3, 1)


def _shaded(mesh: Mesh, light: Array, textures: SkinTextures) -> Array:
    """The occlusion goes into the skin's texture: as a vertex colour it sparkles under multisampling."""
    linear = np.clip(light[:, None] ** (1 / _BLEED), 0.02, 1)
    linear[mesh.A["inner_mouth"]] *= 0.35
    shade, covered = bake(linear ** (1 / 2.2), mesh.A["uv"], mesh.F, SIZE)
    nearest = distance_transform_edt(~covered, return_distances=False, return_indices=True)
    shade = shade[tuple(nearest)]
    return textures.colour * (shade + (1 - shade) * 0.75 * textures.unshaded[..., None])
