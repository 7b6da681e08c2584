"""The norming set: what everybody marks; and, for who is in charge of a position, what joins it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from interviews.models import Interview, Position
from interviews.queries.hiring import name_of
from interviews.views.access import managed_position
from people.access import for_roles
from people.answers import attempt, posted, status
from people.enums import PersonRole
from people.http import SignedInRequest
from people.refusal import Refused
from scoring.forms import NormingForm
from scoring.queries.second_markings import norming_choices, norming_for, norming_of, norming_rows
from scoring.services.norming import add_to_norming_set, begin_norming, take_from_norming_set

interviewers = for_roles(PersonRole.INTERVIEWER)


@require_GET
@never_cache
@interviewers
def show(request: SignedInRequest) -> HttpResponse:
    return render(request, "scoring/norming.html", {"rows": norming_rows(request.user)})


@require_POST
@never_cache
@interviewers
def begin(request: SignedInRequest, code: UUID) -> HttpResponse:
    """Open one's own marking of an interview of the set."""
    norming = norming_for(request.user, code)
    try:
        marking = begin_norming(norming=norming, by=request.user)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("scoring:norming")
    return redirect("scoring:blind-marking", code=marking.code)


@require_http_methods(["GET", "POST"])
@never_cache
def choose(request: SignedInRequest, code: UUID) -> HttpResponse:
    """Put interviews of a position into the set, or take one out (`take`)."""
    position = managed_position(request.user, code)
    if request.POST.get("take"):
        return _take(request, position)
    found = {str(interview.code): interview for interview in norming_choices(request.user, position)}
    form = NormingForm(posted(request), interviews=[(key, _named(one)) for key, one in found.items()])
    if attempt(form, lambda: add_to_norming_set(interview=found[form.cleaned_data["interview"]], by=request.user)):
        messages.success(request, _("Everybody who had no part in it can mark it now."))
        return redirect("scoring:norming-choose", code=code)
    context = {"position": position, "form": form, "choices": found, "rows": norming_of(request.user, position)}
    return render(request, "scoring/norming_choose.html", context, status=status(form))


def _take(request: SignedInRequest, position: Position) -> HttpResponse:
    wanted = [row.interview for row, _name, _in in norming_of(request.user, position)]
    code = request.POST["take"]
    found = get_object_or_404(Interview, pk__in=[one.pk for one in wanted if str(one.code) == code])
    take_from_norming_set(interview=found, by=request.user)
    messages.success(request, _("Taken out of the norming set. What was marked stays."))
    return redirect("scoring:norming-choose", code=position.code)


def _named(interview: Interview) -> str:
    day = date_format(localtime(interview.starts_at), "SHORT_DATE_FORMAT")
    return _("%(name)s, %(day)s") % {"name": name_of(interview.application.candidate), "day": day}
