"""How trees and probes do in interviews: one tree, the whole bank. For curators; nobody's name is behind a figure."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from people.http import SignedInRequest
from people.refusal import Refused
from questionbank.enums import VersionState
from questionbank.health_reads import HealthOfTree, health_of, health_of_bank
from questionbank.models import Tree
from questionbank.services.promoting import promote
from questionbank.views.access import curators
from questionbank.views.health_plot import NUMBERS, draw_flow
from questionbank.views.health_rows import health_rows, inversion_row
from questionbank.wording import STATES


@require_safe
@curators
def tree_health(request: SignedInRequest, key: str) -> HttpResponse:
    found = _found(key)
    rows = health_rows(found)
    health = found.health
    context = {
        "tree": found.tree,
        "version": found.shown or found.newest,
        "shown": found.shown,
        "state": STATES[VersionState((found.shown or found.newest).status.state)],
        "health": health,
        "rows": list(rows.values()),
        "leaks": [rows[one.node.key] for one in health.leaks],
        "inversions": [inversion_row(one, rows) for one in health.inversions],
        "promotable": [rows[one.node.key] for one in health.promotable],
        "last_stop": rows[health.last_stop.node.key] if health.last_stop else None,
        "deepest": rows[health.deepest.node.key] if health.deepest else None,
        "flow": draw_flow(health.probes, found.probes) if health.known else None,
        "numbers_x": NUMBERS,
        "counted_on": health.counted_on,
        "draft": found.draft,
    }
    return render(request, "questionbank/health.html", context)


@require_safe
@curators
def bank_health(request: SignedInRequest) -> HttpResponse:
    return render(request, "questionbank/health_list.html", {"lines": health_of_bank()})


@require_POST
@curators
def promote_probe(request: SignedInRequest, key: str, probe: str) -> HttpResponse:
    try:
        version = promote(key, probe, by=request.user)
    except Tree.DoesNotExist:
        raise Http404(_("The bank has no such tree.")) from None
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("questionbank:tree-health", key=key)
    messages.success(request, _("It is scored in version %(n)d, a draft.") % {"n": version.number})
    return redirect("questionbank:bank-probe", key=key, number=version.number, probe=probe)


def _found(key: str) -> HealthOfTree:
    try:
        return health_of(key)
    except Tree.DoesNotExist:
        raise Http404(_("The bank has no such tree.")) from None
