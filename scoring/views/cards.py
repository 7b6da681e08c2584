"""An interviewer's card: read it, write on it, hand it in."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from interviews.models import Seat
from people.answers import wants_json
from people.http import SignedInRequest
from people.refusal import Refused
from scoring.forms import CardForm
from scoring.labels import RECOMMENDATIONS
from scoring.queries.card_page import CardData, load_card, open_cards
from scoring.queries.cards import card_for, may_submit, own_seat, unsent_marks
from scoring.reports import card_page
from scoring.services.refusal import AlreadySubmitted, CardChanged, NotYet
from scoring.services.reveals import reveal_card
from scoring.services.scorecards import already_submitted, save_draft, submit_card


@require_GET
def show_mine(request: SignedInRequest, code: UUID) -> HttpResponse:
    """From an interview to one's own card in it."""
    return redirect("scoring:card", seat=own_seat(request.user, code).code)


@require_GET
@never_cache
@vary_on_headers("Accept")
def show(request: SignedInRequest, seat: UUID) -> HttpResponse:
    data = load_card(card_for(request.user, seat))
    reveal_card(viewer=request.user, seat=data.seat)
    if wants_json(request):
        return JsonResponse(card_page.card_json(data))
    return _page(request, data)


@require_POST
@never_cache
def save(request: SignedInRequest, seat: UUID) -> HttpResponse:
    """Keep what was typed so far; answered with the save state alone."""
    access = card_for_author(request, seat)
    form = CardForm(request.POST)
    if not form.is_valid():
        return _saved(request, "refused", status=422, form=form)
    try:
        card = save_draft(seat=access, **form.values())
    except CardChanged as refused:
        return _saved(request, "stale", status=409, message=refused.message)
    except Refused as refused:
        return _saved(request, "refused", status=409, message=refused.message)
    return _saved(request, "saved", card=card)


def _saved(request: SignedInRequest, state: str, *, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "scoring/card.html#card-saved", {"state": state, **context}, status=status)


@require_POST
@never_cache
def submit(request: SignedInRequest, seat: UUID) -> HttpResponse:
    access = card_for_author(request, seat)
    form = CardForm(request.POST)
    if form.is_valid():
        try:
            submit_card(seat=access, **form.values())
        except (AlreadySubmitted, CardChanged, NotYet) as refused:
            # Drawn again as it stands, so that nothing stale is shown; nothing was changed.
            return _page(request, load_card(card_for(request.user, seat)), refused=refused.message, status=409)
        except Refused as refused:
            form.add_error(refused.field, refused.message)
        else:
            messages.success(request, _("Your card is submitted and locked."))
            return redirect("scoring:card", seat=seat)
    data = load_card(card_for(request.user, seat))
    if data.submitted:  # whatever was wrong with the form: there is none any more
        return _page(request, data, refused=already_submitted().message, status=409)
    return _page(request, data, form=form, status=422)


def card_for_author(request: SignedInRequest, seat: UUID) -> Seat:
    """Fetch the viewer's own seat for writing. Others' cards are refused as in reading: 404, 403."""
    access = card_for(request.user, seat)
    if not access.own:
        raise PermissionDenied
    return access.seat


def _page(
    request: SignedInRequest, data: CardData, *, form: CardForm | None = None, refused: str = "", status: int = 200
) -> HttpResponse:
    writable = data.own and data.submitted is None
    context = {
        "data": data,
        "application": data.seat.interview.application,
        "refused": refused,
        "form": form or CardForm(initial=_initial(data)),
        "writable": writable,
        "may_submit": writable and may_submit(data.seat),
        "unsent": unsent_marks(data.seat) if writable else 0,
        "choices": [
            {"value": value, "label": label, "key": str(place)}
            for place, (value, label) in enumerate(RECOMMENDATIONS.items(), start=1)
        ],
        "recommendation": RECOMMENDATIONS.get(data.recommendation or "", ""),
        "others": open_cards(request.user, data.seat) if data.own and data.submitted else [],
        **_drawn(data),
    }
    return render(request, "scoring/card.html", context, status=status)


def _initial(data: CardData) -> dict[str, Any]:
    return {
        "version": data.version,
        "summary": data.summary,
        "recommendation": data.recommendation or "",
        "reason": data.reason,
    }


def _drawn(data: CardData) -> dict[str, Any]:
    return {
        "dimensions": card_page.draw_dimensions(data),
        "boundaries": card_page.draw_boundaries(data),
        "breadth": card_page.draw_breadth(data),
        "not_covered": card_page.not_covered(data),
        "voided": card_page.voided(data),
        "notes": card_page.overall_notes(data),
        "unmarked": [
            {"title": data.titles.probe(probe.tree, probe.probe), "tree": data.titles.trees[probe.tree], "probe": probe}
            for probe in data.unmarked
        ],
    }
