"""Use the servers of a VAR for as long as you need them; the last to leave stops them.

Every user of a VAR holds VAR/servers.users shared; starting and stopping happens under VAR/servers.lock. Both locks
vanish with their process, so a killed user counts as gone, and what it left running is used, and later stopped, by the
next.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from config.embedded import postgres, valkey
from config.embedded.home import POINTER, Home, existing_folder, find_home, remove_outside
from config.embedded.postgres import Postgres
from config.embedded.process import EmbeddedError, exclusive, lives, open_lock, share, try_alone, write_private
from config.embedded.valkey import Valkey

RUN = "run.json"  # ports, process ids and Valkey's password of the latest start
PASSWORDS = "server-passwords.json"
LOCK = "servers.lock"
USERS = "servers.users"


@dataclass(frozen=True)
class Addresses:
    """Where the servers answer. A part that wasn't asked for is empty; none is printed, they hold passwords."""

    database: str = field(default="", repr=False)
    database_owner: str = field(default="", repr=False)
    database_superuser: str = field(default="", repr=False)
    redis: str = field(default="", repr=False)


@dataclass(frozen=True)
class Run:
    """What VAR/run.json says of the latest start. It is a hint: each server is asked before it is believed."""

    postgres: Postgres | None = None
    valkey: Valkey | None = None


def quiet(_line: str) -> None:
    """Say nothing."""


@contextmanager
def serving(
    var: Path,
    *,
    want_postgres: bool = True,
    want_valkey: bool = True,
    durable: bool = True,
    say: Callable[[str], None] = quiet,
) -> Iterator[Addresses]:
    """Find or start the servers of this VAR, and hold them while the block runs.

    Raises EmbeddedError when they can't be started or stopped.
    """
    var = prepare(var)
    with exclusive(var / LOCK):
        users = share(var / USERS)
        try:
            addresses = _ensure(var, want_postgres, want_valkey, durable, say)
        except BaseException:
            _stop_if_last(var, users)
            raise
    try:
        yield addresses
    finally:
        with exclusive(var / LOCK):
            _stop_if_last(var, users)


def prepare(var: Path) -> Path:
    """Make VAR where it is missing, and return it without links."""
    var = var.resolve()
    try:
        # Others may pass through (the servers' user must), but not look around; each file inside is private by itself.
        var.mkdir(mode=0o711, parents=True, exist_ok=True)
    except OSError as error:
        raise EmbeddedError(f"VAR={var} can't be made: {error.strerror}. Choose another folder.") from None
    if not os.access(var, os.W_OK | os.X_OK):
        raise EmbeddedError(f"VAR={var} can't be written by this user. Choose another folder, or run as its owner.")
    return var


def still_alive(var: Path, names: Iterable[str]) -> bool:
    """Whether each of these servers (postgres, valkey) of VAR has a living process. Asks locks only, so it is cheap."""
    folder = existing_folder(var)
    return all(folder is not None and lives(folder / f"{name}.lock") for name in names)


def destroy(var: Path) -> None:
    """Stop what proves to be ours and remove the servers' data. Raises EmbeddedError while somebody uses them."""
    var = var.resolve()
    if not var.is_dir():
        return
    with exclusive(var / LOCK):
        users = open_lock(var / USERS)
        if not try_alone(users):
            os.close(users)
            raise EmbeddedError(f"A demo or a command is using {var}. Stop it first (Ctrl-C), then try again.")
        _stop_if_last(var, users)
        with suppress(EmbeddedError):  # the folder that the pointer names is gone: nothing left to remove
            folder = existing_folder(var)
            if folder and folder.parent == var:
                shutil.rmtree(folder)
            elif folder:
                remove_outside(folder, var)
        for name in (POINTER, RUN, PASSWORDS, USERS):
            (var / name).unlink(missing_ok=True)
    (var / LOCK).unlink(missing_ok=True)


def _ensure(var: Path, want_postgres: bool, want_valkey: bool, durable: bool, say: Callable[[str], None]) -> Addresses:
    home = find_home(var)
    passwords = _passwords(var, home)
    run = _read_run(var)
    found = Addresses()
    if want_postgres:
        server = postgres.ensure(home, passwords, run.postgres, durable=durable, say=say)
        run = replace(run, postgres=server)
        _write_run(var, run)
        found = Addresses(
            database=server.address(postgres.APPLICATION, passwords.application),
            database_owner=server.address(postgres.OWNER, passwords.owner),
            database_superuser=server.address(postgres.SUPERUSER, passwords.superuser),
        )
    if want_valkey:
        bus = valkey.ensure(home, run.valkey)
        _write_run(var, replace(run, valkey=bus))
        found = replace(found, redis=bus.address())
    return found


def _stop_if_last(var: Path, users: int) -> None:
    """Leave; stop the servers when nobody else uses them. The caller holds the lock, so nobody can come in between."""
    try:
        if not try_alone(users) or not existing_folder(var) or not (var / PASSWORDS).is_file():
            return
        run = _read_run(var)
        home = find_home(var)
        if run.valkey:
            valkey.stop(home, run.valkey)
        if run.postgres:
            postgres.stop(home, _passwords(var, home), run.postgres)
        (var / RUN).unlink(missing_ok=True)
    finally:
        os.close(users)


def _passwords(var: Path, home: Home) -> postgres.Passwords:
    file = var / PASSWORDS
    if not file.is_file():
        if (home.folder / "postgres").exists():
            raise EmbeddedError(
                f"{file} is gone, and without it nobody can enter {home.folder / 'postgres'}: make reset"
            )
        words = postgres.Passwords(*(secrets.token_hex(24) for _ in range(3)))
        write_private(file, json.dumps(asdict(words)))
    return postgres.Passwords(**json.loads(_read(file)))


def _read_run(var: Path) -> Run:
    """Return the latest start, or nothing where the file is missing or torn: then what lives can't be proven ours."""
    try:
        kept = json.loads(_read(var / RUN))
        return Run(
            Postgres(**kept["postgres"]) if kept["postgres"] else None,
            Valkey(**kept["valkey"]) if kept["valkey"] else None,
        )
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return Run()


def _write_run(var: Path, run: Run) -> None:
    write_private(var / RUN, json.dumps(asdict(run), indent=2) + "\n")


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except PermissionError:
        raise EmbeddedError(
            f"{file} belongs to another user. Run this as that user or as root, or choose another VAR="
        ) from None
