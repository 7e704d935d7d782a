"""python -m figure DATA NAME RAW.glb: one figure, from the unpacked data; NAME is a key of people.PEOPLE."""

import sys
from pathlib import Path

from figure.assemble import build
from figure.people import PEOPLE
from figure.source import Source


def main(arguments: list[str]) -> None:
    data, name, target = arguments
    triangles = build(Source(Path(data)), PEOPLE[name], Path(target))
    print(f"{name}: {triangles} triangles before they are thinned out")


main(sys.argv[1:])
