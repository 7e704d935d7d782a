"""Profiles: four come with Bigroad, a fifth is a file, and what is wrong in one is named with its line."""

from pathlib import Path

import msgspec
import pytest

from bigroad.compose import table_plan
from bigroad.profiles.lines import line_of, path_of
from bigroad.profiles.load import builtin, profiles
from bigroad.profiles.profile import Clock, Profile
from bigroad.settings import Settings, SettingsError, load

GAMES = {
    "multiplayer-deluxe": ("many", 8, "kept", "bet", "hands", Clock(50_000, 10_000)),
    "deluxe": ("one", 8, "every_round", "deal", "hands", None),
    "three-d": ("one", 6, "every_round", "deal", "hands", None),
    "tableau": ("one", 8, "every_round", "bet", "as_dealt", None),
}


@pytest.mark.parametrize("name", GAMES)
def test_the_four_games_are_those_of_the_product(name: str) -> None:
    profile = builtin()[name]
    known = (profile.seats, profile.decks, profile.shoe, profile.start, profile.reveal, profile.clock)
    assert known == GAMES[name]
    assert profile.areas == ("player", "banker", "tie")
    assert profile.chips_minor == (2_000, 10_000, 50_000, 100_000, 500_000, 2_500_000)
    assert {(profile.area_limits(a).min_minor, profile.area_limits(a).max_minor) for a in profile.areas} == {
        (2_000, 2_500_000)
    }
    assert profile.felt in profile.felts


def test_three_d_has_its_buttons_and_settings() -> None:
    profile = builtin()["three-d"]
    assert {"rebet", "rebet_x2"} <= set(profile.buttons)
    assert set(profile.options) == {"fast_play", "rebet_and_deal"}


def test_the_house_opens_with_two_rooms_and_one_table_of_each_game() -> None:
    tables = {table.id: (table.kind, table.profile.felt, table.profile.dealer) for table in Settings().tables}
    assert [kind for kind, _, _ in tables.values()] == [
        "multiplayer-deluxe", "multiplayer-deluxe", "deluxe", "three-d", "tableau",
    ]  # fmt: skip
    assert tables["burgundy"] == ("deluxe", "burgundy", "male")
    assert tables["express"][1] in ("midnight", "onyx")
    assert tables["tableau"][1:] in (("emerald", "male"), ("teal", "male"))


def folder(tmp_path: Path, name: str, text: str) -> Path:
    """A settings file beside a folder of profiles with one in it, at a table that names it."""
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / f"{name}.toml").write_text(text, encoding="utf-8")
    config = tmp_path / "bigroad.toml"
    config.write_text(f'[[tables]]\nid = "a"\nname = "A"\nprofile = "{name}"\n', encoding="utf-8")
    return config


FIFTH = """\
name = "High Baccarat"
seats = "one"
decks = 4
shoe = "every_round"
start = "deal"
reveal = "as_dealt"
areas = ["player", "banker"]
buttons = ["rebet_x2"]
options = ["rebet_and_deal"]
chips_minor = [100_000]
limits.player = { min_minor = 100_000, max_minor = 900_000 }
"""


def test_a_fifth_game_is_a_file(tmp_path: Path) -> None:
    (table,) = load({}, folder(tmp_path, "high", FIFTH)).tables
    plan = table_plan(table)
    assert (plan.terms.decks, plan.terms.clock, plan.terms.reveal, plan.terms.profile) == (4, False, "as_dealt", "high")
    assert [(limit.area, limit.min_minor, limit.max_minor) for limit in plan.terms.limits] == [
        ("player", 100_000, 900_000),
        ("banker", 2_000, 2_500_000),
    ]
    assert (plan.looks.profile, plan.looks.start, plan.looks.seats, plan.looks.buttons) == (
        "high", "deal", "one", ["rebet_x2"],
    )  # fmt: skip


def test_a_file_of_ones_own_takes_the_place_of_ours(tmp_path: Path) -> None:
    (table,) = load({}, folder(tmp_path, "three-d", FIFTH)).tables
    assert (table.kind, table.profile.decks, table.profile.name) == ("three-d", 4, "High Baccarat")


def test_a_folder_can_be_named(tmp_path: Path) -> None:
    config = folder(tmp_path, "high", FIFTH)
    (tmp_path / "profiles").rename(tmp_path / "games")
    config.write_text('profiles = "games"\n' + config.read_text(encoding="utf-8"), encoding="utf-8")
    assert load({}, config).tables[0].kind == "high"


def test_a_table_may_say_otherwise(tmp_path: Path) -> None:
    config = tmp_path / "bigroad.toml"
    config.write_text(
        '[[tables]]\nid = "a"\nname = "A"\nprofile = "three-d"\ndecks = 8\nfelt = "teal"\nshoe = "kept"\n'
        'limits.tie = { max_minor = 9_000 }\noptions = []\nareas = ["tie"]\n',
        encoding="utf-8",
    )
    (table,) = load({}, config).tables
    profile = table.profile
    assert (profile.decks, profile.felt, profile.shoe, profile.options, profile.areas) == (
        8,
        "teal",
        "kept",
        (),
        ("tie",),
    )
    assert (profile.area_limits("tie").min_minor, profile.area_limits("tie").max_minor) == (2_000, 9_000)
    assert profile.buttons == builtin()["three-d"].buttons


WRONG = [
    ("a wrong value", FIFTH.replace("decks = 4", "decks = 12"), 3, "decks"),
    ("a wrong word", FIFTH.replace('"as_dealt"', '"squeeze"'), 6, "reveal"),
    ("an unknown key", FIFTH + "colour = 1\n", 12, "colour"),
    ("an unknown button", FIFTH.replace('["rebet_x2"]', '["undo", "all_in"]'), 8, "buttons"),
    ("an unknown key inside", FIFTH.replace("max_minor", "maximum"), 11, "limits.player.maximum"),
    ("min above max", FIFTH.replace("900_000", "90_000"), 11, "limits.player"),
    ("a clock for one patron", FIFTH + "\n[clock]\nbetting_ms = 5_000\n", 13, "clock"),
    ("a wrong clock", FIFTH.replace('"one"', '"many"') + "\n[clock]\n# five\nbetting_ms = 5\n", 15, "clock.betting_ms"),
    ("chips that do not ascend", FIFTH.replace("[100_000]", "[5, 4]"), 10, "chips_minor"),
    ("limits without an area", FIFTH + "limits.tie = {}\n", 12, "limits.tie"),
    ("the same twice", FIFTH.replace('["player", "banker"]', '["player", "player"]'), 7, "areas"),
]


@pytest.mark.parametrize(("title", "text", "line", "key"), WRONG, ids=[row[0] for row in WRONG])
def test_what_is_wrong_in_a_profile_is_named_with_file_line_and_key(
    tmp_path: Path, title: str, text: str, line: int, key: str
) -> None:
    with pytest.raises(SettingsError) as wrong:
        load({}, folder(tmp_path, "high", text))
    place = f"{tmp_path / 'profiles' / 'high.toml'}: line {line}: {key}"
    assert str(wrong.value).startswith(place), str(wrong.value)


TABLES = '[server]\nport = 1\n\n[[tables]]\nid = "a"\nname = "A"\n\n# the second\n[[tables]]\nid = "b"\nname = "B"\n'
WRONG_TABLES = [
    ("no such profile", TABLES + 'profile = "poker"\n', 12, "tables[1].profile"),
    ("twice the same id", TABLES.replace('"b"', '"a"'), 10, "tables[1].id"),
    ("a time without a clock", TABLES + 'profile = "three-d"\nbetting_ms = 5_000\n', 13, "tables[1].betting_ms"),
    ("an unknown key", TABLES + "prot = 1\n", 12, "tables[1].prot"),
    ("a wrong port", TABLES.replace("port = 1", "port = 99999"), 2, "server.port"),
    ("a name that is missing", TABLES.replace('name = "B"\n', ""), 9, "tables[1]"),
    ("a limit", TABLES + "limits.tie.min_minor = 0\n", 12, "tables[1].limits.tie.min_minor"),
    ("limits that cannot be", TABLES + "limits.tie.min_minor = 9_000_000\n", 12, "tables[1].limits.tie"),
    ("a folder that is not there", 'profiles = "nowhere"\n' + TABLES, 1, "profiles"),
    ("a proxy", '[server]\ntrusted_proxies = [\n  "10.0.0.0/8",\n  "x",\n]\n', 2, "server.trusted_proxies[1]"),
]


@pytest.mark.parametrize(("title", "text", "line", "key"), WRONG_TABLES, ids=[row[0] for row in WRONG_TABLES])
def test_what_is_wrong_in_the_settings_is_named_with_its_line(
    tmp_path: Path, title: str, text: str, line: int, key: str
) -> None:
    config = tmp_path / "bigroad.toml"
    config.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as wrong:
        load({}, config)
    assert str(wrong.value).startswith(f"{config}: line {line}: {key}"), str(wrong.value)


def test_a_text_that_is_no_toml_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"high\.toml: not TOML: .*line 2"):
        load({}, folder(tmp_path, "high", 'name = "x"\nseats = \n'))


TEXT = '''\
# a comment with [brackets] and key = value
title = "with [[tables]] inside"
"quoted key" = 1
many = [
  "[[tables]]",
  { deep = 1 },
]
long = """
[[tables]]
key = 1
"""

[server] # where
port = 1
nested.deep.key = 2

[[tables]]
id = "a"
limits.tie = { min = 1, max = { of = 2 } }

[[tables]]
id = "b"
[tables.clock]
betting = 1
'''

PLACES = [
    (("title",), 2), (("quoted key",), 3), (("many", 1, "deep"), 4), (("long",), 8), (("server",), 13),
    (("server", "port"), 14), (("server", "nested", "deep", "key"), 15), (("server", "nowhere"), 13),
    (("tables", 0), 17), (("tables", 0, "id"), 18), (("tables", 0, "limits", "tie", "max"), 19),
    (("tables", 0, "limits", "player"), 19), (("tables", 1), 21), (("tables", 1, "id"), 22),
    (("tables", 1, "clock", "betting"), 24), (("tables", 1, "clock"), 23), (("nowhere",), 1),
]  # fmt: skip


@pytest.mark.parametrize(("path", "line"), PLACES, ids=str)
def test_the_line_of_a_key(path: tuple[str | int, ...], line: int) -> None:
    msgspec.toml.decode(TEXT)
    assert line_of(TEXT, path) == line


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("tables[0].limits.tie", ("tables", 0, "limits", "tie")),
        ("$.server.allowed_origins[12]", ("server", "allowed_origins", 12)),
        ("$.limits[...].min_minor", ("limits", "min_minor")),
        ("", ()),
    ],
)
def test_a_place_as_a_path(place: str, path: tuple[str | int, ...]) -> None:
    assert path_of(place) == path


def test_profiles_without_a_folder_are_ours_alone() -> None:
    assert set(profiles(None)) == set(GAMES)
    assert all(isinstance(profile, Profile) for profile in profiles(None).values())
