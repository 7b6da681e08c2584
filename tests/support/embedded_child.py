"""`python -m tests.support.embedded_child VAR [USER]`: hold the servers of VAR until standard input ends.

Prints one JSON line once they answer: addresses, process ids, folder. With USER it becomes that user first. Knows no
Django. Not durable: that costs data when the machine crashes, not when its processes are killed.
"""

from __future__ import annotations

import json
import os
import pwd
import sys
import tempfile
from dataclasses import astuple
from pathlib import Path

from config.embedded import home, serving
from config.embedded.home import existing_folder
from config.embedded.process import Account


def main(var: Path, user: str | None) -> None:
    if user:
        become(user, var.parent)
    with serving(var, durable=False) as addresses:
        database, owner, superuser, redis = astuple(addresses)
        run = json.loads((var / "run.json").read_text(encoding="utf-8"))
        up = {
            "database": database, "owner": owner, "superuser": superuser, "redis": redis,
            "postgres": run["postgres"], "valkey": run["valkey"], "folder": str(existing_folder(var)),
        }  # fmt: skip
        sys.stdout.write(json.dumps(up) + "\n")
        sys.stdout.flush()
        sys.stdin.read()


def become(user: str, near: Path) -> None:
    """Drop root. Interpreter and wheels may stand where the user can't go, so what is needed later is got first."""
    entry = pwd.getpwnam(user)
    folder = Path(tempfile.mkdtemp(prefix="programs-", dir=near))
    folder.chmod(0o755)
    with serving(folder / "warm", durable=False):  # loads every module that serving will ask for
        pass
    account = Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
    programs = home.copied_programs(folder, account, home.wheel_programs())
    home.wheel_programs = lambda: programs
    os.setgroups([])
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else None)
