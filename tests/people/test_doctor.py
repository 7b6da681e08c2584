"""The doctor names what is wrong with its remedy, and exits with 1 when something is bad."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from people import doctor, grants
from people.doctor import Level
from people.models import Heartbeat

pytestmark = [pytest.mark.db, pytest.mark.django_db]


@pytest.fixture
def healthy(settings: Settings, tmp_path: Path) -> Path:
    settings.VAR = tmp_path
    for name in ("worker", "beat"):
        Heartbeat.objects.create(name=name, at=timezone.now())
    settings.AS_OWNER = False
    return tmp_path


def found(part: str) -> doctor.Finding:
    (finding,) = [finding for finding in doctor.examine() if finding.part == part]
    return finding


def test_doctor_finds_a_healthy_installation_ok(healthy: Path) -> None:
    assert {finding.part: finding.says for finding in doctor.examine() if finding.level != Level.OK} == {}


def test_doctor_names_a_readable_secret_and_the_command_that_mends_it(healthy: Path) -> None:
    secret = healthy / "secret-key"
    secret.write_text("x", encoding="utf-8")
    secret.chmod(0o644)

    finding = found("var")

    assert (finding.level, finding.remedy) == (Level.BAD, f"chmod 600 {secret}")


def test_doctor_notices_that_history_can_be_rewritten(healthy: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"GRANT UPDATE ON interviews_event TO {grants.application_role()}")

    finding = found("roles")

    assert (finding.level, finding.remedy) == (Level.BAD, "manage.py grant")
    assert "interviews_event" in finding.says


def test_doctor_says_when_the_application_owns_its_tables(healthy: Path, settings: Settings) -> None:
    settings.DATABASE_OWNER_URL = settings.DATABASE_URL

    assert found("roles").level == Level.WARN


@pytest.mark.parametrize(("debug", "level"), [(True, Level.WARN), (False, Level.BAD)])
def test_doctor_knows_the_default_key(healthy: Path, settings: Settings, debug: bool, level: Level) -> None:
    settings.DEBUG = debug
    settings.SECRET_KEY = doctor.DEFAULT_KEY + "0" * 50

    assert found("secret key").level == level


def test_doctor_names_a_bus_that_does_not_answer(healthy: Path, settings: Settings) -> None:
    settings.REDIS_URL = settings.BROKER_URL = "redis://127.0.0.1:1/0"

    finding = found("REDIS_URL")

    assert finding.level == Level.BAD
    assert "REDIS_URL" in finding.remedy


def test_doctor_command_writes_json_and_exits_with_1_when_something_is_bad(healthy: Path, settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    out = StringIO()

    with pytest.raises(SystemExit) as leaving:
        call_command("doctor", "--json", "-", stdout=out)

    assert leaving.value.code == 1
    assert {row["part"]: row["level"] for row in json.loads(out.getvalue())}["REDIS_URL"] == "bad"


def test_doctor_command_names_a_path_that_cannot_be_written(healthy: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("doctor", "--json", str(healthy / "missing" / "x.json"), stdout=StringIO())
