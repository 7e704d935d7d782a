"""The glTF materials of a dealer, and the registry that collects them with their textures."""

import io
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PIL import Image

from figure.arrays import Array
from figure.people import Colour, Person
from figure.skin import SkinTextures
from figure.sleeves import sleeve_textures
from figure.textures import cap_textures, eye_texture, lash_texture, lock_texture, weave_normal


def linear(colour: Colour) -> list[float]:
    """sRGB 0 to 255 to the linear factors that glTF wants."""
    c = np.array(colour) / 255
    return [float(x) for x in np.where(c > 0.04045, ((c + 0.055) / 1.055) ** 2.4, c / 12.92)]


@dataclass
class Library:
    """Textures (name, PNG) and materials in the order of the file."""

    textures: list[tuple[str, bytes]] = field(default_factory=list)
    materials: list[dict[str, Any]] = field(default_factory=list)
    extensions: set[str] = field(default_factory=set)

    def texture(self, name: str, image: Array, size: int | None = None) -> int:
        self.textures.append((name, _png(image, size)))
        return len(self.textures) - 1

    def replace(self, name: str, image: Array) -> None:
        """Other pixels for a texture that materials already name."""
        at = [known for known, _ in self.textures].index(name)
        self.textures[at] = (name, _png(image, None))

    def material(
        self,
        name: str,
        rough: float,
        colour: Colour = (255, 255, 255),
        *,
        metal: float = 0.0,
        texture: int | None = None,
        surface: int | None = None,
        normal: tuple[int, float] | None = None,
        mask: float | None = None,
        blend: bool = False,
        double: bool = False,
        glow: list[float] | None = None,
        specular: tuple[float, list[float]] | None = None,
        anisotropy: float | None = None,
    ) -> int:
        """`mask` is the alpha below which nothing is drawn; `glow` is light from within, times the texture."""
        pbr: dict[str, Any] = {
            "baseColorFactor": [*linear(colour), 1.0],
            "roughnessFactor": rough,
            "metallicFactor": metal,
        }
        made: dict[str, Any] = {"name": name, "pbrMetallicRoughness": pbr}
        if texture is not None:
            pbr["baseColorTexture"] = {"index": texture}
        if surface is not None:
            pbr["metallicRoughnessTexture"] = {"index": surface}
        if normal is not None:
            made["normalTexture"] = {"index": normal[0], "scale": normal[1]}
        if glow is not None:
            made["emissiveFactor"], made["emissiveTexture"] = glow, {"index": texture}
        if mask is not None:
            made["alphaMode"], made["alphaCutoff"] = "MASK", mask
        if blend:
            made["alphaMode"] = "BLEND"
        if double:
            made["doubleSided"] = True
        if specular is not None:
            self._extend(
                made, "KHR_materials_specular", {"specularFactor": specular[0], "specularColorFactor": specular[1]}
            )
        if anisotropy is not None:
            self._extend(made, "KHR_materials_anisotropy", {"anisotropyStrength": anisotropy})
        self.materials.append(made)
        return len(self.materials) - 1

    def _extend(self, made: dict[str, Any], name: str, value: dict[str, Any]) -> None:
        made.setdefault("extensions", {})[name] = value
        self.extensions.add(name)


def _png(image: Array, size: int | None) -> bytes:
    picture = Image.fromarray(np.clip(np.round(image), 0, 255).astype(np.uint8))
    if size is not None:
        picture = picture.resize((size, size), Image.Resampling.LANCZOS)
    raw = io.BytesIO()
    picture.save(raw, "PNG")
    return raw.getvalue()


def make_materials(lib: Library, person: Person, skin: SkinTextures) -> dict[str, int]:
    """All materials of one person by name."""
    dark, light = np.array(person.hair, float), np.array(person.hair_light, float)
    weave = lib.texture("weave", weave_normal())
    cap, cap_normal = cap_textures(dark, light)
    colour, surface = lib.texture("skin", skin.colour), lib.texture("skin_orm", skin.surface, 512)
    pores = lib.texture("skin_normal", skin.normal)
    folds, folded = sleeve_textures()
    shade, fold = lib.texture("shirt", folded), lib.texture("shirt_normal", folds)
    strands, strand_normal = lib.texture("hair", cap), lib.texture("hair_normal", cap_normal, 256)
    lock = lib.texture("lock", lock_texture(dark, light))
    gloss = [float(x) for x in np.clip(light / light.max(), 0, 1)]
    put = lib.material
    return {
        "skin": put("skin", 1.0, texture=colour, surface=surface, normal=(pores, 0.8), glow=[0.07, 0.03, 0.021]),
        "shirt": put("shirt", 0.86, (214, 213, 216), texture=shade, normal=(fold, 1.0), double=True),
        "vest": put("vest", 0.80, (27, 27, 32), normal=(weave, 0.75), double=True),
        "satin": put("satin", 0.46, (13, 13, 16), double=True, specular=(1.0, [0.45, 0.45, 0.48])),
        "tie": put("tie", 0.50, (112, 12, 24), normal=(weave, 0.25), double=True),
        "gold": put("gold", 0.28, (226, 178, 84), metal=1.0),
        "button": put("button", 0.22, (14, 14, 16)),
        "pearl": put("pearl", 0.30, (232, 230, 226)),
        "trousers": put("trousers", 0.8, (20, 20, 24)),
        "hair": put(
            "hair",
            0.60,
            texture=strands,
            normal=(strand_normal, 0.7),
            mask=0.42,
            double=True,
            specular=(0.22, gloss),
        ),
        "locks": put("locks", 0.50, texture=lock, mask=0.36, double=True, specular=(0.24, gloss), anisotropy=0.5),
        "wisps": put("wisps", 0.6, texture=lock, blend=True, double=True, specular=(0.12, gloss)),
        "eyes": put("eyes", 0.06, texture=lib.texture("eye", eye_texture(np.array(person.iris, float)))),
        "lash": put("lash", 0.8, texture=lib.texture("lash", lash_texture()), blend=True, double=True),
        "lidshadow": put("lidshadow", 1.0, (38, 18, 15), blend=True),
        "teeth": put("teeth", 0.32, (226, 218, 206)),
    }
