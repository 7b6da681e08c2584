"""Marking an interview without names, for the one who was asked to."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from people.http import SignedInRequest
from people.refusal import Refused
from scoring.forms import AnswerForm, HandIn
from scoring.labels import KINDS, STATEMENT_AIDS, STATEMENTS
from scoring.models import BlindMarking
from scoring.queries.blind import Answer, load_answers, marking_for, marks_of
from scoring.services.blind_marking import COLUMNS, keep_marks, open_timeline
from scoring.services.refusal import AlreadySubmitted


@require_http_methods(["GET", "POST"])
@never_cache
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    marking = marking_for(request.user, code)
    open_timeline(marking)
    answers = load_answers(marking.interview)
    if request.method == "GET":
        return _page(request, marking, answers, _blank(marking, answers))
    hand_in = HandIn(request.POST)
    forms = _forms(answers, data=request.POST)
    valid = all(form.is_valid() for form in forms.values()) and hand_in.is_valid()
    if not valid:
        refused = _("Something in this form is not as it should be. Nothing was changed; look at each answer.")
        return _page(request, marking, answers, forms, refused=refused, status=422)
    submit = hand_in.cleaned_data["do"] == "submit"
    marks = {asked: form.cleaned_data for asked, form in forms.items()}
    try:
        keep_marks(marking=marking, version=hand_in.cleaned_data["version"], marks=marks, submit=submit)
    except AlreadySubmitted as refusal:
        return _page(request, marking, answers, _blank(marking, answers), refused=refusal.message, status=409)
    except Refused as refusal:
        return _page(request, marking, answers, forms, refused=refusal.message, status=409)
    messages.success(request, _("Handed in. Thank you.") if submit else _("Saved."))
    return redirect("people:home") if submit else redirect("scoring:blind-marking", code=code)


def _forms(answers: list[Answer], *, data: Any = None, marks: Any = None) -> dict[str, AnswerForm]:
    marks = marks or {}
    return {
        answer.asked: AnswerForm(
            data,
            prefix=answer.asked,
            aims=[aim.value for aim in answer.probe.aims],
            initial={name: getattr(marks.get(answer.asked), name, None) for name in COLUMNS},
        )
        for answer in answers
    }


def _blank(marking: BlindMarking, answers: list[Answer]) -> dict[str, AnswerForm]:
    return _forms(answers, marks=marks_of(marking))


def _page(
    request: SignedInRequest,
    marking: BlindMarking,
    answers: list[Answer],
    forms: dict[str, AnswerForm],
    *,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    """Draw the page. Nothing here may depend on why the marking was asked for."""
    posted = request.POST.get("version", "") if request.method == "POST" and status != 200 else ""
    context = {
        "code": marking.code,
        "version": posted if posted.isdigit() else marking.version,
        "submitted": marking.submitted_at is not None,
        "refused": refused,
        "answers": [
            {"answer": answer, "form": forms[answer.asked], "said": [_said(one) for one in answer.said]}
            for answer in answers
        ],
    }
    return render(request, "scoring/blind_marking.html", context, status=status)


def _said(one: Any) -> dict[str, Any]:
    return {
        "kind": STATEMENTS.get(one.type) or KINDS[one.kind],
        "aid": STATEMENT_AIDS.get(one.aid, ""),
        "words": one.words,
    }
