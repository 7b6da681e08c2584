"""`python -m tests.benchmarks [NAME ...] [--json PATH] [--scale S]`: measure, and say which promises hold.

A subject is a module `bench_NAME.py` here with `run(report)`. Each gets an empty database of its own on the servers
that tests use, and makes its rows itself. Exits with 1 when a promise is missed.
A test runs all of it at a small scale.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import django

from tests.benchmarks.report import Report
from tests.support import servers, template

SUBJECTS = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"subjects: {', '.join(SUBJECTS)}; all without one")
    parser.add_argument("--json", metavar="PATH", help="write the figures as JSON too; - is standard output")
    parser.add_argument("--scale", type=float, default=1.0, help="how much of the full size, e.g. 0.01")
    options = parser.parse_args(argv)
    if unknown := sorted(set(options.names) - set(SUBJECTS)):
        parser.error(f"no such subject: {', '.join(unknown)}. There are: {', '.join(SUBJECTS)}")
    servers.start(durable=True)
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    import_module("config.celery")  # or jobs would be sent to Celery's default broker
    import_module("django.conf").settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # or WhiteNoise warns
    report = Report(options.scale)
    for name in options.names or SUBJECTS:
        report.subject = name
        report.says(f"\n{name}")
        with empty_database():
            import_module(f"tests.benchmarks.bench_{name}").run(report)
    if options.json:
        text = json.dumps({"scale": report.scale, "figures": report.as_data()}, indent=2)
        report.says(text) if options.json == "-" else Path(options.json).write_text(f"{text}\n", encoding="utf-8")
    missed = [figure for figure in report.figures if not figure.kept]
    report.says(f"\n{len(missed)} missed" if missed else "\nall promises hold")
    return 1 if missed else 0


@contextmanager
def empty_database() -> Iterator[None]:
    """A database with our tables and rights, apart from any that tests use."""
    connection = import_module("django.db").connection
    grants = import_module("people.grants")
    template.use()
    connection.settings_dict["TEST"]["NAME"] = f"bench_{os.getpid()}"
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        if grants.application_role() != grants.owner_role():
            grants.apply(connection, grants.application_role())
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
