"""An interviewer's card: read it, write on it, hand it in, amend it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from interviews.models import Seat
from people.answers import wants_json
from people.http import SignedInRequest
from people.refusal import Refused
from scoring.forms import AmendmentDraftForm, AmendmentForm, CardForm, DraftForm
from scoring.queries.card_page import CardData, load_card
from scoring.queries.cards import card_for, own_seat, working_card
from scoring.reports import card_page
from scoring.services.amendments import begin_amendment, hand_in_amendment, save_amendment, withdraw_amendment
from scoring.services.refusal import AlreadySubmitted, CardChanged, NotYet
from scoring.services.reveals import reveal_card
from scoring.services.scorecards import already_submitted, save_draft, submit_card
from scoring.views.card_page import page_context


@require_GET
def show_mine(request: SignedInRequest, code: UUID) -> HttpResponse:
    """From an interview to one's own card in it."""
    return redirect("scoring:card", seat=own_seat(request.user, code).code)


@require_GET
@never_cache
@vary_on_headers("Accept")
def show(request: SignedInRequest, seat: UUID) -> HttpResponse:
    data = load_card(card_for(request.user, seat, number=_number(request.GET.get("revision"))))
    reveal_card(viewer=request.user, seat=data.seat)
    if wants_json(request):
        return JsonResponse(card_page.card_json(data))
    return _page(request, data)


def _page(request: SignedInRequest, data: CardData, *, status: int = 200, **given: Any) -> HttpResponse:
    return render(request, "scoring/card.html", page_context(request.user, data, **given), status=status)


def _number(said: str | None) -> int | None:
    """The revision asked for in the address. Raises Http404 for what is no number."""
    if said is None:
        return None
    if not said.isascii() or not said.isdigit() or len(said) > 4:
        raise Http404
    return int(said)


@require_POST
@never_cache
def save(request: SignedInRequest, seat: UUID) -> HttpResponse:
    """Keep what was typed so far; answered with the save state alone."""
    mine = seat_of_author(request, seat)
    amends = mine.card_amending_at is not None
    form = (AmendmentDraftForm if amends else DraftForm)(request.POST)
    if not form.is_valid():
        return _saved(request, "refused", status=422, form=form)
    try:
        card = save_amendment(seat=mine, **form.values()) if amends else save_draft(seat=mine, **form.values())
    except CardChanged as refused:
        return _saved(request, "stale", status=409, message=refused.message, kept=working_card(mine))
    except Refused as refused:
        return _saved(request, "refused", status=409, message=refused.message)
    return _saved(request, "saved", card=card)


def _saved(request: SignedInRequest, state: str, *, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "scoring/card_saved.html", {"state": state, **context}, status=status)


@require_POST
@never_cache
def submit(request: SignedInRequest, seat: UUID) -> HttpResponse:
    """Hand in the card, or the amendment of one. Whatever is refused stays on the page."""
    mine = seat_of_author(request, seat)
    amends = mine.card_amending_at is not None
    form: DraftForm = (AmendmentForm if amends else CardForm)(request.POST)
    if form.is_valid():
        try:
            if amends:
                hand_in_amendment(seat=mine, **form.values())
            else:
                submit_card(seat=mine, **form.values())
        except (AlreadySubmitted, CardChanged, NotYet) as refused:
            return _refuse(request, seat, form, refused)
        except Refused as refused:
            form.add_error(refused.field, refused.message)
        else:
            messages.success(request, _("Your amendment is in.") if amends else _("Your card is submitted and locked."))
            return redirect("scoring:card", seat=seat)
    return _refuse(request, seat, form)


def _refuse(request: SignedInRequest, seat: UUID, form: DraftForm, refused: Refused | None = None) -> HttpResponse:
    """Draw the card as it stands, with what was typed: in the form, or beside the locked card where there is none."""
    data = load_card(card_for(request.user, seat))
    if data.submitted:  # whatever was wrong with the form: there is none any more
        words = refused or already_submitted()
        return _page(request, data, refused=words.message, typed=form, status=409)
    if refused is not None:
        return _page(request, data, form=form, refused=refused.message, stale=data.version, status=409)
    return _page(request, data, form=form, status=422)


@require_POST
@never_cache
def amend(request: SignedInRequest, seat: UUID) -> HttpResponse:
    """Open the submitted card for an amendment."""
    try:
        begin_amendment(seat=seat_of_author(request, seat))
    except Refused as refused:
        data = load_card(card_for(request.user, seat))
        return _page(request, data, refused=refused.message, status=409)
    return redirect("scoring:card", seat=seat)


@require_POST
@never_cache
def withdraw(request: SignedInRequest, seat: UUID) -> HttpResponse:
    """Give up the amendment, as long as no mark was changed for it."""
    try:
        withdraw_amendment(seat=seat_of_author(request, seat))
    except Refused as refused:
        data = load_card(card_for(request.user, seat))
        return _page(request, data, refused=refused.message, status=409)
    messages.success(request, _("The amendment is withdrawn. The card reads as it was submitted."))
    return redirect("scoring:card", seat=seat)


def seat_of_author(request: SignedInRequest, seat: UUID) -> Seat:
    """Fetch the viewer's own seat for writing. Others' cards are refused as in reading: 404, 403."""
    access = card_for(request.user, seat)
    if not access.own:
        raise PermissionDenied
    return access.seat
