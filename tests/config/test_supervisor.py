"""What the demo refuses before it starts anything, its password, and what reset removes."""

from __future__ import annotations

import socket
import stat
from pathlib import Path

import pytest

from config import supervisor
from config.supervisor import Refused

pytestmark = pytest.mark.unit


@pytest.fixture
def var(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VAR", str(tmp_path / "var"))
    for name in ("DEBUG", "SITE_URL", "DEMO_PASSWORD", "PORT"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "var"


def test_demo_refuses_a_taken_port_and_names_the_way_out(
    var: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setenv("PORT", str(port))

        code = supervisor.main(["demo"])

    lines = capsys.readouterr().err.splitlines()
    assert (code, len(lines)) == (1, 1)
    assert f"Port {port} can't be used" in lines[0]
    assert "make demo PORT=" in lines[0]
    assert not (var / "servers").exists()


@pytest.mark.parametrize("port", ["x", "99999"])
def test_demo_refuses_what_is_no_port(
    var: Path, port: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PORT", port)

    assert supervisor.main(["demo"]) == 1
    assert "PORT=" in capsys.readouterr().err


def test_demo_refuses_strangers_with_debug_off(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_URL", "https://sounding.example")
    supervisor.refuse_strangers(8000)
    monkeypatch.setenv("DEBUG", "0")

    with pytest.raises(Refused, match=r"sounding\.example"):
        supervisor.refuse_strangers(8000)

    monkeypatch.setenv("SITE_URL", "http://127.0.0.1:8000")
    supervisor.refuse_strangers(8000)


def test_demo_password_is_made_once_and_replaced_by_a_given_one(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    var.mkdir()
    made = supervisor.demo_password(var)
    again = supervisor.demo_password(var)
    monkeypatch.setenv("DEMO_PASSWORD", "a given one")

    given = supervisor.demo_password(var)

    assert (made == again, given) == (True, "a given one")
    assert (var / "demo-password").read_text(encoding="utf-8") == "a given one\n"
    assert stat.S_IMODE((var / "demo-password").stat().st_mode) == 0o600


def test_reset_removes_ours_and_nothing_else(var: Path) -> None:
    var.mkdir()
    for name in ("demo-password", "secret-key", "thesis.tex"):
        (var / name).write_text("x", encoding="utf-8")
    for name in ("files", "beat"):
        (var / name).mkdir()

    assert supervisor.main(["reset"]) == 0

    assert [path.name for path in var.iterdir()] == ["thesis.tex"]


def test_reset_removes_a_var_that_held_only_ours(var: Path) -> None:
    var.mkdir()
    (var / "secret-key").write_text("x", encoding="utf-8")

    assert supervisor.main(["reset"]) == 0

    assert not var.exists()


def test_announcement_names_everyone_and_the_password() -> None:
    text = supervisor.announcement(8123, "the password")

    assert "http://127.0.0.1:8123" in text
    assert "the password" in text
    names = ["admin", "curator", "manager", "lead", "interviewer", "interviewer2", "shadow", "observer"]
    assert [name for name in names if f"{name}@demo.example" not in text] == []
