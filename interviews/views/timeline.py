"""The course of an interview: the page, the same as JSON, and the files to take along."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from interviews.enums import JUDGES, Revealed, Role
from interviews.models import Interview
from interviews.queries.timeline import timeline
from interviews.rendering import timeline_files
from interviews.rendering.timeline import Course, course, page_context
from interviews.rendering.timeline_drawing import draw_lanes
from interviews.services.reveals import reveal
from interviews.views.access import told_interview
from people import audit
from people.answers import attachment, wants_json
from people.http import SignedInRequest


def _course(request: SignedInRequest, interview: Interview) -> Course:
    """Read what this reader may read, and write down whose judgements they saw by it."""
    told = timeline(request.user, interview)
    seats = [voice.seat for voice in told.voices]
    reveal(viewer=request.user, application=interview.application, seats=seats, what=Revealed.TIMELINE)
    return course(told)


@require_GET
@never_cache
@vary_on_headers("Accept")
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    interview = told_interview(request.user, code)
    course = _course(request, interview)
    if wants_json(request):
        audit.record(request.user, "timeline.exported", interview, format="json")
        return JsonResponse(timeline_files.as_json(course))
    own, page = course.told.own, page_context(course)
    context = {
        "interview": interview,
        "name": course.told.view.candidate_name,
        "own": own,
        "judges": own is not None and own.role in JUDGES,
        "listens": own is not None and own.role == Role.OBSERVER,
        "others": any(not voice["own"] for voice in page["voices"]),
        "lanes": draw_lanes(course),
        **page,
    }
    return render(request, "interviews/timeline.html", context)


@require_GET
@never_cache
def give_table(request: SignedInRequest, code: UUID) -> HttpResponse:
    interview = told_interview(request.user, code)
    table = timeline_files.as_table(_course(request, interview), request.user.time_zone)
    audit.record(request.user, "timeline.exported", interview, format="csv")
    return attachment(table.encode(), "text/csv; charset=utf-8", f"timeline-{interview.code}.csv")


@require_GET
@never_cache
def give_json(request: SignedInRequest, code: UUID) -> HttpResponse:
    interview = told_interview(request.user, code)
    answer = JsonResponse(timeline_files.as_json(_course(request, interview)))
    audit.record(request.user, "timeline.exported", interview, format="json")
    answer["Content-Disposition"] = f'attachment; filename="timeline-{interview.code}.json"'
    return answer
