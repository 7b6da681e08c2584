"""`manage.py bank lint`: what it prints of files, and that it needs no server."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.questionbank.outlines import SOURCE

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
BANK = ROOT / "questionbank" / "bank"


def lint(*words: object) -> tuple[str, str]:
    """Run the command; return what it printed, and what it refused with."""
    out = io.StringIO()
    try:
        call_command("bank", "lint", *map(str, words), stdout=out, stderr=io.StringIO())
    except CommandError as error:
        return out.getvalue(), str(error)
    return out.getvalue(), ""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "clocks.yaml"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_lint_of_a_sound_file_prints_the_counts_alone(file: Path) -> None:
    assert lint(file) == ("topics 1, trees 1, probes 2: added 0, changed 0, left 2, not placed 0\n", "")


def test_lint_finds_nothing_in_the_starter_bank() -> None:
    out, refused = lint(BANK)

    assert refused == ""
    assert len(out.splitlines()) == 1


def test_lint_names_file_line_key_and_severity_of_a_finding(file: Path) -> None:
    text = SOURCE.replace("What do you read", "Who sets it? What do you read").replace(", 4: {en: e}", "")
    file.write_text(text, encoding="utf-8")
    prompt = text[: text.index('    prompt: {en: "Who')].count("\n") + 1
    anchors = text[: text.index("    anchors:\n      depth: {0: {en: a}")].count("\n") + 1

    out, refused = lint(file)

    assert out.splitlines()[:2] == [
        f"{file}:{anchors}: clock-next.anchors.depth: Anchors for depth are missing: 4. "
        "Describe each rating from 0 to 4; a tree without can't be published. [stops: no_anchors]",
        f"{file}:{prompt}: clock-next.prompt.en: The prompt asks two things at once. Keep one, and make a follow-up of "
        "the other. [look: two_questions]",
    ]
    assert refused == "1 finding stops publishing."


def test_lint_with_only_something_to_look_at_succeeds(file: Path) -> None:
    file.write_text(SOURCE.replace("minutes: 12", "minutes: 6"), encoding="utf-8")

    out, refused = lint(file)

    assert "[look: minutes_over]" in out
    assert refused == ""


def test_lint_finds_near_duplicates_among_the_files(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "watches.yaml"
    other.write_text(SOURCE.replace("tree: clocks", "tree: watches").replace("clock-", "watch-"), encoding="utf-8")

    out, _refused = lint(tmp_path)

    assert f"{other}:" in out
    assert "Nearly the same prompt as `clock-next` of the tree `clocks`: 100% alike in en." in out


def test_lint_says_problems_and_findings_of_all_files_and_the_same_as_json(file: Path, tmp_path: Path) -> None:
    file.write_text(SOURCE.replace("kind: probe", "kind: x"), encoding="utf-8")
    other = tmp_path / "watches.yaml"
    other.write_text(SOURCE.replace("tree: clocks", "tree: watches").replace("weak: [{en: Nothing}]", ""), "utf-8")

    out, refused = lint(tmp_path, "--json", tmp_path / "report.json")

    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert [(one["code"], one["severity"], one["tree"]) for one in report["problems"]] == [("not_choice", "stops", "")]
    [finding] = report["findings"]
    assert (finding["code"], finding["severity"]) == ("no_signals", "stops")
    assert (finding["file"], finding["tree"], finding["probe"]) == (str(other), "watches", "clock-next")
    assert finding["line"] > 1
    assert (report["trees"], report["probes"], report["left"], report["not_placed"]) == (1, 2, 2, 0)
    assert refused == "2 findings stop publishing."
    assert len(out.splitlines()) == 3


def test_lint_starts_no_server(file: Path, tmp_path: Path) -> None:
    var = tmp_path / "var"
    environment = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}

    done = subprocess.run(
        [sys.executable, "manage.py", "bank", "lint", str(file)],
        cwd=ROOT,
        env={**environment, "VAR": str(var)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "topics 1, trees 1, probes 2: added 0, changed 0, left 2, not placed 0\n"
    assert not var.exists()
