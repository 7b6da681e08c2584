from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.stats.designs import Design
from tests.scoring.calibration.running import HEAD, by_id, found, run, simulated, written
from tests.scoring.stats.guilford import DATA, published

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[3]
GUILFORD = (
    DATA / "guilford_creativity.csv",
    *("--candidate-column", "scientist", "--interviewer-column", "judge"),
    *("--wide", "attack,basis,clarity,daring,enthusiasm"),
)
SMALL = Design(candidates=40, interviewers=6, pool=8, raters=(2, 3), asked=3, halo=0.4)
PANEL = Design(candidates=30, interviewers=6, pool=8, raters=(3, 3), asked=4, ask="same", halo=0.3, answer=0.5)


@pytest.fixture(scope="module")
def ratings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("ratings") / "ratings.csv", simulated(SMALL))


def test_guilfords_ratings_are_immers_and_facets_through_the_command() -> None:
    theirs, facets = published("immer_jml"), published("facets_published")
    ours = found(*GUILFORD, "--model", "jml")

    severity = {name: one["estimate"] for name, one in by_id(ours["interviewers"]).items()}
    assert severity == pytest.approx({name: theirs["xsi"][f"sev_{name}"] for name in severity}, abs=1e-5)
    assert severity == pytest.approx(facets["facets_severity"], abs=0.02)
    ability = {name: one["estimate"] for name, one in by_id(ours["candidates"]).items()}
    assert ability == pytest.approx(theirs["theta"], abs=1e-5)
    errors = {name: one["se"] for name, one in by_id(ours["candidates"]).items()}
    assert errors == pytest.approx(theirs["theta_se"], abs=1e-5)
    difficulty = {name: one["estimate"] for name, one in by_id(ours["items"]).items()}
    for trait in ("attack", "basis", "clarity", "daring"):
        assert difficulty[trait] == pytest.approx(theirs["xsi"][f"tr_{trait}"], abs=1e-5)
    (scale,) = ours["scales"]
    assert scale["thresholds"][:7] == pytest.approx([theirs["xsi"][f"tau{step}"] for step in range(1, 8)], abs=1e-4)
    assert scale["thresholds"] == pytest.approx(list(facets["facets_thresholds"].values()), abs=0.05)
    assert (scale["lowest"], scale["highest"]) == (1, 9)
    assert ours["log_likelihood"] == pytest.approx(theirs["loglike"], abs=1e-5)
    assert (ours["model"], ours["n"], ours["converged"], ours["unidentified"]) == ("jml", 105, True, [])


def test_joint_mode_centres_what_it_is_told(ratings: Path) -> None:
    ours = found(*GUILFORD, "--model", "jml", "--center", "interviewers,items")

    assert sum(one["estimate"] for one in ours["interviewers"]) == pytest.approx(0.0, abs=1e-9)
    assert "--center is for --model jml" in run(ratings, "--center", "interviewers,items").refused


def test_json_has_every_part_the_page_describes(ratings: Path) -> None:
    ours = found(ratings)

    assert {"model", "n", "variances", "scales", "candidates", "interviewers", "items", "reliability"} <= set(ours)
    assert {"unidentified", "converged", "iterations", "log_likelihood", "warnings", "notes"} <= set(ours)
    for element in (*ours["candidates"], *ours["interviewers"], *ours["items"]):
        assert {"id", "estimate", "se", "infit", "outfit", "n"} <= set(element)
        assert 0.0 < element["se"] < 2.0
    assert set(ours["candidates"][0]["dimensions"]) == {"depth", "why", "hands-on"}
    assert set(ours["candidates"][0]["dimensions"]["why"]) == {"estimate", "se"}
    assert [one["id"] for one in ours["candidates"]] == [f"c{number}" for number in range(40)]
    assert len(ours["items"]) == 8 * 3
    assert sum(one["n"] for one in ours["candidates"]) == ours["n"] == len(simulated(SMALL))
    assert set(ours["variances"]) == {"candidate", "dimension", "halo", "answer", "severity", "difficulty"}


def test_stricter_interviewers_have_higher_estimates_and_harder_items_too(ratings: Path) -> None:
    ours = found(ratings)

    for facet in ("interviewers", "candidates"):
        means = {one["id"]: one["mean"] for one in ours[facet]}
        ordered = sorted(ours[facet], key=lambda one: one["estimate"])
        first, last = means[ordered[0]["id"]], means[ordered[-1]["id"]]
        assert (first > last) == (facet == "interviewers")


def test_row_order_changes_nothing(ratings: Path, tmp_path: Path) -> None:
    again = written(tmp_path / "again.csv", reversed(simulated(SMALL)))
    one, other = found(ratings), found(again)

    for facet in ("candidates", "interviewers", "items"):
        for mine, theirs in zip(one[facet], other[facet], strict=True):
            assert mine["id"] == theirs["id"]
            assert mine["estimate"] == pytest.approx(theirs["estimate"], abs=1e-8)


@pytest.mark.parametrize("delimiter", ["\t", ";"])
def test_separators_and_the_byte_order_mark_are_found_out(ratings: Path, tmp_path: Path, delimiter: str) -> None:
    other = written(tmp_path / "other.tsv", simulated(SMALL), delimiter=delimiter)
    other.write_bytes(b"\xef\xbb\xbf" + other.read_bytes())

    assert found(other)["candidates"] == found(ratings)["candidates"]


def test_wide_files_are_the_tidy_ones(ratings: Path, tmp_path: Path) -> None:
    cells = {(c, r, i, d): y for c, r, i, d, y in simulated(SMALL)}
    items = sorted({i for _, _, i, _ in cells})
    rows = [
        (c, r, d, *(cells.get((c, r, i, d), "") for i in items))
        for c, r, d in sorted({(c, r, d) for c, r, _, d in cells})
    ]
    by_item = written(tmp_path / "items.csv", rows, ("candidate", "interviewer", "dimension", *items))
    dimensions = ("depth", "why", "hands-on")
    rows = [
        (c, r, i, *(cells[c, r, i, d] for d in dimensions)) for c, r, i in sorted({(c, r, i) for c, r, i, _ in cells})
    ]
    by_dimension = written(tmp_path / "dimensions.csv", rows, ("candidate", "interviewer", "item", *dimensions))
    tidy = found(ratings)

    for wide in (found(by_item, "--wide", "*"), found(by_dimension, "--wide", "*", "--wide-as", "dimension")):
        assert wide["n"] == tidy["n"]
        for mine, theirs in zip(wide["candidates"], tidy["candidates"], strict=True):
            assert mine["estimate"] == pytest.approx(theirs["estimate"], abs=1e-8)


def test_terms_can_be_switched_off(tmp_path: Path) -> None:
    panel = written(tmp_path / "panel.csv", simulated(PANEL))
    whole, no_halo, no_answer = found(panel), found(panel, "--no-halo"), found(panel, "--no-answer")

    assert whole["variances"]["halo"] > 0.0 < whole["variances"]["answer"]
    assert (no_halo["variances"]["halo"], no_answer["variances"]["answer"]) == (0.0, 0.0)


def test_an_answer_column_tells_answers_apart(tmp_path: Path) -> None:
    rows = [(*row, f"{row[0]} {row[1]} {row[2]}") for row in simulated(PANEL)]
    own = written(tmp_path / "own.csv", rows, (*HEAD, "answer"))
    shared = written(tmp_path / "shared.csv", [row[:5] for row in rows])

    assert found(own)["counts"]["answers"] == 30 * 3 * 4
    assert found(shared)["counts"]["answers"] == 30 * 4


def test_several_scales_have_thresholds_of_their_own(tmp_path: Path) -> None:
    rows = [(*row[:4], row[4] + 1, "short") for row in simulated(SMALL)]
    rows += [(*row[:4], min(row[4], 2), "long") for row in simulated(SMALL, 2)]
    ours = found(written(tmp_path / "two.csv", rows, (*HEAD, "scale")), "--range", "short=1-5", "--range", "0-2")

    assert [(one["scale"], one["lowest"], one["highest"]) for one in ours["scales"]] == [
        ("long", 0, 2),
        ("short", 1, 5),
    ]
    assert [len(one["thresholds"]) for one in ours["scales"]] == [2, 4]


def test_what_shares_nothing_is_said_in_words(tmp_path: Path) -> None:
    rows = [(f"c{n}", "Ana", f"q{k}", "depth", (n + k) % 5) for n in range(4) for k in range(3)]
    rows += [(f"d{n}", "Bo", f"p{k}", "depth", (n * k) % 5) for n in range(4) for k in range(3)]
    ours = found(written(tmp_path / "islands.csv", rows))

    assert "Ana and Bo share no candidate and no probe" in ours["unidentified"]
    assert {one["id"]: one["group"] for one in ours["interviewers"]} == {"Ana": 1, "Bo": 2}
    assert any("within a group only" in words for words in ours["warnings"])


def test_tables_are_printed_and_written_whole(ratings: Path, tmp_path: Path) -> None:
    outcome = run(ratings, "--csv", tmp_path / "tables", "--rows", 3)

    for words in ("Candidates", "Interviewers", "Items", "Thresholds", "varies by", "Reliability", "can't be compared"):
        assert words in outcome.out
    assert "and 37 more rows" in outcome.out
    with (tmp_path / "tables" / "candidates.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == [f"c{number}" for number in range(40)]
    assert float(rows[0]["estimate"]) == found(ratings)["candidates"][0]["estimate"]


def test_it_runs_without_a_server_and_an_interrupt_leaves_no_file(tmp_path: Path) -> None:
    big = written(tmp_path / "big.csv", simulated(Design(candidates=2000, interviewers=40, halo=0.4)))
    goal = tmp_path / "results"
    goal.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
    command = (
        "import sys, _thread, runpy, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may ignore it\n"
        "from scoring.calibration import fitting\n"
        "whole = fitting.connectedness\n"
        "fitting.connectedness = lambda ratings: (_thread.interrupt_main(), whole(ratings))[1]\n"
        f"sys.argv = ['manage.py', 'calibrate', {str(big)!r}, '--json', {str(goal / 'out.json')!r}, "
        f"'--csv', {str(goal / 'csv')!r}]\n"
        "runpy.run_path('manage.py', run_name='__main__')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, env={**environment, "VAR": str(tmp_path / "var")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert ended.returncode == 130
    assert "nothing was written" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert list(goal.iterdir()) == []
    assert not (tmp_path / "var").exists()


def test_results_are_written_over_whole_or_left(ratings: Path, tmp_path: Path) -> None:
    goal = tmp_path / "out.json"
    goal.write_text("before")

    assert "there is no folder" in run(ratings, "--json", goal, "--html", tmp_path / "none" / "page.html").refused
    assert goal.read_text() == "before"
    assert run(ratings, "--json", goal).refused == ""
    assert json.loads(goal.read_text())["n"] == len(simulated(SMALL))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.json"]


def test_the_input_is_never_written_over(ratings: Path) -> None:
    before = ratings.read_bytes()

    assert "written over" in run(ratings, "--json", ratings).refused
    assert ratings.read_bytes() == before


def test_drift_is_found_from_times(tmp_path: Path) -> None:
    design = Design(candidates=160, interviewers=6, pool=8, raters=(2, 3), asked=3, halo=0.3)
    rows = []
    for c, r, i, d, y in simulated(design):
        late = int(c[1:]) >= 120
        rows.append(
            (
                c,
                r,
                i,
                d,
                max(y - 2, 0) if late and r == "r2" else y,
                f"2026-{4 if late else 1:02d}-{int(c[1:]) % 28 + 1:02d}",
            )
        )
    timed = written(tmp_path / "timed.csv", rows, (*HEAD, "time"))
    ours = found(timed, "--drift")["drift"]

    assert ours["since"].startswith("2026-04") or ours["since"].startswith("2026-01")
    assert ours["tested"] == 6
    assert [one["id"] for one in ours["shifts"]][:1] == ["r2"]
    assert ours["shifts"][0]["shift"] > 2 * ours["shifts"][0]["se"]
    assert "Drift" in run(timed, "--drift").out
    assert "needs --model laplace" in run(timed, "--drift", "--no-halo").refused


def test_times_that_are_none_are_named(tmp_path: Path) -> None:
    rows = [(*row, "2026-01-01" if n else "soon") for n, row in enumerate(simulated(SMALL))]
    odd = written(tmp_path / "odd.csv", rows, (*HEAD, "time"))
    same = written(tmp_path / "same.csv", [(*row[:5], "7") for row in rows], (*HEAD, "time"))

    assert "'soon' (row 2)" in run(odd, "--drift").refused
    assert "no two periods" in run(same, "--drift").refused
    assert "a column time" in run(written(tmp_path / "none.csv", [row[:5] for row in rows]), "--drift").refused
    assert found(odd)["n"] == len(rows)
