"""Which servers a command works with: the ones the environment names, or the private ones of this VAR.

Runs before Django's settings are read, and fills in the addresses that they read.
"""

from __future__ import annotations

import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from config import env
from config.embedded import EmbeddedError, serving
from config.embedded.process import exclusive, write_private
from config.embedded.serving import LOCK, prepare

SECRET_KEY = "secret-key"  # noqa: S105 - a file's name
# Commands that touch neither database nor bus, so that they also work where no server can run.
NEED_NOTHING = {
    "calibrate", "check", "collectstatic", "compilemessages", "diffsettings", "findstatic", "help", "makemessages",
    "simulate", "translations", "version",
}  # fmt: skip
# Commands that change the schema, or erase what the application's role may not: they connect as the tables' owner.
AS_OWNER = {"erase", "flush", "grant", "makemigrations", "migrate", "retain", "showmigrations", "sqlmigrate"}


def needs_servers(argv: Sequence[str]) -> bool:
    """Tell from the command line alone whether a command talks to a database."""
    words = [word for word in argv[1:] if not word.startswith("-")]
    if not words or {"-h", "--help", "--version"} & set(argv[1:]):
        return False
    if words[0] == "check":
        return "--database" in argv or any(word.startswith("--database=") for word in argv)
    if words[:2] == ["bank", "lint"]:
        return False
    return words[0] not in NEED_NOTHING


def var_folder() -> Path:
    """VAR, as settings read it."""
    return Path(env.text("VAR", str(Path(__file__).resolve().parent.parent / "var"))).resolve()


@contextmanager
def servers(var: Path, *, durable: bool = True) -> Iterator[tuple[str, ...]]:
    """Name the servers in the environment: those it does not name are the private ones, held while the block runs.

    Yields which of `postgres` and `valkey` are private.
    """
    want_postgres, want_valkey = not env.text("DATABASE_URL"), not env.text("REDIS_URL")
    if not (want_postgres or want_valkey):
        yield ()
        return
    ensure_secret_key(var)
    before = dict(os.environ)
    with serving(var, want_postgres=want_postgres, want_valkey=want_valkey, durable=durable, say=say) as addresses:
        if want_postgres:
            os.environ["DATABASE_URL"] = addresses.database
            os.environ["DATABASE_OWNER_URL"] = addresses.database_owner
        if want_valkey:
            os.environ["REDIS_URL"] = addresses.redis
        try:
            yield tuple(name for name, wanted in (("postgres", want_postgres), ("valkey", want_valkey)) if wanted)
        finally:  # a next start has other ports
            for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL"):
                os.environ.pop(name, None)
                os.environ.update({name: before[name]} if name in before else {})


@contextmanager
def servers_for_command(argv: Sequence[str]) -> Iterator[None]:
    """Run a manage.py command with the servers it needs. What it prints on standard output stays the command's own."""
    if AS_OWNER & set(argv[1:2]):
        os.environ["AS_OWNER"] = "1"
    if not needs_servers(argv):
        yield
        return
    try:
        with ends_on_sigterm(), servers(var_folder()):
            yield
    except (EmbeddedError, env.BadEnvironment) as error:
        raise SystemExit(f"{error}") from None


@contextmanager
def ends_on_sigterm() -> Iterator[None]:
    """Let SIGTERM unwind the stack, so that the servers we started are stopped in order."""

    def leave(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def ensure_secret_key(var: Path) -> None:
    """Write a key of this installation's own, unless the environment brings one. Sessions outlive a restart by it."""
    if env.text("SECRET_KEY"):
        return
    keep_once(prepare(var) / SECRET_KEY, lambda: secrets.token_urlsafe(50))


def keep_once(file: Path, make: Callable[[], str]) -> str:
    """Return the private file's line, making it first where it is missing; two at once get the same one."""
    with exclusive(file.parent / LOCK):
        if not file.exists():
            write_private(file, make() + "\n")
    return file.read_text(encoding="utf-8").strip()


def say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
