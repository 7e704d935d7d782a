"""Who the dealers are: shape, colours and hair of each. For a new face this is the only file to edit."""

from dataclasses import dataclass
from typing import Literal

from figure.expressions import Mix, both

#: sRGB, 0 to 255.
Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Person:
    """`targets` are shape targets and their weights; a '*' in a name stands for both 'l' and 'r'."""

    sex: Literal["female", "male"]
    #: Both mixes sum to 1.
    ethnicity: dict[str, float]
    build: dict[str, float]
    targets: dict[str, float]
    #: Baked into the rest pose: the friendly look.
    rest_face: Mix
    #: Metres, without shoes.
    stature: float
    skin: Colour
    lip: Colour
    lip_opacity: float
    blush: float
    #: Eye shadow and liner, 0 to 1.
    makeup: float
    hair: Colour
    hair_light: Colour
    brow: Colour
    brow_width: float
    iris: Colour
    stubble: float
    hair_style: Literal["bun", "crop"]
    earrings: bool


MEI = Person(
    sex="female",
    ethnicity={"asian": 0.46, "caucasian": 0.54},
    build={"averagemuscle-averageweight": 0.40, "averagemuscle-minweight": 0.35, "minmuscle-minweight": 0.25},
    targets={
        "breast/female-young-averagemuscle-averageweight-mincup-averagefirmness": 0.30,
        "neck/neck-scale-horiz-decr": 0.40,
        "neck/neck-scale-depth-decr": 0.25,
        "neck/neck-scale-vert-incr": 0.15,
        "torso/torso-scale-horiz-decr": 0.14,
        "hands/*-hand-fingers-diameter-decr": 0.40,
        "hands/*-hand-scale-decr": 0.16,
        "arms/*-upperarm-fat-decr": 0.70,
        "arms/*-lowerarm-fat-decr": 0.40,
        "arms/*-upperarm-shoulder-muscle-decr": 0.40,
        "head/head-oval": 0.60,
        "head/head-scale-horiz-decr": 0.22,
        "head/head-age-decr": 0.35,
        "head/head-scale-vert-decr": 0.16,
        "forehead/forehead-scale-vert-decr": 0.20,
        "chin/chin-width-decr": 0.75,
        "chin/chin-triangle": 0.40,
        "chin/chin-bones-decr": 0.45,
        "chin/chin-height-decr": 0.18,
        "chin/chin-jaw-drop-decr": 0.25,
        "eyes/*-eye-scale-incr": 1.15,
        "eyes/*-eye-height1-incr": 0.25,
        "eyes/*-eye-height2-incr": 0.40,
        "eyes/*-eye-corner2-up": 0.18,
        "eyes/*-eye-bag-decr": 0.30,
        "cheek/*-cheek-bones-incr": 0.20,
        "cheek/*-cheek-volume-incr": 0.10,
        "nose/nose-scale-horiz-decr": 0.42,
        "nose/nose-scale-vert-decr": 0.24,
        "nose/nose-scale-depth-decr": 0.15,
        "nose/nose-point-up": 0.22,
        "nose/nose-volume-decr": 0.34,
        "nose/nose-nostrils-width-decr": 0.25,
        "nose/nose-hump-decr": 0.25,
        "mouth/mouth-cupidsbow-incr": 0.25,
        "mouth/mouth-upperlip-volume-incr": 0.15,
        "mouth/mouth-lowerlip-volume-incr": 0.15,
        "mouth/mouth-scale-horiz-decr": 0.12,
        "mouth/mouth-angles-up": 0.25,
        "eyebrows/eyebrows-trans-up": 0.30,
    },
    rest_face={
        **both("mouthSmile", 0.32),
        **both("mouthDimple", 0.14),
        **both("cheekSquint", 0.16),
        **both("eyeWide", 0.20),
        "browInnerUp": 0.34,
    },
    stature=1.68,
    skin=(219, 166, 136),
    lip=(186, 74, 78),
    lip_opacity=0.58,
    blush=0.30,
    makeup=1.0,
    hair=(58, 38, 29),
    hair_light=(114, 75, 51),
    brow=(74, 52, 42),
    brow_width=1.0,
    iris=(92, 58, 34),
    stubble=0.0,
    hair_style="bun",
    earrings=True,
)

LUCA = Person(
    sex="male",
    ethnicity={"asian": 0.25, "caucasian": 0.75},
    build={"averagemuscle-averageweight": 0.20, "minmuscle-averageweight": 0.35, "minmuscle-minweight": 0.45},
    targets={
        "head/head-oval": 0.45,
        "head/head-scale-horiz-decr": 0.30,
        "head/head-age-decr": 0.15,
        "forehead/forehead-scale-vert-decr": 0.35,
        "chin/chin-bones-decr": 0.20,
        "chin/chin-width-decr": 0.15,
        "eyes/*-eye-scale-incr": 0.60,
        "eyes/*-eye-height1-incr": 0.20,
        "eyes/*-eye-height2-incr": 0.35,
        "cheek/*-cheek-bones-incr": 0.25,
        "cheek/*-cheek-volume-decr": 0.10,
        "nose/nose-volume-decr": 0.38,
        "nose/nose-scale-horiz-decr": 0.45,
        "nose/nose-scale-vert-decr": 0.26,
        "nose/nose-scale-depth-decr": 0.30,
        "nose/nose-point-width-decr": 0.25,
        "mouth/mouth-scale-horiz-decr": 0.22,
        "mouth/mouth-angles-up": 0.35,
        "mouth/mouth-upperlip-volume-decr": 0.15,
        "ears/*-ear-wing-decr": 0.45,
        "ears/*-ear-scale-decr": 0.25,
        "eyebrows/eyebrows-trans-up": 0.25,
        "neck/neck-scale-horiz-decr": 0.30,
        "neck/neck-scale-depth-decr": 0.20,
        "torso/torso-muscle-pectoral-decr": 0.60,
        "torso/torso-muscle-dorsi-decr": 0.50,
        "torso/torso-scale-horiz-decr": 0.40,
        "torso/torso-vshape-decr": 0.20,
        "torso/measure-shoulder-dist-decr": 0.35,
        "arms/*-upperarm-muscle-decr": 0.60,
        "arms/*-upperarm-fat-decr": 0.50,
        "arms/*-upperarm-shoulder-muscle-decr": 0.60,
        "arms/*-lowerarm-muscle-decr": 0.40,
        "hands/*-hand-scale-decr": 0.12,
    },
    rest_face={
        **both("mouthSmile", 0.27),
        **both("mouthDimple", 0.14),
        **both("cheekSquint", 0.16),
        **both("eyeWide", 0.30),
        "browInnerUp": 0.45,
    },
    stature=1.69,
    skin=(208, 156, 124),
    lip=(178, 100, 90),
    lip_opacity=0.5,
    blush=0.22,
    makeup=0.0,
    hair=(46, 33, 26),
    hair_light=(98, 69, 49),
    brow=(56, 41, 33),
    brow_width=1.3,
    iris=(78, 56, 38),
    stubble=0.26,
    hair_style="crop",
    earrings=False,
)

PEOPLE: dict[str, Person] = {"female": MEI, "male": LUCA}
