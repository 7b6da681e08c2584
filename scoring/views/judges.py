"""Automatic judges: making them, where they count, and what they said of an application."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from interviews.views.access import managed_position, managers
from people.answers import attempt, posted, status
from people.http import SignedInRequest
from people.refusal import Refused
from scoring.judge_forms import JudgeForm, JudgeTermsForm
from scoring.labels import AIMS, JUDGES
from scoring.models import Judge
from scoring.queries.judges import counts_in, figures_of_judge, judge_for, judged_for, judges_for
from scoring.reports.judged import figures_in_words
from scoring.services.judges import close_judge, let_judges_count, make_judge, renew_token


@require_http_methods(["GET", "POST"])
@managers
@never_cache
def show_list(request: SignedInRequest) -> HttpResponse:
    """List the judges one looks after, and make another; then its token is shown, this once."""
    form = JudgeForm(posted(request))
    if made := attempt(form, lambda: make_judge(by=request.user, **form.cleaned_data)):
        return _show_token(request, *made)
    rows = [(judge, JUDGES[judge.kind]) for judge in judges_for(request.user)]
    return render(request, "scoring/judges.html", {"form": form, "rows": rows}, status=status(form))


@require_GET
@managers
@never_cache
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    judge = judge_for(request.user, code)
    context = {
        "judge": judge,
        "kind": JUDGES[judge.kind],
        "figures": figures_in_words(figures_of_judge(judge)),
        "address": request.build_absolute_uri(reverse("scoring:judge-ratings")),
    }
    return render(request, "scoring/judge.html", context)


@require_POST
@managers
@never_cache
def renew(request: SignedInRequest, code: UUID) -> HttpResponse:
    judge = judge_for(request.user, code)
    try:
        return _show_token(request, judge, renew_token(judge=judge, by=request.user))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("scoring:judge", code=code)


@require_POST
@managers
@never_cache
def close(request: SignedInRequest, code: UUID) -> HttpResponse:
    close_judge(judge=judge_for(request.user, code), by=request.user)
    messages.success(request, _("Closed. What it said stays."))
    return redirect("scoring:judge", code=code)


@require_http_methods(["GET", "POST"])
@never_cache
def change_terms(request: SignedInRequest, code: UUID) -> HttpResponse:
    """Say whether judges count in a position."""
    position = managed_position(request.user, code)
    form = JudgeTermsForm(posted(request), initial={"counts": counts_in(position.pk)})
    if form.is_valid():
        let_judges_count(position=position, by=request.user, counts=form.cleaned_data["counts"])
        messages.success(request, _("Saved."))
        return redirect("scoring:judge-terms", code=code)
    return render(request, "scoring/judge_terms.html", {"position": position, "form": form}, status=status(form))


@require_GET
@never_cache
def show_judged(request: SignedInRequest, code: UUID) -> HttpResponse:
    """What judges said of an application, for whom the seal lets."""
    page = judged_for(request.user, code)
    rows = [(row, [row.ratings.get(aim, "") for aim in AIMS]) for row in page.rows]
    context = {"page": page, "application": page.application, "rows": rows, "aims": list(AIMS.values())}
    return render(request, "scoring/judged.html", context)


def _show_token(request: SignedInRequest, judge: Judge, token: str) -> HttpResponse:
    """Answer with the token itself: it is kept nowhere, so this is the one time it is seen."""
    address = request.build_absolute_uri(reverse("scoring:judge-ratings"))
    return render(request, "scoring/judge_token.html", {"judge": judge, "token": token, "address": address})
