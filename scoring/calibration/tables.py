"""The tables of a report: printed, and as CSV files."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring.calibration.problems import counted, printable

Cell = str | int | float | None
Z95 = 1.959964
MOST_OF_AN_ID = 32
KIND_NAMES = {
    "candidate": "candidates",
    "dimension": "candidate x dimension",
    "halo": "candidate x interviewer (halo)",
    "answer": "candidate x answer",
    "severity": "interviewers (severity)",
    "difficulty": "items (difficulty)",
    "rating": "a single rating's own noise",
}


@dataclass(frozen=True)
class TableOut:
    """A table: its file name without ending, its title, its heads and rows."""

    name: str
    title: str
    head: tuple[str, ...]
    rows: list[tuple[Cell, ...]]


MEASURES = ("estimate", "se", "infit", "outfit", "n", "group")


def tables(report: dict[str, Any]) -> list[TableOut]:
    """Every table of a report, whole."""
    people = ("mean", "fair", "fair_low", "fair_high")
    several = any(item["dimension"] for item in report["items"])
    scales = len(report["scales"]) > 1
    items = ("id", *(("dimension",) if several else ()), *(("scale",) if scales else ()), *MEASURES)
    made = [
        _of("candidates", "Candidates (capability, logits)", ("id", *MEASURES, *people), report["candidates"]),
        _of("interviewers", "Interviewers (severity, logits; higher is stricter)", ("id", *MEASURES, *people),
            report["interviewers"]),
        _of("items", "Items (difficulty, logits)", items, report["items"]),
    ]  # fmt: skip
    if several:
        made.append(_dimensions(report))
    made += [_thresholds(report), _variances(report), _reliability(report)]
    if "decision_study" in report:
        head = ("interviewers", "reliability", "half_width", "raw_reliability")
        title = "What a panel of so many interviewers would reach (three answers each)"
        made.append(_of("decision_study", title, head, report["decision_study"]))
    if "drift" in report:
        shifts = ("id", "shift", "se", "t", "p", "sessions_before", "sessions_after")
        title = f"Drift: whose severity is another since {printable(report['drift']['since'])} (logits)"
        made.append(_of("drift", title, shifts, report["drift"]["shifts"]))
    unexpected = ("row", "candidate", "interviewer", "item", "dimension", "rating", "expected", "standardised")
    made.append(_of("unexpected", "Ratings far from what was expected", unexpected, report["unexpected"]))
    made.append(
        TableOut("unidentified", "What can't be compared", ("unidentified",), [(s,) for s in report["unidentified"]])
    )
    return made


def _of(name: str, title: str, head: Sequence[str], rows: Sequence[dict[str, Any]]) -> TableOut:
    return TableOut(name, title, tuple(head), [tuple(row[column] for column in head) for row in rows])


def _dimensions(report: dict[str, Any]) -> TableOut:
    rows: list[tuple[Cell, ...]] = [
        (one["id"], dimension, value["estimate"], value["se"])
        for one in report["candidates"]
        for dimension, value in one["dimensions"].items()
    ]
    return TableOut("dimensions", "Candidates by dimension", ("id", "dimension", "estimate", "se"), rows)


def _thresholds(report: dict[str, Any]) -> TableOut:
    rows: list[tuple[Cell, ...]] = [
        (scale["scale"], scale["lowest"] + step, threshold, error)
        for scale in report["scales"]
        for step, (threshold, error) in enumerate(zip(scale["thresholds"], scale["thresholds_se"], strict=True), 1)
    ]
    return TableOut(
        "thresholds", "Thresholds: from one rating up to the next", ("scale", "to", "threshold", "se"), rows
    )


def _variances(report: dict[str, Any]) -> TableOut:
    shares = {one["kind"]: (one["variance"], one["share"]) for one in report.get("components", [])}
    fitted = report["model"] == "laplace"  # a joint fit has none
    found = shares or {kind: (value, None) for kind, value in report["variances"].items() if fitted}
    rows: list[tuple[Cell, ...]] = [
        (KIND_NAMES[kind], value, None if value is None else value**0.5, share)
        for kind, (value, share) in found.items()
    ]
    return TableOut("variances", "What a rating varies by (logits squared)", ("of", "variance", "sd", "share"), rows)


def _reliability(report: dict[str, Any]) -> TableOut:
    rows: list[tuple[Cell, ...]] = [
        (name, one["reliability"], one["separation"], one["elements"]) for name, one in report["reliability"].items()
    ]
    head = ("of", "reliability", "separation", "elements")
    return TableOut("reliability", "Reliability", head, rows)


def as_csv(table: TableOut) -> str:
    """The table whole, numbers as exact as they are."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.head)
    writer.writerows(["" if cell is None else cell for cell in row] for row in table.rows)
    return text.getvalue()


def as_text(table: TableOut, most_rows: int) -> str:
    """The table for a terminal, its first rows."""
    shown = table.rows[:most_rows]
    written = [table.head, *([_written(cell) for cell in row] for row in shown)]
    widths = [max(width(row[place]) for row in written) for place in range(len(table.head))]
    numeric = [any(isinstance(row[place], int | float) for row in shown) for place in range(len(table.head))]
    lines = [table.title, ""]
    for row in written:
        cells = [
            " " * (wide - width(cell)) + cell if right else cell + " " * (wide - width(cell))
            for cell, wide, right in zip(row, widths, numeric, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    if not shown:
        lines[2:] = ["none"]
    if len(table.rows) > len(shown):
        lines.append(f"and {counted(len(table.rows) - len(shown), 'more row')}: --rows, --csv")
    return "\n".join(lines)


def _written(cell: Cell) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:.2f}" if abs(cell) < 1e6 else f"{cell:.3g}"
    return str(cell) if isinstance(cell, int) else printable(cell, MOST_OF_AN_ID)


def width(text: str) -> int:
    """Columns of a terminal; a wide character takes two, a combining one none."""
    return sum(
        2 if unicodedata.east_asian_width(one) in "WF" else 0 if unicodedata.combining(one) else 1 for one in text
    )


def summary(report: dict[str, Any]) -> str:
    """What was fitted, in two lines."""
    counts = report["counts"]
    parts = [counted(report["n"], "rating"), counted(counts["candidates"], "candidate"),
             counted(counts["interviewers"], "interviewer"), counted(counts["items"], "item"),
             counted(counts["sessions"], "session")]  # fmt: skip
    state = "converged" if report["converged"] else "not converged"
    fit = f"model {report['model']}, {state} after {counted(report['iterations'], 'pass', 'passes')}"
    value = report["log_likelihood"]
    return f"{', '.join(parts)}\n{fit}, log-likelihood {'-' if value is None else f'{value:.3f}'}"
