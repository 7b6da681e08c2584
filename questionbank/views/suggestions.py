"""What live rooms made of the bank's questions: curators take it up into a draft, change it, or decline it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from people.answers import attempt, posted, status
from people.http import SignedInRequest
from questionbank.enums import SuggestionKind, SuggestionState
from questionbank.forms.suggestions import AcceptForm, DeclineForm
from questionbank.models import Suggestion
from questionbank.services.suggestions import accept, decline
from questionbank.suggestion_reads import SuggestionLine, decided, suggestion_line, waiting
from questionbank.views.access import curators
from questionbank.wording import AIMS, KINDS


@require_safe
@curators
def show_list(request: SignedInRequest) -> HttpResponse:
    return render(request, "questionbank/suggestions.html", {"waiting": waiting(), "decided": decided()})


@require_http_methods(["GET", "POST"])
@curators
def decide(request: SignedInRequest, code: UUID) -> HttpResponse:
    line = _found(code)
    form = AcceptForm(posted(request), line=line)
    version = attempt(
        form,
        lambda: accept(
            code,
            by=request.user,
            text=form.text(),
            was=form.was(),
            checked=form.cleaned_data["personal_data_checked"],
        ),
    )
    if version:
        messages.success(request, _("It is in version %(n)d now, a draft.") % {"n": version.number})
        return redirect("questionbank:suggestion-list")
    return _page(request, line, form, DeclineForm())


@require_POST
@curators
def turn_down(request: SignedInRequest, code: UUID) -> HttpResponse:
    line = _found(code)
    form = DeclineForm(request.POST)

    def do() -> bool:
        decline(code, by=request.user, reason=form.cleaned_data["reason"])
        return True

    if attempt(form, do):
        messages.success(request, _("The suggestion is declined, and its words are erased."))
        return redirect("questionbank:suggestion-list")
    return _page(request, line, AcceptForm(line=line), form)


def _page(request: SignedInRequest, line: SuggestionLine, form: AcceptForm, declining: DeclineForm) -> HttpResponse:
    suggestion = line.suggestion
    context = {
        "line": line,
        "edit": suggestion.kind == SuggestionKind.EDIT,
        "open": suggestion.state == SuggestionState.OPEN,
        "kind": KINDS.get(suggestion.probe_kind),
        "aims": [AIMS[aim] for aim in AIMS if aim.value in suggestion.aims],
        "form": form,
        "declining": declining,
    }
    return render(request, "questionbank/suggestion.html", context, status=max(status(form), status(declining)))


def _found(code: UUID) -> SuggestionLine:
    try:
        return suggestion_line(code)
    except Suggestion.DoesNotExist:
        raise Http404(_("There is no such suggestion.")) from None
