"""Which commands need servers, and what is kept in VAR for good."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from config import env
from config.embedded import EmbeddedError
from config.embedded.serving import prepare
from config.servers import ensure_secret_key, keep_once, needs_servers

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("line", "needed"),
    [
        ("manage.py", False),
        ("manage.py help", False),
        ("manage.py migrate --help", False),
        ("manage.py --version", False),
        ("manage.py check", False),
        ("manage.py check --deploy", False),
        ("manage.py check --database default", True),
        ("manage.py bank lint bank/zero.yaml", False),
        ("manage.py bank import bank/zero.yaml", True),
        ("manage.py calibrate ratings.csv", False),
        ("manage.py makemessages -l zh_Hans", False),
        ("manage.py migrate", True),
        ("manage.py doctor --json -", True),
        ("manage.py shell", True),
    ],
)
def test_needs_servers_tells_from_the_command_line(line: str, needed: bool) -> None:
    assert needs_servers(line.split()) is needed


def test_secret_key_is_private_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)

    ensure_secret_key(tmp_path)
    key = (tmp_path / "secret-key").read_text(encoding="utf-8")
    ensure_secret_key(tmp_path)

    assert len(key) > 50
    assert (tmp_path / "secret-key").read_text(encoding="utf-8") == key
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


def test_secret_key_of_the_environment_leaves_var_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "given")

    ensure_secret_key(tmp_path / "var")

    assert not (tmp_path / "var").exists()


def test_keep_once_makes_a_line_once(tmp_path: Path) -> None:
    first = keep_once(tmp_path / "line", lambda: "first")
    second = keep_once(tmp_path / "line", lambda: "second")

    assert (first, second) == ("first", "first")


def test_prepare_names_a_var_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(EmbeddedError, match=r"VAR=.*/file/var can't be made: Not a directory"):
        prepare(tmp_path / "file" / "var")


def test_prepare_keeps_the_mode_of_a_folder_it_did_not_make(tmp_path: Path) -> None:
    var = tmp_path / "var"
    var.mkdir()
    var.chmod(0o750)

    prepare(var)

    assert stat.S_IMODE(var.stat().st_mode) == 0o750


def test_env_takes_an_empty_variable_for_an_unset_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAR", "")

    assert env.text("VAR", "default") == "default"
