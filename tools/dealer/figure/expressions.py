"""The expressions that the page can mix at run time, each made of ARKit-style face units."""

Mix = dict[str, float]


def both(name: str, weight: float) -> Mix:
    """The same unit on both sides of the face."""
    return {f"{name}Left": weight, f"{name}Right": weight}


#: The names are those that client/src/scene/dealer asks for.
MORPHS: dict[str, Mix] = {
    "blinkL": {"eyeBlinkLeft": 1},
    "blinkR": {"eyeBlinkRight": 1},
    # wide rather than curled: corners that only rise make a smirk
    "smile": {
        **both("mouthSmile", 0.50),
        **both("mouthStretch", 0.18),
        **both("mouthDimple", 0.30),
        **both("cheekSquint", 0.50),
        **both("eyeSquint", 0.12),
    },
    "browUp": {"browInnerUp": 0.7, **both("browOuterUp", 0.7)},
    "browDown": both("browDown", 1),
    "aa": {"jawOpen": 0.42, **both("mouthLowerDown", 0.2), **both("mouthUpperUp", 0.12)},
    "ee": {
        "jawOpen": 0.10,
        **both("mouthStretch", 0.45),
        **both("mouthLowerDown", 0.45),
        **both("mouthUpperUp", 0.25),
    },
    "oo": {"mouthFunnel": 0.55, "mouthPucker": 0.45, "jawOpen": 0.10},
    "mm": {**both("mouthPress", 0.5), "mouthRollLower": 0.3, "mouthRollUpper": 0.3},
}
