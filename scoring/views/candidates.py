"""A candidate over all applications and interviews that the reader may see."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from people.answers import wants_json
from people.http import SignedInRequest
from scoring.labels import AIMS
from scoring.queries.candidate import load_candidate
from scoring.reports import candidate_page
from scoring.reports.comparison import draw
from scoring.reports.comparison_table import table
from scoring.reports.sorting import Order
from scoring.services.reveals import reveal_panels


@require_GET
@never_cache
@vary_on_headers("Accept")
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    data = load_candidate(request.user, code)
    reveal_panels(viewer=request.user, applications=[row.application for row in data.applied if row.card])
    lines = candidate_page.draw_lines(data)
    if wants_json(request):
        return JsonResponse(candidate_page.candidate_json(data, lines))
    context = {
        "data": data,
        "lines": lines,
        "table": table(lines, data.trees, Order(), query=request.GET, sortable=False),
        "plot": draw(lines, {}) if any(line.content for line in lines) else None,
        "raw": any(cell.raw for line in lines for cell in line.cells),
        "calibrated": any(cell.figure and not cell.raw for line in lines for cell in line.cells),
        "applied": [
            (row, line, candidate_page.raters(row, data)) for row, line in zip(data.applied, lines, strict=True)
        ],
        "aims": list(AIMS.values()),
    }
    return render(request, "scoring/candidate.html", context)
