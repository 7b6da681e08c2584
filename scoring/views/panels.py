"""The panel card of an application, as a page and as JSON."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods
from django.views.decorators.vary import vary_on_headers

from interviews.forms.applications import ReasonForm
from people.answers import posted, status, wants_json
from people.http import SignedInRequest
from people.refusal import Refused
from scoring.models import PanelScorecard
from scoring.queries.judges import judges_heard
from scoring.queries.panel_page import PanelAccess, PanelState, load_names, load_waiting, panel_for, sealed_panel_for
from scoring.reports import panel_page
from scoring.reports.judged import judged_note
from scoring.reports.panel_report import panel_report
from scoring.reports.raw import is_raw, switch, without_calibrated
from scoring.reports.voided import voided
from scoring.services.openings import open_early
from scoring.services.panels import ask_for_panel
from scoring.services.reveals import reveal_panel


@require_GET
@never_cache
@vary_on_headers("Accept")
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    access = panel_for(request.user, code)
    if access.state == PanelState.WAITING:
        return _waiting(request, access)
    if access.card is None:
        if access.outdated and not access.compiling:
            ask_for_panel(access.application.pk)
        return _compiling(request, access)
    reveal_panel(viewer=request.user, application=access.application)
    return _card(request, access, access.card)


@require_http_methods(["GET", "POST"])
@never_cache
def open_panel(request: SignedInRequest, code: UUID) -> HttpResponse:
    """Open an application before all is in, with a reason."""
    application = sealed_panel_for(request.user, code)
    form = ReasonForm(posted(request))
    if form.is_valid():
        try:
            open_early(application=application, by=request.user, reason=form.cleaned_data["reason"])
        except Refused as refused:
            messages.error(request, refused.message)
        else:
            messages.success(request, _("Opened early. Who looks, and when, is written down."))
        return redirect("scoring:panel", code=code)
    context = {"form": form, "application": application}
    return render(request, "scoring/open_early.html", context, status=status(form))


def _waiting(request: SignedInRequest, access: PanelAccess) -> HttpResponse:
    waiting = load_waiting(access.application)
    if wants_json(request):
        return JsonResponse(
            {
                "application": str(access.application.code),
                "state": "waiting",
                "missing": [{"seat": str(seat.code), "name": str(seat.person)} for seat in waiting.missing],
                "interviews_to_come": [str(interview.code) for interview in waiting.to_come],
                "panel": None,
            }
        )
    return render(request, "scoring/panel_waiting.html", {"application": access.application, "waiting": waiting})


def _compiling(request: SignedInRequest, access: PanelAccess) -> HttpResponse:
    """Nothing was compiled yet: either it is on its way, or nobody submitted anything."""
    if wants_json(request):
        return JsonResponse({"application": str(access.application.code), "state": "compiling", "panel": None})
    context = {"application": access.application, "compiling": access.compiling or access.outdated}
    return render(request, "scoring/panel_compiling.html", context)


def _card(request: SignedInRequest, access: PanelAccess, card: PanelScorecard) -> HttpResponse:
    names = load_names(request.user, access.application, card.content)
    heard = judges_heard(request.user, access.application)
    if wants_json(request):
        head = {
            "application": str(access.application.code),
            "state": "readable",
            "panel": card.pk,
            "number": card.number,
            "digest": card.digest,
            "code_version": card.code_version,
            "calibration": card.calibration_id,
            "compiled_at": card.compiled_at.isoformat(),
            "automatic_judges": list(heard.judges) if heard else [],
            "automatic_judges_count": bool(heard and heard.counts),
        }
        return JsonResponse(head | panel_page.panel_json(card.content, names, named=access.in_charge))
    shown = without_calibrated(card.content) if is_raw(request.GET) else card.content
    context: dict[str, Any] = {
        "application": access.application,
        "access": access,
        "card": card,
        "switch": switch(request.GET, [card.content]),
        "report": panel_report(shown, names, named=access.in_charge),
        "voided": voided(card.inputs, names),
        "judged": judged_note(heard),
    }
    return render(request, "scoring/panel.html", context)
