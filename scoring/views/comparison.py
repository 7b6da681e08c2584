"""The candidates of a position side by side, and their marks as a table."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseBase, JsonResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from interviews.enums import Revealed
from interviews.views.access import managed_position
from people import audit
from people.answers import streamed, wants_json
from people.http import SignedInRequest
from people.spreadsheets import csv_in_parts
from scoring.labels import AIMS
from scoring.queries.comparison import Comparison, load_comparison
from scoring.queries.marks import HEAD, load_marks
from scoring.reports import overlap
from scoring.reports.comparison import Entry, Gap, Line, draw, gaps_of, lines, reference_intervals
from scoring.reports.comparison_json import comparison_json
from scoring.reports.comparison_table import Table, table
from scoring.reports.raw import is_raw, switch, without_calibrated
from scoring.reports.sorting import Order, in_order, read_order
from scoring.services.reveals import reveal_many, reveal_panels


@require_GET
@never_cache
@vary_on_headers("Accept")
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    position = managed_position(request.user, code)
    asked, unread = _codes(request.GET.getlist("c"))
    data = load_comparison(request.user, position, asked)
    reveal_panels(viewer=request.user, applications=[row.application for row in data.rows if row.card])
    entries = _entries(data, raw=is_raw(request.GET) and not wants_json(request))
    order = read_order(request.GET.get("order", ""), sortable=data.sortable)
    against = _against(request.GET, entries)
    rows = in_order(lines(entries, data.trees, against), order)
    if wants_json(request):
        return JsonResponse(comparison_json(data, rows, order))
    problem = _("Some of those chosen are no candidates of this position, and are left out.")
    missed = unread or (asked and len(asked) != len(data.rows) * data.chosen)
    context = {"problem": problem if missed else "", "data": data, **_drawn(request.GET, data, entries, rows, order)}
    return render(request, "scoring/compare.html", context)


def _codes(texts: list[str]) -> tuple[set[UUID], bool]:
    """Read codes of applications; and whether a text was none."""
    found = set()
    for text in texts:
        try:
            found.add(UUID(text))
        except ValueError:
            continue
    return found, len(found) != len(set(texts))


def _entries(data: Comparison, *, raw: bool) -> list[Entry]:
    read = without_calibrated if raw else dict
    return [
        Entry(
            code=str(row.application.code),
            name=row.name,
            readable=row.readable,
            content=read(row.card.content) if row.card else None,
            decision=row.application.decision if row.readable else None,
        )
        for row in data.rows
    ]


def _against(query: QueryDict, entries: list[Entry]) -> str:
    """Return the code of the one that the others are measured against: as asked, or the first with a card."""
    known = [entry.code for entry in entries if entry.content is not None]
    wanted = query.get("against", "")
    return wanted if wanted in known else next(iter(known), "")


def _drawn(query: QueryDict, data: Comparison, entries: list[Entry], rows: list[Line], order: Order) -> dict[str, Any]:
    reference = next((line.code for line in rows if line.reference), "")
    intervals = reference_intervals(entries, reference)
    drawn: Table = table(rows, data.trees, order, query=query, sortable=data.sortable)
    return {
        "switch": switch(query, [row.card.content for row in data.rows if row.card]),
        "position": data.position,
        "lines": rows,
        "table": drawn,
        "order": order,
        "reference": reference,
        "reference_name": next((line.name for line in rows if line.reference), ""),
        "referable": [entry for entry in entries if entry.content is not None],
        "statement": overlap.state(rows, intervals),
        "plot": draw(rows, intervals) if data.chosen else None,
        "uncovered": _uncovered(data, rows) if data.chosen else [],
        "banded": any(intervals.values()),
        "raw": any(cell.raw for line in rows for cell in line.cells),
        "calibrated": any(cell.figure and not cell.raw for line in rows for cell in line.cells),
        "aims": list(AIMS.values()),
        "sealed": sum(not row.readable for row in data.rows),
    }


def _uncovered(data: Comparison, rows: list[Line]) -> list[tuple[Line, tuple[Gap, ...]]]:
    trees = {tree.pk: tree for tree in data.trees}
    return [(line, gaps_of(line.content, trees) if line.content else ()) for line in rows]


@require_GET
@never_cache
def give_marks(request: SignedInRequest, code: UUID) -> HttpResponseBase:
    """Stream the marks; who is shown whose is written down before the first of them leaves."""
    position = managed_position(request.user, code)
    found = load_marks(request.user, position)
    seen: dict[Any, list[Any]] = {}
    for revision in found.revisions:
        seen.setdefault(revision.seat.interview.application, []).append(revision.seat)
    reveal_many(viewer=request.user, seen=seen, what=Revealed.CARD)
    audit.record(request.user, "marks.exported", position, cards=len(found.revisions))
    name = f"marks-{position.code}.csv"
    return streamed(request, csv_in_parts(HEAD, found.rows()), "text/csv; charset=utf-8", name)
