"""Where the hair begins. Heights are shares of the way from the eyes to the crown, by azimuth from the nose."""

import numpy as np
from scipy.interpolate import PchipInterpolator

from figure.arrays import Array
from figure.body import Body

_AZIMUTH = [0, 12, 24, 34, 43, 51, 58, 66, 74, 84, 93, 104, 118, 135, 160, 180]
_HEIGHT = {
    # an arch that comes down over the temples
    "female": [0.625, 0.622, 0.600, 0.555, 0.485, 0.40, 0.30, 0.17, 0.04, 0.06, 0.26, 0.13, -0.16, -0.42, -0.64, -0.68],
    # a little bay on both sides of the forehead
    "male": [0.618, 0.622, 0.632, 0.622, 0.560, 0.46, 0.35, 0.20, 0.02, 0.02, 0.26, 0.12, -0.16, -0.38, -0.52, -0.54],
}


def azimuth_of(body: Body, P: Array) -> Array:
    """Degrees from the nose towards the figure's left."""
    q = P - body.head_centre
    return np.degrees(np.arctan2(q[..., 0], q[..., 2]))


def above_hairline(body: Body, P: Array) -> Array:
    """Signed height above the hairline in metres; positive is scalp with hair."""
    table = PchipInterpolator(_AZIMUTH, _HEIGHT[body.person.sex])
    share = table(np.abs(azimuth_of(body, P)))
    return P[..., 1] - (body.eye_y + (body.top_y - body.eye_y) * share)


#: The parting of the bun: metres to the figure's left of the middle.
PARTING_X = 0.021


def beside_parting(body: Body, P: Array) -> Array:
    """Metres to the side of the parting, always positive; large where there is none."""
    q = P - body.head_centre
    tilt = 0.10 * (q[..., 2] - 0.08)  # it runs a little towards the middle of the crown
    on_top = (q[..., 1] > 0.02) & (q[..., 2] > -0.035)
    return np.where(on_top, np.abs(P[..., 0] - PARTING_X - tilt), 1.0)


def parting_width(body: Body, P: Array) -> Array:
    """Half the width of the bare skin, metres: it closes towards the crown."""
    z = (P - body.head_centre)[..., 2]
    return np.interp(z, [-0.035, -0.015, 0.06, 0.1], [0.0, 0.0008, 0.0019, 0.0022])
