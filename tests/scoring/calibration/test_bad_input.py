"""No file at all may end in a traceback, or have a row left out in silence."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.scoring.calibration.running import HEAD, found, run, written

pytestmark = pytest.mark.unit

PLAIN = [(f"c{n}", f"r{k}", f"q{k}", "depth", (n + k) % 5) for n in range(6) for k in range(3)]


def refusal(path: Path, *words: object) -> str:
    outcome = run(path, *words)
    assert outcome.refused, outcome.out
    assert outcome.code == 2
    assert outcome.out == ""
    return outcome.refused


def changed(tmp_path: Path, row: int, **cells: Any) -> Path:
    """The plain file with cells of one row changed; rows count as a spreadsheet's, the header being row 1."""
    rows = [dict(zip(HEAD, one, strict=True)) for one in PLAIN]
    rows[row - 2].update(cells)
    return written(tmp_path / "changed.csv", [tuple(one.values()) for one in rows])


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"rating": "four"}, "'four' (row 7)"),
        ({"rating": "3.5"}, "'3.5' (row 7). Fractions"),
        ({"rating": "1e999"}, "'1e999' (row 7)"),
        ({"rating": "inf"}, "'inf' (row 7)"),
        ({"rating": ""}, "The rating is missing in row 7. Fill it in, or leave these rows out by --skip-missing."),
        ({"rating": "NaN"}, "The rating is missing in row 7."),
        ({"rating": "-1"}, "Negative ratings (row 7)"),
        ({"rating": "44"}, "The furthest: row 7."),
        ({"candidate": " "}, "The candidate is missing in row 7."),
        ({"interviewer": ""}, "The interviewer is missing in row 7."),
        ({"dimension": ""}, "The dimension is missing in row 7."),
        ({"candidate": "c0", "interviewer": "r0", "item": "q0"}, "Rated more than once: row 7 (row 7 repeats row 2"),
    ],
)  # fmt: skip
def test_a_bad_cell_is_named_by_its_row(tmp_path: Path, cells: dict[str, str], said: str) -> None:
    assert said in refusal(changed(tmp_path, 7, **cells))


def test_ratings_off_a_given_scale_are_named_by_their_rows(tmp_path: Path) -> None:
    assert "1 rating off the scale 0 to 4: 9 (row 7)" in refusal(changed(tmp_path, 7, rating="9"), "--range", "0-4")


def test_a_lone_rating_far_off_is_pointed_at(tmp_path: Path) -> None:
    notes = found(changed(tmp_path, 7, rating="9"))["notes"]

    assert any("Nobody was ever given 5, 6, 7 and 8" in note for note in notes)
    assert any("row 7, apart from all others" in note for note in notes)


def test_rows_left_out_on_request_are_told(tmp_path: Path) -> None:
    skipped = found(changed(tmp_path, 7, rating="NA"), "--skip-missing")
    assert skipped["n"] == len(PLAIN) - 1
    assert "1 row without a rating left out: row 7." in skipped["notes"]

    twice = changed(tmp_path, 7, candidate="c0", interviewer="r0", item="q0", rating=0)
    for which, many in (("first", 1), ("last", 1), ("all", 0)):
        kept = found(twice, "--duplicates", which)
        assert kept["n"] == len(PLAIN) - many
        assert any("row 7" in note or "row 2" in note for note in kept["notes"])


def test_missing_and_unknown_columns_are_named(tmp_path: Path) -> None:
    path = written(tmp_path / "named.csv", PLAIN, ("candidate", "juror", "item", "dimension", "mark"))

    said = refusal(path)
    assert "There is no column 'interviewer'" in said
    assert "There is no column 'rating'" in said
    assert "candidate, juror, item, dimension, mark" in said
    assert "Is it 'juror'?" in refusal(path, "--interviewer-column", "jurors", "--rating-column", "mark")
    assert found(path, "--interviewer-column", "juror", "--rating-column", "mark")["n"] == len(PLAIN)
    assert "one part only" in refusal(path, "--interviewer-column", "juror", "--rating-column", "item")
    extra = written(tmp_path / "extra.csv", [(*row, "x") for row in PLAIN], (*HEAD, "remark"))
    assert "Columns not used: remark." in found(extra)["notes"]
    twice = written(tmp_path / "twice.csv", [(*row, 1) for row in PLAIN], (*HEAD, "rating"))
    assert "2 columns are called 'rating'" in refusal(twice)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The file is empty"),
        (b"\n\n", "The file is empty"),
        (b"candidate,interviewer,item,rating\n", "not one row below it"),
        (b"candidate,interviewer,item,rating\na,b,c\n", "Row 2: not as many cells"),
        (b'candidate,interviewer,item,rating\na,b,"c,1\n', "stray quotation mark"),
        (b"candidate,interviewer,item,rating\na,b,\xff,1\n", "Line 2 is not UTF-8"),
        ("candidate,interviewer,item,rating\na,b,c,1\n".encode("utf-16"), "UTF-16"),
        (b"PK\x03\x04whatever", "workbook"),
        (b"\x00" * 1_500_000, "Line 1 is longer"),
    ],
)
def test_files_that_are_no_tables_are_told_what_they_are(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "odd.csv"
    path.write_bytes(content)

    assert said in refusal(path)


def test_a_file_that_is_not_there_and_a_folder_are_said(tmp_path: Path) -> None:
    assert "can't be read: No such file" in refusal(tmp_path / "none.csv")
    assert "can't be read: Is a directory" in refusal(tmp_path)


def test_more_ratings_than_memory_are_refused_before_they_fill_it(tmp_path: Path) -> None:
    path = written(tmp_path / "plain.csv", PLAIN)

    assert "more than 10 ratings" in refusal(path, "--memory", "0.00001")


DEGENERATE = {
    "one rating": [("a", "x", "i", "", 3)],
    "one candidate": [("a", f"r{k}", f"q{k}", "", k) for k in range(5)],
    "one interviewer": [(f"c{n}", "x", f"q{k}", "", (n * k) % 5) for n in range(5) for k in range(3)],
    "all equal": [(f"c{n}", f"r{k}", "i", "", 2) for n in range(5) for k in range(3)],
    "all nought": [(f"c{n}", f"r{k}", "i", "", 0) for n in range(5) for k in range(3)],
    "no variance within": [(f"c{n}", f"r{k}", "i", "", n % 2) for n in range(6) for k in range(3)],
    "one each": [(f"c{n}", f"r{n}", f"q{n}", "", n % 5) for n in range(10)],
}


@pytest.mark.parametrize("name", list(DEGENERATE))
def test_degenerate_ratings_have_a_finite_answer_and_a_warning(tmp_path: Path, name: str) -> None:
    ours = found(written(tmp_path / "degenerate.csv", DEGENERATE[name]))

    for element in (*ours["candidates"], *ours["interviewers"], *ours["items"]):
        assert math.isfinite(element["estimate"])
        assert 0.2 < element["se"] < 3.0
    assert ours["warnings"]
    for output in ("page.html", "tables"):
        flag = "--html" if output.endswith("html") else "--csv"
        assert run(tmp_path / "degenerate.csv", flag, tmp_path / output).refused == ""


@pytest.mark.parametrize("name", list(DEGENERATE))
def test_joint_mode_refuses_or_is_finite(tmp_path: Path, name: str) -> None:
    outcome = run(written(tmp_path / "degenerate.csv", DEGENERATE[name]), "--model", "jml", "--json", "-")

    assert outcome.refused or all(math.isfinite(one["estimate"]) for one in outcome.json["candidates"])


def test_thousands_of_ratings_of_one_cell_are_refused_or_finite(tmp_path: Path) -> None:
    path = written(tmp_path / "cell.csv", [("a", "x", "i", "", n % 5) for n in range(3000)])

    assert "rows 3, 4, 5, 6, 7 and 2,994 more (row 3 repeats row 2" in refusal(path)
    assert 0.2 < found(path, "--duplicates", "all")["candidates"][0]["se"] < 2.0


def test_ids_that_look_alike_are_told_and_kept_apart(tmp_path: Path) -> None:
    rows = [*PLAIN, ("C0", "r0", "q0", "depth", 1)]
    ours = found(written(tmp_path / "alike.csv", rows))

    assert any("candidate 'C0' and 'c0'" in note for note in ours["notes"])
    assert {"C0", "c0"} <= {one["id"] for one in ours["candidates"]}


def test_ids_of_any_kind_come_back_as_given(tmp_path: Path) -> None:
    ids = ["007", " Ana", "=1+1", "<b>&amp;</b>", "李雷", "a\x1b[31mb", 'quo"te', "two\nlines"]
    rows = [(name, f"r{k}", f"q{k}", "", (n + k) % 5) for n, name in enumerate(ids) for k in range(3)]
    path = written(tmp_path / "ids.csv", rows)
    outcome = run(path, "--html", tmp_path / "page.html")

    assert {one["id"] for one in found(path)["candidates"]} == set(ids)
    assert "\x1b" not in outcome.out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<b>&amp;</b>" not in page
    assert "&lt;b&gt;&amp;amp;&lt;/b&gt;" in page


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=300), headed=st.booleans(), wide=st.booleans())
@example(content=b"a,b,c,\r1\r\n", headed=True, wide=False)
@example(content=b"a,b,c,1\n" * 3, headed=True, wide=False)
def test_no_bytes_at_all_are_a_traceback(tmp_path: Path, content: bytes, headed: bool, wide: bool) -> None:
    path = tmp_path / "bytes.csv"
    path.write_bytes((b"candidate,interviewer,item,rating\n" if headed else b"") + content)

    outcome = run(path, "--json", "-", *(("--wide", "*") if wide else ()))
    assert outcome.refused or outcome.json["n"] > 0


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from("ij"),
            st.sampled_from(["0", "1", "2", "4", "", "NA", "x", "9", "-1", "1.0", " 3 "]),
        ),
        max_size=12,
    )
)  # fmt: skip
def test_every_row_counts_or_is_told(tmp_path: Path, rows: list[tuple[str, ...]]) -> None:
    path = written(tmp_path / "rows.csv", rows, ("candidate", "interviewer", "item", "rating"))
    outcome = run(path, "--json", "-", "--skip-missing", "--duplicates", "all")

    if outcome.refused:
        return
    missing = sum(row[3] in {"", "NA"} for row in rows)
    assert outcome.json["n"] == len(rows) - missing
    assert any("without a rating left out" in note for note in outcome.json["notes"]) == bool(missing)
