"""The private PostgreSQL: made once, started, proven, set up and stopped."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psycopg
from psycopg import sql

from config.embedded.home import Home, plain_path
from config.embedded.process import (
    EmbeddedError,
    await_start,
    free_port,
    last_lines,
    moments,
    open_lock,
    reap,
    run_as,
    spawn,
    try_alone,
    write_private,
)

DATABASE = "sounding"
OWNER = "sounding_owner"
APPLICATION = "sounding"
SUPERUSER = "postgres"
# No process has this id (the highest on Linux is 2**22), so PostgreSQL takes a lock file that names it as stale.
NOBODY_AT_ALL = 2**31 - 2
# For tests: a crash of the machine, though not of a process, may cost them their data; they gain half of their time.
HASTY = ("fsync=off", "full_page_writes=off")


@dataclass(frozen=True)
class Passwords:
    superuser: str
    owner: str
    application: str


@dataclass(frozen=True)
class Postgres:
    """A PostgreSQL that has proven to serve our data folder."""

    port: int
    pid: int

    def address(self, role: str, password: str) -> str:
        return f"postgresql://{role}:{password}@127.0.0.1:{self.port}/{DATABASE}?sslmode=disable&gssencmode=disable"


def ensure(
    home: Home, passwords: Passwords, last: Postgres | None, *, durable: bool, say: Callable[[str], None]
) -> Postgres:
    """Return the PostgreSQL of this home: the one that lives (where it was last), or a new one."""
    data = home.folder / "postgres"
    lock = open_lock(home.folder / "postgres.lock")
    try:
        for _ in moments():
            if try_alone(lock):
                if not data.exists():
                    say("Making the database (once)...")
                    _initialise(home, passwords, durable=durable)
                server = _start(home, passwords, lock, durable=durable)
                _set_up(server, passwords)
                return server
            if last and (alive := prove(data, passwords, last.port)):
                return alive
    finally:
        os.close(lock)
    raise EmbeddedError(
        f"A PostgreSQL lives in {data} but does not answer with our passwords. See {home.folder / 'postgres.log'}; "
        f"its process id is the first line of {data / 'postmaster.pid'}; end it and try again."
    )


def prove(data: Path, passwords: Passwords, port: int) -> Postgres | None:
    """Connect, with a password proven on both sides, and have the server say which folder and process it is."""
    try:
        with _connect(port, passwords.superuser) as connection:
            row = connection.execute(
                "SELECT current_setting('data_directory'), split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int"
            ).fetchone()
    except psycopg.Error:
        return None
    return Postgres(port, row[1]) if row and os.path.realpath(row[0]) == os.path.realpath(data) else None


def stop(home: Home, passwords: Passwords, last: Postgres) -> None:
    """Stop the server if it proves to be ours: at once for its clients, in order for its data."""
    data = home.folder / "postgres"
    server = prove(data, passwords, last.port)
    if not server:
        return
    _signal(data, passwords, server, signal.SIGINT)
    lock = open_lock(home.folder / "postgres.lock")
    try:
        for _ in moments():
            if try_alone(lock):
                reap(server.pid)
                return
    finally:
        os.close(lock)
    raise EmbeddedError(f"PostgreSQL (process {server.pid}) does not stop. Look into {home.folder / 'postgres.log'}")


def _signal(data: Path, passwords: Passwords, server: Postgres, number: signal.Signals) -> None:
    """Signal the process that the server said it is; with a process handle, ask again while holding it."""
    if not hasattr(os, "pidfd_open"):
        os.kill(server.pid, number)
        return
    try:
        handle = os.pidfd_open(server.pid)
    except ProcessLookupError:
        return
    try:
        if prove(data, passwords, server.port) == server:
            signal.pidfd_send_signal(handle, number)
    except ProcessLookupError:
        return
    finally:
        os.close(handle)


def _connect(port: int, password: str) -> psycopg.Connection:
    return psycopg.connect(
        host="127.0.0.1", port=port, user=SUPERUSER, password=password, dbname="postgres", autocommit=True,
        # A stranger on this port can't let us in without knowing the password too.
        require_auth="scram-sha-256", sslmode="disable", gssencmode="disable", connect_timeout=3,
    )  # fmt: skip


def _initialise(home: Home, passwords: Passwords, *, durable: bool) -> None:
    fresh = home.folder / "postgres.new"
    shutil.rmtree(fresh, ignore_errors=True)  # what a killed initdb left
    fresh.mkdir(mode=0o700)
    word = home.folder / "initial-password"
    if home.account:
        os.chown(fresh, home.account.uid, home.account.gid)
    write_private(word, passwords.superuser, home.account)
    options = ["--encoding=UTF8", "--locale=C.UTF-8", "--auth=scram-sha-256", *([] if durable else ["--no-sync"])]
    try:
        with plain_path(home.programs.postgres) as programs:
            command: list[str | Path] = [
                programs / "initdb",
                "-D",
                fresh,
                f"--username={SUPERUSER}",
                f"--pwfile={word}",
                *options,
            ]
            done = run_as(home.account, command, cwd=home.folder)
    finally:
        word.unlink()
    if done.returncode != 0:
        raise EmbeddedError(
            f"PostgreSQL could not make its data folder {fresh}:\n{done.stderr.strip() or done.stdout.strip()}"
        )
    fresh.rename(home.folder / "postgres")


def _start(home: Home, passwords: Passwords, lock: int, *, durable: bool) -> Postgres:
    data, log = home.folder / "postgres", home.folder / "postgres.log"
    for _attempt in range(3):  # another program may take the port between our look and PostgreSQL's bind
        _disarm_stale_pid_file(data)
        port = free_port()
        settings = [
            "listen_addresses=127.0.0.1", f"port={port}", "unix_socket_directories=", "timezone=UTC",
            "log_timezone=UTC",
            # What candidates wrote does not belong into a log: no statements, no rows.
            "log_min_error_statement=panic", "log_error_verbosity=terse",
            *([] if durable else HASTY),
        ]  # fmt: skip
        child = spawn(
            home.account,
            [home.programs.postgres / "postgres", "-D", data, *(part for line in settings for part in ("-c", line))],
            cwd=home.folder, log=log, lock=lock,
        )  # fmt: skip
        if server := await_start(child, partial(prove, data, passwords, port)):
            return server
    raise EmbeddedError(f"PostgreSQL does not start. The end of {log}:\n{last_lines(log)}")


def _disarm_stale_pid_file(data: Path) -> None:
    """Keep PostgreSQL from taking a stranger for itself.

    We hold the lock, so nothing of ours lives, and whatever process the file names is a stranger (ids are used again).
    The file isn't removed: its last line lets PostgreSQL itself see whether a lost child still holds the shared memory.
    """
    file = data / "postmaster.pid"
    try:
        _, newline, rest = file.read_text(encoding="utf-8").partition("\n")
    except FileNotFoundError:
        return
    with file.open("r+", encoding="utf-8") as open_file:  # in place: owner and mode stay
        open_file.write(f"{NOBODY_AT_ALL}{newline}{rest}")
        open_file.truncate()


def _set_up(server: Postgres, passwords: Passwords) -> None:
    """Make the two roles and the database, and give the roles the passwords we hold (restored data may know others)."""
    with _connect(server.port, passwords.superuser) as connection:
        for role, password in ((OWNER, passwords.owner), (APPLICATION, passwords.application)):
            known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone()
            verb = "ALTER" if known else "CREATE"
            connection.execute(
                sql.SQL(verb + " ROLE {} LOGIN NOSUPERUSER NOCREATEROLE PASSWORD {}").format(
                    sql.Identifier(role), sql.Literal(password)
                )
            )
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(DATABASE), sql.Identifier(OWNER))
            )
            connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(DATABASE)))
            connection.execute(
                sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(
                    sql.Identifier(DATABASE), sql.Identifier(APPLICATION)
                )
            )
