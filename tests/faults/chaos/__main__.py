"""`python -m tests.faults.chaos [--seed N] [--rounds N]`: one run, on servers of its own. Exit code 1: findings."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from importlib import import_module
from pathlib import Path

import django
from django.test.utils import setup_test_environment

from tests.support import servers

OTHERS = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "BROKER_URL", "VAR", "PYTEST_XDIST_WORKER")


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m tests.faults.chaos", description=__doc__)
    words.add_argument("--seed", type=int, default=1, help="what strikes, and what people do")
    words.add_argument("--rounds", type=int, default=20)
    words.add_argument("--plant", default="", choices=["", "no-resend", "new-ids", "cursor"], help="a bug to be found")
    words.add_argument("--logs", type=Path, help="a folder to keep the processes' logs in")
    given = words.parse_args()
    for name in OTHERS:
        os.environ.pop(name, None)
    servers.start()
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    setup_test_environment()  # for the pages that are compared
    import_module("config.celery")
    code = import_module("tests.faults.chaos.run").main(given.seed, given.rounds, given.plant)
    for log in Path(os.environ["VAR"]).glob("*.log") if given.logs else ():
        given.logs.mkdir(parents=True, exist_ok=True)
        shutil.copy(log, given.logs)
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
