"""The candidate's link: made by managers, opened by the candidate.

On the candidate's pages nothing may carry the secret away: no address of them is sent as a referrer, no cache keeps
them, and logs write /c/…/ (config.logs).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from interviews.models import CandidateLink, Interview
from interviews.queries.hiring import name_of
from interviews.queries.interviews import ends_at
from interviews.queries.links import SESSION_KEY, Browser, LinkState, candidate_seat, entry_of, find_link
from interviews.rules.notice import NOTICE
from interviews.services.invitations import LinkClosed, join, reissue_link, revoke_link
from interviews.views.access import candidate_seat_of, managed_interview
from people.answers import in_language
from people.http import SignedInRequest
from people.refusal import Refused

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def answer_with_link(interview: Interview, token: str, *, request: SignedInRequest, made: bool) -> HttpResponse:
    """Answer with the link itself: only its hash is kept, so this is the one time it is seen. No token: too late."""
    link = request.build_absolute_uri(reverse("interviews:candidate-link", args=[token])) if token else ""
    context = {"interview": interview, "link": link, "made": made, "name": name_of(interview.application.candidate)}
    return render(request, "interviews/interview_form_link.html", context)


@require_POST
@never_cache
def reissue(request: SignedInRequest, code: UUID) -> HttpResponse:
    interview = managed_interview(request.user, code)
    try:
        token = reissue_link(seat=candidate_seat_of(interview), by=request.user)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("interviews:interview-detail", code=code)
    return answer_with_link(interview, token, request=request, made=False)


@require_POST
def revoke(request: SignedInRequest, code: UUID) -> HttpResponse:
    interview = managed_interview(request.user, code)
    revoke_link(seat=candidate_seat_of(interview), by=request.user)
    messages.success(request, _("Withdrawn. Nobody comes in by the old link."))
    return redirect("interviews:interview-detail", code=code)


def keeps_secret(view: View[P]) -> View[P]:
    """Let nothing carry the page's address away.

    strict-origin and not no-referrer: with the latter browsers send a form with "Origin: null", which the protection
    against forged requests must refuse. The origin alone holds no secret.
    """

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Referrer-Policy"] = "strict-origin"
        response["X-Robots-Tag"] = "noindex"
        return response

    return guarded


@login_not_required
@never_cache
@keeps_secret
@require_http_methods(["GET", "HEAD", "POST"])
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the notice (GET: changes nothing), or join after accepting it (POST)."""
    state, link = find_link(token)
    if link is None or state != LinkState.OPEN:
        return _closed(request, state, link)
    with translation.override(candidate_language(request, link)):
        if request.user.is_authenticated:
            return _notice(request, link, problem="signed_in", status=409 if request.method == "POST" else 200)
        if request.method != "POST":
            return _notice(request, link)
        if request.POST.get("accept") != NOTICE:
            return _notice(request, link, problem="not_accepted", status=422)
        return _join(request, link)


def _join(request: HttpRequest, link: CandidateLink) -> HttpResponse:
    interview = link.seat.interview
    before = entry_of(request.session, interview.code)
    again = before is not None and before["link"] == link.pk
    browser = UUID(before["browser"]) if before and again else uuid.uuid4()
    try:
        joined = join(link=link, browser=browser, language=translation.get_language() or settings.LANGUAGE_CODE)
    except LinkClosed as closed:
        return _closed(request, closed.state, link)
    entries = request.session.get(SESSION_KEY)
    if not entries:
        # Against a planted session. Not again: a room open by another link stands on this session's key.
        request.session.cycle_key()
    entry = {"seat": link.seat_id, "link": link.pk, "browser": str(browser)}
    request.session[SESSION_KEY] = {**(entries if isinstance(entries, dict) else {}), str(interview.code): entry}
    where = "interviews:candidate-room" if joined.browser == Browser.JOINED else "interviews:candidate-wait"
    return redirect(where, code=interview.code)


@login_not_required
@never_cache
@require_GET
def show_waiting(request: HttpRequest, code: UUID) -> HttpResponse:
    """Where a second browser waits until the lead lets it in. The page looks again by itself every few seconds."""
    seat = candidate_seat(request.session, code)
    if seat is not None and seat.browser == Browser.JOINED:
        return redirect("interviews:candidate-room", code=code)
    with translation.override(candidate_language(request, seat.link if seat else None)):
        if seat is None or seat.browser == Browser.CLOSED:
            return in_language(request, "interviews/candidate_closed.html", {"state": "elsewhere"}, 410)
        return in_language(request, "interviews/candidate_waiting.html", {"interview": seat.link.seat.interview}, 200)


def _notice(request: HttpRequest, link: CandidateLink, *, problem: str = "", status: int = 200) -> HttpResponse:
    interview = link.seat.interview
    context = {
        "interview": interview,
        "position": interview.application.position,
        "name": name_of(interview.application.candidate),
        "ends_at": ends_at(interview),
        "retention_days": interview.application.position.retention_days,
        "notice": NOTICE,
        "problem": problem,
        "meeting_link": interview.meeting_link,
    }
    return in_language(request, "interviews/candidate_notice.html", context, status)


def _closed(request: HttpRequest, state: LinkState, link: CandidateLink | None) -> HttpResponse:
    """One answer for what was never a link; for one that was, why it no longer is."""
    with translation.override(candidate_language(request, link)):
        status = 404 if state == LinkState.UNKNOWN else 410
        return in_language(request, "interviews/candidate_closed.html", {"state": state.value}, status)


def candidate_language(request: HttpRequest, link: CandidateLink | None) -> str:
    """The language this browser chose, else the candidate's own, else the browser's."""
    current = translation.get_language() or settings.LANGUAGE_CODE
    identity = getattr(link.seat.interview.application.candidate, "identity", None) if link else None
    if identity is None or settings.LANGUAGE_COOKIE_NAME in request.COOKIES:
        return current
    try:
        return translation.get_supported_language_variant(identity.language)
    except LookupError:
        return current
