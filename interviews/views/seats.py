"""Changing who sits in an interview, also on the day."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from interviews.enums import Role
from interviews.forms.interviews import AskersForm, SeatForm
from interviews.queries.interviews import interview_page
from interviews.queries.pairing import pairing_of_interview
from interviews.services.seating import add_seat, remove_seat, replace_seat, share_trees
from interviews.views.access import managed_interview, managed_seat
from people.answers import attempt, posted, status
from people.http import SignedInRequest
from people.refusal import Refused


@require_http_methods(["GET", "POST"])
def replace(request: SignedInRequest, code: UUID) -> HttpResponse:
    seat = managed_seat(request.user, code)
    form = SeatForm(posted(request), interview=seat.interview, role=Role(seat.role))
    heir = attempt(form, lambda: replace_seat(seat=seat, by=request.user, person=form.cleaned_data["person"]))
    if heir:
        messages.success(request, _("%(name)s has the seat now.") % {"name": heir.person})
        return redirect("interviews:interview-detail", code=seat.interview.code)
    who = seat.person.name if seat.person else ""
    context = {
        "form": form,
        "interview": seat.interview,
        "title": _("Replace %(name)s") % {"name": who},
        "do": _("Replace"),
    }
    return render(request, "interviews/interview_form_change.html", context, status=status(form))


@require_http_methods(["GET", "POST"])
def add(request: SignedInRequest, code: UUID) -> HttpResponse:
    interview = managed_interview(request.user, code)
    form = SeatForm(posted(request), interview=interview)
    seat = attempt(form, lambda: add_seat(interview=interview, by=request.user, **form.cleaned_data))
    if seat:
        messages.success(request, _("%(name)s has a seat now.") % {"name": seat.person})
        return redirect("interviews:interview-detail", code=code)
    hints = pairing_of_interview(interview, form.askers)
    context = {"form": form, "interview": interview, "title": _("One more seat"), "do": _("Add"), "hints": hints}
    return render(request, "interviews/interview_form_change.html", context, status=status(form))


@require_http_methods(["GET", "POST"])
def share(request: SignedInRequest, code: UUID) -> HttpResponse:
    interview = managed_interview(request.user, code)
    form = AskersForm(posted(request), page=interview_page(request.user, interview, managed=True))
    if attempt(form, lambda: share_trees(interview=interview, by=request.user, askers=form.askers)):
        messages.success(request, _("Saved. Each sees on their page to prepare what they ask."))
        return redirect("interviews:interview-detail", code=code)
    context = {"form": form, "interview": interview, "title": _("Who asks what"), "do": _("Save")}
    return render(request, "interviews/interview_form_change.html", context, status=status(form))


@require_POST
def remove(request: SignedInRequest, code: UUID) -> HttpResponse:
    seat = managed_seat(request.user, code)
    try:
        remove_seat(seat=seat, by=request.user)
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("interviews:interview-detail", code=seat.interview.code)
