"""Settings: defaults, file, environment, and errors that name the place."""

import re
from pathlib import Path

import msgspec
import pytest

from bigroad.profiles.profile import Clock
from bigroad.settings import Settings, SettingsError, TableSettings, load

OPERATING = Path(__file__).parents[2] / "docs" / "operating.md"


def write(folder: Path, text: str) -> Path:
    path = folder / "bigroad.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_nothing_need_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load({})
    assert settings == Settings()
    assert [table.id for table in settings.tables] == ["emerald", "midnight", "burgundy", "express", "tableau"]
    assert (settings.server.host, settings.server.port) == ("0.0.0.0", 8080)


def test_the_defaults_are_those_of_the_product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = load({}).tables[0].profile
    assert table.clock == Clock(50_000, 10_000)
    assert (table.decks, table.pace_permille, table.shoe) == (8, 1000, "kept")
    assert table.chips_minor == (2_000, 10_000, 50_000, 100_000, 500_000, 2_500_000)
    for area in ("player", "banker", "tie"):
        assert (table.area_limits(area).min_minor, table.area_limits(area).max_minor) == (2_000, 2_500_000)
    assert table.bankroll_minor == 1_000_000_000
    assert load({}).guests.start_minor == 1_000_000


def test_the_file_in_the_folder_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "[server]\nport = 9001\n")
    assert load({}).server.port == 9001


def test_the_environment_beats_the_file_and_its_own_port_beats_port(tmp_path: Path) -> None:
    path = write(tmp_path, '[server]\nport = 9001\ndata = "x"\n[limits]\nsockets_per_ip = 3\n')
    settings = load(
        {
            "PORT": "9002",
            "BIGROAD_LIMITS_SOCKETS_PER_IP": "7",
            "BIGROAD_ALLOWED_ORIGINS": "https://a.example, http://b.example:81",
            "BIGROAD_PUBLIC_URL": "https://play.example",
            "UNRELATED": "1",
        },
        path,
    )
    assert (settings.server.port, settings.limits.sockets_per_ip, settings.server.data) == (9002, 7, "x")
    assert settings.server.allowed_origins == ("https://a.example", "http://b.example:81")
    assert settings.server.is_https
    assert load({"PORT": "9002", "BIGROAD_PORT": "9003"}, path).server.port == 9003


def test_the_file_can_be_named_by_the_environment(tmp_path: Path) -> None:
    assert load({"BIGROAD_CONFIG": str(write(tmp_path, "[guests]\nstart_minor = 5"))}).guests.start_minor == 5


def test_areas_without_limits_have_the_usual_ones(tmp_path: Path) -> None:
    path = write(tmp_path, '[[tables]]\nid = "a"\nname = "A"\nlimits.tie = { max_minor = 9000 }\n')
    table = load({}, path).tables[0].profile
    assert (table.area_limits("tie").min_minor, table.area_limits("tie").max_minor) == (2_000, 9_000)
    assert table.area_limits("player").max_minor == 2_500_000


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[server]\nprot = 1", ["server", "prot"]),
        ('[server]\nport = "x"', ["server.port"]),
        ("[server]\nport = 70000", ["server.port"]),
        ('[server]\npublic_url = "play.example"', ["server.public_url"]),
        ('[server]\npublic_url = "https://play.example/"', ["server.public_url"]),
        ('[server]\nallowed_origins = ["https://a.example", "*"]', ["server.allowed_origins[1]"]),
        ('[server]\ntrusted_proxies = ["10.0.0.0/99"]', ["server.trusted_proxies[0]", "10.0.0.0/99"]),
        ('[server]\nmetrics = ["127.0.0.1", "off"]', ["server.metrics[1]", "off"]),
        ("[limits]\nframe_bytes = 1", ["limits.frame_bytes"]),
        ("[guests]\nstart_minor = 0", ["guests.start_minor"]),
        ("[guests]\nstart_minor = 1.5", ["guests.start_minor"]),
        ("[other]\nx = 1", ["other"]),
        ("tables = []", ["tables"]),
        ('[[tables]]\nid = "A b"\nname = "x"', ["tables[0].id"]),
        ('[[tables]]\nid = "a"', ["tables[0]", "name"]),
        ('[[tables]]\nid = "a"\nname = "x"\nprofile = "poker"', ["tables[0].profile"]),
        ('[[tables]]\nid = "a"\nname = "x"\nlimits.dragon = {}', ["tables[0].limits"]),
        (
            '[[tables]]\nid = "a"\nname = "x"\nlimits.tie = { min_minor = 9, max_minor = 8 }',
            ["tables[0].limits.tie", "min_minor"],
        ),
        ('[[tables]]\nid = "a"\nname = "x"\nchips_minor = [5, 4]', ["tables[0].chips_minor"]),
        ('[[tables]]\nid = "a"\nname = "x"\n[[tables]]\nid = "a"\nname = "y"', ["tables[1].id"]),
        ("[server", ["not TOML"]),
    ],
)
def test_an_error_names_the_file_and_the_key(tmp_path: Path, text: str, named: list[str]) -> None:
    path = write(tmp_path, text)
    with pytest.raises(SettingsError) as wrong:
        load({}, path)
    for word in [str(path), *named]:
        assert word in str(wrong.value)


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"PORT": "x"}, "environment: PORT"),
        ({"PORT": "8080", "BIGROAD_PORT": "70000"}, "environment: BIGROAD_PORT"),
        ({"BIGROAD_PROT": "1"}, "BIGROAD_PROT"),
        ({"BIGROAD_GUESTS_START_MINOR": "1.5"}, "BIGROAD_GUESTS_START_MINOR"),
        ({"BIGROAD_ALLOWED_ORIGINS": "*"}, "BIGROAD_ALLOWED_ORIGINS"),
        ({"BIGROAD_CONFIG": "/nowhere/bigroad.toml"}, "/nowhere/bigroad.toml"),
    ],
)
def test_an_error_names_the_variable(
    environment: dict[str, str], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingsError, match=re.escape(named)):
        load(environment)


def test_the_documents_example_has_every_key_and_says_the_defaults(tmp_path: Path) -> None:
    text = OPERATING.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    path = write(tmp_path, text)
    defaults, told = Settings(), load({}, path)
    for section in ("server", "limits", "guests"):
        assert getattr(told, section) == getattr(defaults, section)
    assert told.tables == defaults.tables
    tree = msgspec.toml.decode(text)
    for section, struct in (("server", defaults.server), ("limits", defaults.limits), ("guests", defaults.guests)):
        assert set(tree[section]) | {"public_url"} == set(struct.__struct_fields__) | {"public_url"}
    assert set(tree["tables"][0]) == set(TableSettings.__struct_fields__)
