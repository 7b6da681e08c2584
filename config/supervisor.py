"""`python -m config.supervisor demo | reset`: what `make demo` and `make reset` run.

Why not honcho, or another of its kind: it signals all its processes at once, and the servers must go last.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic
from urllib.parse import urlsplit

from config import env
from config.children import Child
from config.embedded import EmbeddedError, destroy
from config.embedded.process import open_lock, try_alone, write_private
from config.embedded.serving import prepare, still_alive
from config.ending import Ending
from config.servers import SECRET_KEY, ensure_secret_key, keep_once, say, servers, var_folder

BASE = Path(__file__).resolve().parent.parent
PEOPLE = {
    "admin": "runs the installation",
    "curator": "keeps the question bank",
    "manager": "hires: positions, candidates, interviews, panel scorecards",
    "lead": "leads interviews",
    "interviewer": "marks",
    "interviewer2": "marks too",
    "shadow": "learns by marking along; not counted",
    "observer": "sees what is asked",
}
OURS = ("demo-password", SECRET_KEY, "demo.lock")  # files of VAR that reset removes
OUR_FOLDERS = ("beat", "files", "static")


class Refused(Exception):
    """The demo can't run. The text is the one line that the user sees."""


def main(argv: Sequence[str]) -> int:
    commands = {"demo": demo, "reset": reset}
    if len(argv) != 1 or argv[0] not in commands:
        say("usage: python -m config.supervisor demo | reset")
        return 2
    try:
        commands[argv[0]]()
    except (Refused, EmbeddedError, env.BadEnvironment) as error:
        say(f"{error}")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def demo() -> None:
    port = env.integer("PORT", default=8000)
    var = prepare(var_folder())
    with only_demo(var):
        refuse_strangers(port)
        refuse_taken_port(port)
        ensure_secret_key(var)
        password = demo_password(var)
        os.environ.update({"DEBUG": env.text("DEBUG") or "1", "DEMO_PASSWORD": password, "PYTHONUNBUFFERED": "1"})
        ending = Ending().on_signals()
        while not ending.is_asked():
            if not (env.text("DATABASE_URL") and env.text("REDIS_URL")):
                say("Starting the servers...")
            with servers(var) as private:
                make_ready(ending)
                own = children(port)
                serve(own, ending, lambda: still_alive(var, private), port, announcement(port, password))
    say("Stopped.")


def reset() -> None:
    """Remove what this VAR holds: by name, so that a VAR set to the wrong folder loses nothing of its owner's."""
    var = var_folder()
    if not var.is_dir():
        return
    with only_demo(var):
        destroy(var)
        for name in OUR_FOLDERS:
            shutil.rmtree(var / name, ignore_errors=True)
        for name in OURS:
            (var / name).unlink(missing_ok=True)
    if kept := sorted(path.name for path in var.iterdir()):
        say(f"Removed the demo's data; {var} keeps what is not ours: {', '.join(kept)}")
    else:
        var.rmdir()
        say(f"Removed {var}: the next make demo starts over.")


@contextmanager
def only_demo(var: Path) -> Iterator[None]:
    lock = open_lock(var / "demo.lock")
    try:
        if not try_alone(lock):
            raise Refused(f"A demo is already running with VAR={var}. Stop it first (Ctrl-C), or choose another VAR=")
        yield
    finally:
        os.close(lock)


def refuse_strangers(port: int) -> None:
    """The demo people's password is printed on a screen: they are for this machine alone, or for someone debugging."""
    host = urlsplit(env.text("SITE_URL", f"http://127.0.0.1:{port}")).hostname
    if not env.boolean("DEBUG", default=True) and host not in {"127.0.0.1", "localhost", "::1"}:
        raise Refused(
            f"The demo does not run for {host} with DEBUG off: its accounts are for one machine. Unset SITE_URL."
        )


def refuse_taken_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OverflowError:
            raise Refused(f"PORT={port} is no port: choose one from 1024 to 65535.") from None
        except OSError as error:
            raise Refused(
                f"Port {port} can't be used ({error.strerror}). Choose another: make demo PORT=8001"
            ) from None


def demo_password(var: Path) -> str:
    given = env.text("DEMO_PASSWORD")
    if given:
        write_private(var / "demo-password", given + "\n")
        return given
    return keep_once(var / "demo-password", lambda: secrets.token_urlsafe(12))


def make_ready(ending: Ending) -> None:
    """Bring tables, rights and demo data to where they should be."""
    run(ending, "Making the tables...", "migrate", "--no-input")
    run(ending, "Giving the application its rights...", "grant")
    if list(BASE.glob("*/management/commands/demo.py")):
        run(ending, "Loading the question bank and the demo interviews...", "demo", "--prepare")


def run(ending: Ending, line: str, *command: str) -> None:
    """Run one of our commands to its end, or until the end is asked for. It speaks only when it fails."""
    if ending.is_asked():
        raise KeyboardInterrupt
    say(line)
    with TemporaryFile() as output:
        process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, str(BASE / "manage.py"), *command],
            cwd=BASE, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
        )  # fmt: skip
        while process.poll() is None:
            if ending.wait(0.05):
                process.terminate()
                process.wait()
                raise KeyboardInterrupt
        if process.returncode != 0:
            output.seek(0)
            words = output.read().decode(errors="replace").strip()
            raise Refused(f"manage.py {' '.join(command)} failed:\n{words}")


def children(port: int) -> list[Child]:
    python = [sys.executable, "-m"]
    web = [
        "uvicorn", "config.asgi:application", "--host", "127.0.0.1", "--port", str(port), "--lifespan", "off",
        # 256 KiB: larger frames close the line with 1009; frames over 64 KiB are refused by the room itself.
        "--ws", "websockets-sansio", "--ws-max-size", "262144", "--ws-per-message-deflate", "false",
        "--ws-ping-interval", "10", "--ws-ping-timeout", "10", "--timeout-graceful-shutdown", "5",
        # An access log would keep query strings, and with them the cursors and links of candidates.
        "--no-access-log", "--no-server-header", "--log-level", "warning",
    ]  # fmt: skip
    worker = [
        "celery", "--quiet", "-A", "config.celery", "worker", "-c", "2", "--pool", "prefork", "--loglevel", "WARNING",
        "--without-gossip", "--without-mingle",
    ]  # fmt: skip
    no_advice = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser"}  # what else, as root in a box
    return [
        Child("web", [*python, *web], cwd=BASE, env={"DATABASE_POOL": "1"}, patience=8.0),
        Child("worker", [*python, *worker], cwd=BASE, env=no_advice, patience=15.0),
        Child("beat", [*python, "config.beat"], cwd=BASE, patience=5.0),
    ]


def serve(own: list[Child], ending: Ending, servers_live: Callable[[], bool], port: int, announce: str) -> None:
    """Run web, worker and beat until the end is asked for, or a server dies (then the caller starts all again)."""
    start = monotonic()
    try:
        while not ending.wait(0.2):
            for child in own:
                child.keep_up(say)
            if announce and answers(port):
                say(announce)
                announce = ""
            if announce and monotonic() - start > 60:
                say("The web server does not answer yet; see the lines above.")
                start = monotonic()
            if not servers_live():
                say("PostgreSQL or Valkey died: starting all again.")
                return
    finally:
        say("Stopping web, worker and beat, then the servers...")
        for child in own:
            child.ask_to_stop()
        for child in own:
            child.await_end()


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=0.5).close()
    except OSError:
        return False
    return True


def announcement(port: int, password: str) -> str:
    width = max(len(name) for name in PEOPLE) + len("@demo.example")
    lines = [f"  {f'{name}@demo.example':<{width}}  {task}" for name, task in PEOPLE.items()]
    return "\n".join(
        [
            "",
            f"Sounding runs at {env.text('SITE_URL', f'http://127.0.0.1:{port}')}",
            f"Sign in as one of these; the password is  {password}",
            *lines,
            "Ctrl-C stops it; the data stays. To start over: make reset",
            "",
        ]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
