"""A report as one HTML file that needs nothing else: plain words, drawings, and every table."""

from __future__ import annotations

from html import escape
from typing import Any

from scoring.calibration.drawings import severities, wright_map
from scoring.calibration.problems import counted, printable
from scoring.calibration.tables import Cell, TableOut, summary, tables

MOST_ROWS = 1_000
OPEN_UP_TO = 30
HARDLY = 0.25
STYLE = """
:root { color-scheme: light dark; --bg: light-dark(#fbfbf9, #15181c); --ink: light-dark(#1a1d21, #e4e6e9);
  --quiet: light-dark(#565c66, #a3a9b3); --line: light-dark(#e0e2df, #2d3238); --strong: light-dark(#7d838c, #737a85);
  --accent: light-dark(#0c5a86, #84c0ea); --two: light-dark(#8a5a00, #dcae5c); --three: light-dark(#6a4c93, #bda4e3);
  --warn: light-dark(#faf2e0, #2d2618); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px 16px 48px; max-width: 960px; background: var(--bg); color: var(--ink);
  font: 400 14px/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 20px; line-height: 1.3; margin: 0 0 4px; } h2 { font-size: 16px; margin: 32px 0 8px; }
p, li { max-width: 70ch; } .quiet { color: var(--quiet); white-space: pre-line; }
.warn { background: var(--warn); padding: 8px 16px; border-radius: 4px; } .warn ul { margin: 0; padding-left: 18px; }
.wide { overflow-x: auto; } svg { display: block; max-width: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); }
th, td { padding: 3px 12px 3px 0; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
.n { text-align: right; } thead th { color: var(--quiet); font-weight: 500; } tbody th { font-weight: 400; }
summary { cursor: pointer; font-weight: 600; font-size: 16px; margin: 16px 0 8px; }
text { fill: var(--ink); font-size: 12px; }
.tick { fill: var(--quiet); text-anchor: middle; } .name { text-anchor: end; }
.group { fill: var(--quiet); } .grid { stroke: var(--line); fill: none; } .zero { stroke: var(--strong); fill: none; }
.interval { stroke: var(--accent); stroke-width: 2; fill: none; } .dot, .one { fill: var(--accent); }
.two { fill: var(--two); } .three { fill: var(--three); }
@media print { details > * { display: block; } }
"""


def page(report: dict[str, Any], name: str) -> str:
    """The whole page. `name` is the file's, for its title."""
    shown = escape(printable(name, 100))
    parts = [
        f"<h1>Calibration of {shown}</h1>",
        f'<p class="quiet">{escape(summary(report))}</p>',
        _listed(report["warnings"], "warn", "To keep in mind"),
        "<h2>In plain words</h2>",
        "".join(f"<p>{escape(sentence)}</p>" for sentence in plain_words(report)),
        _listed(report["unidentified"][:20], "", "What can't be compared"),
        _drawn("How strict interviewers are", severities(report["interviewers"])),
        _drawn("Everyone on one scale", wright_map(report)),
        *(_table(table) for table in tables(report)),
        _listed(report["notes"], "", "How the file was read"),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Calibration of {shown}</title><style>{STYLE}</style></head><body><main>\n"
        + "\n".join(part for part in parts if part)
        + "\n</main></body></html>\n"
    )


def plain_words(report: dict[str, Any]) -> list[str]:
    """What the figures mean, for someone who knows no statistics."""
    said = []
    fair = sorted(one["fair"] for one in report["interviewers"] if one["fair"] is not None)
    severity = report["variances"]["severity"] ** 0.5
    if len(fair) > 1:
        said.append(
            f"An average candidate on an average item would get {fair[-1]:.2f} from the most lenient interviewer and "
            f"{fair[0]:.2f} from the strictest."
        )
    if report["model"] == "laplace" and len(fair) > 1:
        if severity < HARDLY:
            said.append("Interviewers hardly differ in how strict they are: calibration changes little here.")
        else:
            said.append(
                f"Interviewers differ by a standard deviation of {severity:.2f} logits, which calibration takes out of "
                "candidates' values."
            )
    reached = report["reliability"]["candidates"]["reliability"]
    if reached is not None:
        said.append(
            f"Of what candidates' values differ by, {reached:.0%} is candidates and the rest chance (reliability "
            f"{reached:.2f}). Their intervals are estimate ± 1.96 se."
        )
    study = report.get("decision_study", [])
    if len(study) > 2:
        reach = [f"{counted(one['interviewers'], 'interviewer')}: {one['reliability']:.2f}" for one in study[:4]]
        said.append(f"Reliability to expect with three answers for each interviewer: {', '.join(reach)}.")
    return said


def _listed(sentences: list[str], kind: str, title: str) -> str:
    if not sentences:
        return ""
    items = "".join(f"<li>{escape(printable(sentence, 500))}</li>" for sentence in sentences)
    return f'<section class="{kind}"><h2>{title}</h2><ul>{items}</ul></section>'


def _drawn(title: str, drawing: str) -> str:
    if not drawing:
        return ""
    return f"<section><h2>{title}</h2>{_scrolled(title, drawing)}</section>"


def _scrolled(title: str, content: str) -> str:
    """What may be wider than the window: by keyboard too it can be scrolled."""
    return f'<div class="wide" tabindex="0" role="group" aria-label="{title}">{content}</div>'


def _table(table: TableOut) -> str:
    title = escape(table.title)
    shown = table.rows[:MOST_ROWS]
    numeric = [any(isinstance(row[place], int | float) for row in shown) for place in range(len(table.head))]
    head = "".join(
        f'<th scope="col"{_right(right)}>{escape(name.replace("_", " "))}</th>'
        for name, right in zip(table.head, numeric, strict=True)
    )
    body = (
        "".join(f"<tr>{_row(row, numeric)}</tr>" for row in shown) or f'<tr><td colspan="{len(numeric)}">none</td></tr>'
    )
    rest = len(table.rows) - len(shown)
    more = f"<p>{counted(rest, 'more row')} in the CSV and JSON.</p>" if rest > 0 else ""
    caption = counted(len(table.rows), "row")
    state = " open" if len(table.rows) <= OPEN_UP_TO else ""
    return (
        f"<details{state}><summary>{title}</summary>"
        + _scrolled(
            title, f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )
        + f"{more}</details>"
    )


def _row(row: tuple[Cell, ...], numeric: list[bool]) -> str:
    first, *others = [(_cell(cell), _right(right)) for cell, right in zip(row, numeric, strict=True)]
    return f'<th scope="row"{first[1]}>{first[0]}</th>' + "".join(f"<td{right}>{cell}</td>" for cell, right in others)


def _right(numeric: bool) -> str:
    return ' class="n"' if numeric else ""


def _cell(cell: Cell) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.2f}".replace("-", "\N{MINUS SIGN}")
    return str(cell) if isinstance(cell, int) else escape(printable(cell, 500))
