"""All profiles: those that come with Bigroad, and those of a folder."""

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

import msgspec

from bigroad.profiles.errors import SettingsError
from bigroad.profiles.profile import Profile, contradictions
from bigroad.profiles.read import Source, convert, read_tree

SUFFIX = ".toml"


def builtin() -> dict[str, Profile]:
    """The profiles that come with Bigroad, by name."""
    found: dict[str, Profile] = {}
    for file in sorted(resources.files("bigroad.profiles").iterdir(), key=lambda one: one.name):
        if file.name.endswith(SUFFIX):
            text = file.read_text(encoding="utf-8")
            found[file.name.removesuffix(SUFFIX)] = profile_of(msgspec.toml.decode(text), Source(file.name, text))
    return found


def profiles(folder: Path | None) -> Mapping[str, Profile]:
    """All of them, by name; one of the folder's takes the place of one of ours. Raises SettingsError.

    folder: each `*.toml` in it is a profile, named as its file. None for none.
    """
    found = builtin()
    if folder is None:
        return found
    try:
        files = sorted(folder.iterdir())
    except OSError as trouble:
        raise SettingsError(f"{folder}: {trouble.strerror or trouble}") from trouble
    for path in files:
        if path.suffix == SUFFIX:
            found[path.stem] = profile_of(*read_tree(path))
    return found


def profile_of(tree: object, source: Source) -> Profile:
    """A profile from a tree of plain values. Raises SettingsError."""
    profile = convert(tree, Profile, source)
    for key, words in contradictions(profile):
        raise source.error(key, words)
    return profile
