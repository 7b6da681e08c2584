"""Interviews: the list of one's own, the page of one, and what its managers do with it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from interviews.forms.applications import ReasonForm
from interviews.forms.interviews import InterviewForm, MoveForm, NoShowForm
from interviews.queries.hiring import name_of
from interviews.queries.interviews import as_json, happened, lines_for, managed_lines, reads_timeline
from interviews.queries.pairing import pairing_of_application
from interviews.services.scheduling import (
    AlreadyMade,
    Scheduled,
    TreeWish,
    When,
    cancel_interview,
    mark_no_show,
    move_interview,
    schedule_interview,
)
from interviews.services.seating import SeatWish
from interviews.views.access import managed_application, managed_interview, seen_interview
from interviews.views.links import answer_with_link
from people.answers import attempt, posted, status
from people.http import SignedInRequest


@require_GET
def show_list(request: SignedInRequest) -> HttpResponse:
    lines = lines_for(request.user)
    today = timezone.localdate()
    context = {
        "today": [line for line in lines if line.ahead and timezone.localdate(line.interview.starts_at) <= today],
        "coming": [line for line in lines if line.ahead and timezone.localdate(line.interview.starts_at) > today],
        "past": [line for line in lines if not line.ahead],
        "managed": managed_lines(request.user) if request.user.is_manager or request.user.is_administrator else [],
    }
    return render(request, "interviews/interview_list.html", context)


@require_http_methods(["GET", "POST"])
@never_cache
def create(request: SignedInRequest, application: UUID) -> HttpResponse:
    found = managed_application(request.user, application)
    form = InterviewForm(posted(request), application=found, initial={"time_zone": request.user.time_zone})
    try:
        scheduled = attempt(
            form,
            lambda: schedule_interview(
                application=found,
                by=request.user,
                code=form.cleaned_data["code"],
                shape=form.cleaned_data["shape"],
                when=When(**form.when),
                seats=[SeatWish(person, role) for person, role in form.seats],
                trees=[TreeWish(choice.version, minutes, asker) for choice, minutes, asker in form.chosen_trees],
                meeting_link=form.cleaned_data["meeting_link"],
            ),
        )
    except AlreadyMade as made:
        scheduled = Scheduled(made.interview, "")
    if scheduled:
        return answer_with_link(scheduled.interview, scheduled.token, request=request, made=True)
    hints = pairing_of_application(found, form.askers, form.titles, chosen=form.picked)
    context = {"form": form, "application": found, "name": name_of(found.candidate), "hints": hints}
    return render(request, "interviews/interview_form.html", context, status=status(form))


@require_GET
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    page = seen_interview(request.user, code)
    if request.GET.get("format") == "json":
        return JsonResponse(as_json(page))
    told = reads_timeline(request.user, page)
    context = {"page": page, "interview": page.interview, "happened": happened(page), "reads_timeline": told}
    return render(request, "interviews/interview_detail.html", context)


@require_http_methods(["GET", "POST"])
def move(request: SignedInRequest, code: UUID) -> HttpResponse:
    interview = managed_interview(request.user, code)
    form = MoveForm(posted(request), interview=interview)
    moved = attempt(
        form,
        lambda: move_interview(
            interview=interview,
            by=request.user,
            when=When(**form.when),
            meeting_link=form.cleaned_data["meeting_link"],
            seen=form.cleaned_data["seen"],
        ),
    )
    if moved:
        messages.success(request, _("Moved. The candidate's link stays good."))
        return redirect("interviews:interview-detail", code=code)
    return _form(request, form, interview, title=_("Move the interview"), do=_("Move"))


@require_http_methods(["GET", "POST"])
def cancel(request: SignedInRequest, code: UUID) -> HttpResponse:
    interview = managed_interview(request.user, code)
    form = ReasonForm(posted(request))
    if attempt(
        form,
        lambda: cancel_interview(interview=interview, by=request.user, reason=form.cleaned_data["reason"]),
    ):
        messages.success(request, _("Cancelled. The candidate's link no longer opens the room."))
        return redirect("interviews:interview-detail", code=code)
    return _form(request, form, interview, title=_("Cancel the interview"), do=_("Cancel it"), danger=True)


@require_http_methods(["GET", "POST"])
def no_show(request: SignedInRequest, code: UUID) -> HttpResponse:
    interview = managed_interview(request.user, code)
    form = NoShowForm(posted(request))
    if attempt(form, lambda: mark_no_show(interview=interview, by=request.user, role=form.cleaned_data["role"])):
        messages.success(request, _("Written down. Make another interview when you know the time."))
        return redirect("interviews:interview-detail", code=code)
    return _form(request, form, interview, title=_("It did not take place"), do=_("Write it down"), danger=True)


def _form(
    request: SignedInRequest,
    form: MoveForm | ReasonForm | NoShowForm,
    interview: object,
    *,
    title: str,
    do: str,
    danger: bool = False,
) -> HttpResponse:
    context = {"form": form, "interview": interview, "title": title, "do": do, "danger": danger}
    return render(request, "interviews/interview_form_change.html", context, status=status(form))
