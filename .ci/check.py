"""`make check`: everything that can be told without running the product. `--format` formats the templates instead.

All checks run, also after one failed, so that one round shows all there is to mend.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
SCRIPTS = Path(sysconfig.get_path("scripts"))
MANAGE = [PYTHON, "manage.py"]
# As a real installation would set it; the check must find nothing to say about settings that only differ in a demo.
DEPLOYED = {
    "DEBUG": "0",
    "SITE_URL": "https://sounding.example",
    "SECRET_KEY": "a-key-for-the-check-alone-" + "x1y2z3" * 8,
}


def templates() -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / "templates").rglob("*.html"))


def checks() -> list[tuple[str, Sequence[str | Path], dict[str, str]]]:
    """Return (name, command, environment added) in the order to run."""
    found: list[tuple[str, Sequence[str | Path], dict[str, str]]] = [
        ("format", [PYTHON, "-m", "ruff", "format", "--check", "."], {}),
        ("lint", [PYTHON, "-m", "ruff", "check", "."], {}),
        ("templates: format", [SCRIPTS / "djade", "--target-version", "5.2", "--check", *templates()], {}),
        ("templates: lint", [SCRIPTS / "djangofmt", "check", *templates()], {}),
        ("imports", [PYTHON, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-logo"], {}),
        ("types", [PYTHON, "-m", "mypy"], {}),
        ("settings", [*MANAGE, "check", "--deploy", "--fail-level", "WARNING"], DEPLOYED),
        ("migrations", [*MANAGE, "makemigrations", "--check", "--dry-run"], {}),
    ]
    if list(ROOT.glob("*/management/commands/translations.py")):
        found.append(("translations", [*MANAGE, "translations", "--check"], {}))
    return found


def run(name: str, command: Sequence[str | Path], environment: dict[str, str]) -> bool:
    start = monotonic()
    done = subprocess.run(  # noqa: S603 - our own commands
        [str(word) for word in command], cwd=ROOT, env={**os.environ, **environment},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    verdict = "FAILED" if done.returncode else "ok"
    sys.stdout.write(f"{name:<20} {verdict:<7} {monotonic() - start:5.1f} s\n{done.stdout if done.returncode else ''}")
    sys.stdout.flush()
    return done.returncode == 0


def main(argv: Sequence[str]) -> int:
    if argv == ["--format"]:
        # Both end with 1 when they changed something; make check tells whether all is well.
        for command in ([SCRIPTS / "djangofmt", "check", "--fix"], [SCRIPTS / "djade", "--target-version", "5.2"]):
            subprocess.run([*command, *templates()], cwd=ROOT, check=False)  # noqa: S603 - our own tools
        return 0
    with tempfile.TemporaryDirectory(prefix="sounding-check-") as var:
        os.chmod(var, 0o711)  # noqa: S103 - the database's user must pass through
        os.environ["VAR"] = var  # the demo's data is left alone
        results = [run(*check) for check in checks()]
    return int(not all(results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
