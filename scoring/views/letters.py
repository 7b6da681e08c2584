"""The manager's feedback letter to a candidate: drafted, edited, taken along or sent."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from interviews.models import Application
from people import audit
from people.answers import attachment, posted, status
from people.http import SignedInRequest
from people.refusal import Refused
from scoring.letter_forms import LetterForm
from scoring.models import FeedbackLetter
from scoring.queries.letters import draft_of, identity_of, letter_application, letter_version, load_ground, sent_letters
from scoring.reports import letter as report
from scoring.services.letters import save_letter, send_letter
from scoring.services.reveals import reveal_panel


@require_http_methods(["GET", "POST"])
@never_cache
def edit(request: SignedInRequest, code: UUID) -> HttpResponse:
    application = letter_application(request.user, code)
    language = _language(application)
    form = LetterForm(posted(request), initial=_initial(request, application), language=language)
    if form.is_valid():
        try:
            save_letter(application=application, by=request.user, language=language, **form.cleaned_data)
        except Refused as refused:
            return _page(request, application, form, refused=refused.message, status=409)
        messages.success(request, _("Saved. Nothing was sent."))
        return redirect("scoring:letter", code=code)
    return _page(request, application, form, status=status(form))


@require_POST
@never_cache
def send(request: SignedInRequest, code: UUID) -> HttpResponse:
    application = letter_application(request.user, code)
    language = _language(application)
    form = LetterForm(request.POST, language=language)
    if not form.is_valid():
        return _page(request, application, form, status=422)
    try:
        send_letter(application=application, by=request.user, language=language, **form.cleaned_data)
    except Refused as refused:
        return _page(request, application, form, refused=refused.message, status=409)
    messages.success(request, _("The letter is on its way."))
    return redirect("scoring:letter", code=code)


@require_GET
@never_cache
def give_text(request: SignedInRequest, code: UUID) -> HttpResponse:
    """Hand out the letter as it was last saved, else as it is drafted."""
    application = letter_application(request.user, code)
    body = _initial(request, application)["body"]
    audit.record(request.user, "letter.downloaded", application)
    return attachment(body.encode("utf-8"), "text/plain; charset=utf-8", f"letter-{code}.txt")


def _initial(request: SignedInRequest, application: Application) -> dict[str, Any]:
    """Return what was saved, else a draft; looking at either is looking at the panel card it comes from."""
    reveal_panel(viewer=request.user, application=application)
    kept = draft_of(application)
    if kept is not None:
        return {"version": letter_version(application), "body": kept.text.body or ""}
    identity = identity_of(application)
    with translation.override(_language(application)):
        ground = load_ground(request.user, application)
        body = report.draft(
            ground,
            name=identity.name if identity else "…",
            position=application.position.title,
            writer=request.user.name,
        )
    return {"version": letter_version(application), "body": body}


def _language(application: Application) -> str:
    identity = identity_of(application)
    return identity.language if identity else "en"


def _page(
    request: SignedInRequest, application: Application, form: LetterForm, *, refused: str = "", status: int = 200
) -> HttpResponse:
    letters: list[FeedbackLetter] = sent_letters(application)
    context = {
        "application": application,
        "identity": identity_of(application),
        "form": form,
        "refused": refused,
        "letters": letters,
    }
    return render(request, "scoring/letter.html", context, status=status)
