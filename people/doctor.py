"""What `manage.py doctor` looks at. Each check returns findings with their remedy, and never raises for what it finds.

A higher app adds its own to `checks` in AppConfig.ready(). A check that needs the database goes to `database_checks`:
those run only once the database answers, so that one cause is told once.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

import django
import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from people import grants
from people.jobs import GIVE_UP_AFTER
from people.models import Heartbeat, Job
from people.services.health import STALE_AFTER

OLDEST_POSTGRES = 15_00_00
DEFAULT_KEY = "not-secret-"
CLOCK_TOLERANCE = 2.0  # seconds between our clock and the database's
MUCH_WAITING = 100  # jobs overdue


class Level(StrEnum):
    OK = "ok"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True)
class Finding:
    part: str
    level: Level
    says: str
    remedy: str = ""


Check = Callable[[], Iterator[Finding]]


def examine() -> list[Finding]:
    """Return what every check found, in order."""
    found = [finding for check in checks for finding in check()]
    reached = list(check_database())
    found += reached
    if all(finding.level != Level.BAD for finding in reached):
        found += [finding for check in database_checks for finding in check()]
    return found


def check_python() -> Iterator[Finding]:
    says = f"Python {platform.python_version()}, Django {django.get_version()}"
    fits = (3, 11) <= sys.version_info[:2] <= (3, 14)
    yield Finding("python", Level.OK if fits else Level.WARN, says, "" if fits else "Use Python 3.11 to 3.14.")


def check_settings() -> Iterator[Finding]:
    local = urlsplit(settings.SITE_URL).hostname in {"127.0.0.1", "localhost", "::1"}
    if settings.SECRET_KEY.startswith(DEFAULT_KEY):
        level = Level.WARN if settings.DEBUG else Level.BAD
        yield Finding("secret key", level, "the default, known to everyone", "Set SECRET_KEY or SECRET_KEY_FILE.")
    else:
        yield Finding("secret key", Level.OK, "our own")
    if settings.DEBUG and not local:
        yield Finding(
            "debug", Level.BAD, f"on, at {settings.SITE_URL}: it shows the insides to visitors", "Set DEBUG=0."
        )
    else:
        yield Finding("debug", Level.OK, "on, for this machine only" if settings.DEBUG else "off")
    if not (local or settings.HTTPS):
        yield Finding(
            "https", Level.BAD, f"{settings.SITE_URL} is open to listeners", "Serve https and say so in SITE_URL."
        )
    if settings.AS_OWNER:
        yield Finding("role", Level.WARN, "AS_OWNER is set: processes work as the tables' owner", "Unset AS_OWNER.")


def check_var() -> Iterator[Finding]:
    var: Path = settings.VAR
    if not var.is_dir():
        yield Finding(
            "var", Level.BAD, f"{var} is missing", "Make it, owned by the user that runs Sounding; or set VAR."
        )
        return
    secrets = ("secret-key", "demo-password", "server-passwords.json", "run.json")
    open_files = [name for name in secrets if (var / name).exists() and (var / name).stat().st_mode & 0o077]
    if open_files:
        files = " ".join(str(var / name) for name in open_files)
        yield Finding("var", Level.BAD, f"others can read {', '.join(open_files)}", f"chmod 600 {files}")
    elif var.stat().st_mode & 0o002:
        yield Finding("var", Level.BAD, f"everybody can write in {var}", f"chmod o-w {var}")
    else:
        yield Finding("var", Level.OK, f"{var}")


def check_bus() -> Iterator[Finding]:
    for name in ("REDIS_URL", "BROKER_URL"):
        url = getattr(settings, name)
        if name == "BROKER_URL" and url == settings.REDIS_URL:
            return
        try:
            with redis.Redis.from_url(url, socket_timeout=3, socket_connect_timeout=3) as client:
                version = client.info("server").get("valkey_version") or client.info("server")["redis_version"]
                policy = client.config_get("maxmemory-policy").get("maxmemory-policy", "noeviction")
        except redis.ResponseError:
            yield Finding(name, Level.OK, "answers (its settings can't be read)")
        except (redis.RedisError, OSError, ValueError) as error:
            yield Finding(name, Level.BAD, f"does not answer: {error}", f"Start it, or correct {name}.")
        else:
            if policy == "noeviction":
                yield Finding(name, Level.OK, f"answers, version {version}")
            else:
                says = f"forgets when full ({policy}): jobs would be lost"
                yield Finding(name, Level.WARN, says, "Set maxmemory-policy noeviction.")


def check_database() -> Iterator[Finding]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('server_version_num')::int")
            (version,) = cursor.fetchone()
    except DatabaseError as error:
        yield Finding("database", Level.BAD, f"does not answer: {error}".strip(), "Start it, or correct DATABASE_URL.")
        return
    says = f"PostgreSQL {version // 10000}.{version % 10000}"
    if version < OLDEST_POSTGRES:
        yield Finding("database", Level.BAD, says, "Use PostgreSQL 15 or newer.")
    else:
        yield Finding("database", Level.OK, says)


def check_migrations() -> Iterator[Finding]:
    try:
        executor = MigrationExecutor(connection)
    except DatabaseError:  # migrated, but nothing granted yet
        yield Finding("migrations", Level.BAD, "the application's role can't read which are applied", "manage.py grant")
        return
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        names = ", ".join(f"{migration.app_label}.{migration.name}" for migration, _ in waiting[:3])
        says = f"{len(waiting)} not applied ({names}{'...' if len(waiting) > 3 else ''})"
        yield Finding("migrations", Level.BAD, says, "manage.py migrate, then manage.py grant")
    else:
        yield Finding("migrations", Level.OK, "all applied")


def check_roles() -> Iterator[Finding]:
    """Ask the database what the application's role may do, whatever we granted once."""
    role, owner = grants.application_role(), grants.owner_role()
    if role == owner:
        says = "DATABASE_OWNER_URL is not set: the application owns its tables and could drop their guards"
        yield Finding(
            "roles", Level.WARN, says, "Make a second role (docs/operations.md), set DATABASE_OWNER_URL, grant."
        )
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper, has_schema_privilege(%s, 'public', 'CREATE') FROM pg_roles WHERE rolname = %s",
            [role, role],
        )
        powers = cursor.fetchone() or (False, False)
        cursor.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' "
            "AND c.relname = ANY(%s) AND has_table_privilege(%s, c.oid, 'UPDATE, DELETE, TRUNCATE') ORDER BY 1",
            [list(grants.append_only_tables()), role],
        )  # fmt: skip
        rewritable = [name for (name,) in cursor.fetchall()]
        cursor.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' "
            "AND c.relkind = 'r' AND NOT (has_table_privilege(%s, c.oid, 'SELECT') AND (c.relname = ANY(%s) OR "
            "has_table_privilege(%s, c.oid, 'INSERT'))) ORDER BY 1",
            [role, list(grants.KEPT_BY_MIGRATE), role],
        )  # fmt: skip
        closed = [name for (name,) in cursor.fetchall()]
    if any(powers):
        yield Finding(
            "roles", Level.BAD, f"{role} may change tables", f"Take superuser and CREATE on public from {role}."
        )
    elif rewritable:
        yield Finding("roles", Level.BAD, f"{role} may rewrite {', '.join(rewritable)}", "manage.py grant")
    elif closed:
        yield Finding("roles", Level.BAD, f"{role} can't use {', '.join(closed[:5])}", "manage.py grant")
    else:
        yield Finding("roles", Level.OK, f"{role} writes rows, {owner} owns tables; history can't be rewritten")


def check_clock() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        before = datetime.now(UTC)
        cursor.execute("SELECT clock_timestamp()")
        (theirs,) = cursor.fetchone()
    apart = abs((theirs - before).total_seconds())
    if apart > CLOCK_TOLERANCE:
        yield Finding("clock", Level.BAD, f"{apart:.0f} s from the database's", "Keep both machines' time (NTP).")
    else:
        yield Finding("clock", Level.OK, "agrees with the database's")


def check_workers() -> Iterator[Finding]:
    """Worker and beat, as /healthz sees them. In the demo they run; here they may well be stopped: hence a warning."""
    try:
        heard = dict(Heartbeat.objects.values_list("name", "at"))
        undone = Job.objects.filter(done_at__isnull=True)
        overdue = undone.filter(due_at__lt=timezone.now() - STALE_AFTER).count()
        given_up = undone.filter(attempts__gte=GIVE_UP_AFTER).count()
    except DatabaseError:
        return  # the tables are missing, which check_migrations says
    for name in ("worker", "beat"):
        if (at := heard.get(name)) is None:
            yield Finding(name, Level.WARN, "never heard", "Start worker and beat (make demo does).")
        elif timezone.now() - at > STALE_AFTER:
            yield Finding(name, Level.WARN, f"last heard {at:%Y-%m-%d %H:%M:%S} UTC", "Start worker and beat.")
        else:
            yield Finding(name, Level.OK, "heard just now")
    if given_up:
        says = f"{given_up} given up after {GIVE_UP_AFTER} tries"
        yield Finding("jobs", Level.BAD, says, "Read people_job.error; mend the cause; set attempts to 0.")
    elif overdue > MUCH_WAITING:
        yield Finding("jobs", Level.WARN, f"{overdue} overdue", "Look at the worker's log; start more workers.")
    else:
        yield Finding("jobs", Level.OK, f"{overdue} overdue")


checks: list[Check] = [check_python, check_settings, check_var, check_bus]
database_checks: list[Check] = [check_migrations, check_roles, check_clock, check_workers]
