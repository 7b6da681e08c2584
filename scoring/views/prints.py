"""The panel card as a PDF."""

from __future__ import annotations

import logging
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from people import audit
from people.answers import attachment
from people.http import SignedInRequest
from scoring.printing import pdf
from scoring.printing.libraries import NoPango
from scoring.queries.panel_page import load_names, panel_for
from scoring.reports import panel_print
from scoring.services.reveals import reveal_panel

logger = logging.getLogger("sounding.printing")


@require_GET
@never_cache
def give_panel(request: SignedInRequest, code: UUID) -> HttpResponse:
    """Hand out the card that the panel page shows; where there is none to read yet, lead to that page."""
    access = panel_for(request.user, code)
    if access.card is None:
        return redirect("scoring:panel", code=code)
    names = load_names(request.user, access.application, access.card.content)
    html = panel_print.document(access, access.card, names, reader=request.user, printed_at=timezone.now())
    try:
        content = pdf.to_pdf(html)
    except NoPango as missing:
        return _not_printed(request, code, command=missing.command)
    except pdf.NotPrinted:
        logger.exception("no PDF of application %s", code)
        return _not_printed(request, code)
    # Written down once there is something to hold: who keeps it has seen it, and the retention page can't reach it.
    reveal_panel(viewer=request.user, application=access.application)
    audit.record(request.user, "panel.downloaded", access.application, number=access.card.number)
    return attachment(content, "application/pdf", f"panel-scorecard-{code}.pdf")


def _not_printed(request: SignedInRequest, code: UUID, *, command: str = "") -> HttpResponse:
    return render(request, "scoring/not_printed.html", {"code": code, "command": command}, status=503)
