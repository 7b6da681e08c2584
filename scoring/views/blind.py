"""Marking an interview without names, for the one who was asked to."""

from __future__ import annotations

from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.forms import ChoiceField
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from people.http import SignedInRequest
from people.refusal import Refused
from scoring.forms import AnswerForm, HandIn
from scoring.labels import KINDS, STATEMENT_AIDS, STATEMENTS
from scoring.models import BlindMark, BlindMarking
from scoring.queries.blind import Answer, load_answers, marking_for, marks_of
from scoring.services.blind_marking import COLUMNS, keep_marks, open_timeline
from scoring.services.refusal import AlreadySubmitted, CardChanged


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
    except CardChanged as refusal:
        return _page(request, marking_for(request.user, code), answers, forms, refused=refusal.message, stale=True)
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
    stale: bool = False,
) -> HttpResponse:
    """Draw the page. Nothing here may depend on why the marking was asked for.

    `stale`: another window saved meanwhile. What stands in this one is kept, what was saved is shown beside it, and the
    next attempt builds on that.
    """
    status = 409 if stale else status
    posted = request.POST.get("version", "") if status != 200 and not stale else ""
    saved = marks_of(marking) if stale else {}
    context = {
        "code": marking.code,
        "version": posted if posted.isdigit() else marking.version,
        "submitted": marking.submitted_at is not None,
        "refused": refused,
        "stale": stale,
        "answers": [
            {
                "answer": answer,
                "form": forms[answer.asked],
                "said": [_said(one) for one in answer.said],
                "saved": _saved(saved[answer.asked], forms[answer.asked]) if answer.asked in saved else [],
            }
            for answer in answers
        ],
    }
    return render(request, "scoring/blind_marking.html", context, status=status)


def _saved(mark: BlindMark, form: AnswerForm) -> list[tuple[str, str]]:
    """What the other window saved of an answer, where this one has something else: [(what, how it is called)]."""
    found = []
    for name, field in form.fields.items():
        kept, here = ("" if value is None else str(value) for value in (getattr(mark, name), form.cleaned_data[name]))
        if kept != here:
            named = {str(value): str(words) for value, words in cast("ChoiceField", field).choices}
            found.append((str(field.label), named[kept]))
    return found


def _said(one: Any) -> dict[str, Any]:
    return {
        "kind": STATEMENTS.get(one.type) or KINDS[one.kind],
        "aid": STATEMENT_AIDS.get(one.aid, ""),
        "words": one.words,
    }
