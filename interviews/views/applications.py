"""Candidates and their applications, for the managers of the position."""

from __future__ import annotations

from urllib.parse import quote
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from interviews.forms.applications import ApplicationChangeForm, ApplicationForm, CandidateForm, ReasonForm
from interviews.queries.hiring import application_page, claims_of
from interviews.services.attachments import Sent
from interviews.services.hiring import (
    CandidateDetails,
    change_application,
    close_loop,
    create_application,
    excuse_card,
    reopen_loop,
)
from interviews.views.access import managed_application, managed_position, managed_seat, readable_attachment
from people import audit
from people.answers import attempt, posted, sent_files, status
from people.http import SignedInRequest
from people.refusal import Refused


@require_http_methods(["GET", "POST"])
def create(request: SignedInRequest, position: UUID) -> HttpResponse:
    found = managed_position(request.user, position)
    form = ApplicationForm(posted(request), sent_files(request), viewer=request.user, position=found)
    application = attempt(
        form,
        lambda: create_application(
            by=request.user,
            code=form.cleaned_data["code"],
            position=found,
            known=form.cleaned_data.get("known"),
            details=CandidateDetails(**form.details),
            claims=form.cleaned_data["claims"],
            files=_sent(form),
            links=form.cleaned_data["links"],
            lifted_trees=form.cleaned_data.get("lifted_trees", []),
        ),
    )
    if application:
        return redirect("interviews:application-detail", code=application.code)
    context = {"form": form, "position": found, "application": None}
    return render(request, "interviews/application_form.html", context, status=status(form))


@require_http_methods(["GET", "POST"])
def edit(request: SignedInRequest, code: UUID) -> HttpResponse:
    application = managed_application(request.user, code)
    identity = getattr(application.candidate, "identity", None)
    start = {name: getattr(identity, name, None) for name in ApplicationChangeForm.base_fields}
    start["claims"] = claims_of(application)
    start["lifted_trees"] = [tree.key for tree in application.lifted_trees.all()]
    form = ApplicationChangeForm(posted(request), sent_files(request), application=application, initial=start)
    changed = attempt(
        form,
        lambda: change_application(
            application=application,
            by=request.user,
            details=CandidateDetails(**form.details),
            claims=form.cleaned_data["claims"],
            files=_sent(form),
            links=form.cleaned_data["links"],
            removed=[UUID(code) for code in form.cleaned_data.get("removed", [])],
            lifted_trees=form.cleaned_data.get("lifted_trees", []),
        ),
    )
    if changed:
        messages.success(request, _("Saved."))
        return redirect("interviews:application-detail", code=code)
    context = {"form": form, "position": application.position, "application": application}
    return render(request, "interviews/application_form.html", context, status=status(form))


def _sent(form: CandidateForm) -> list[Sent]:
    return [Sent(file.name or "", file.read()) for file in form.cleaned_data["documents"]]


@require_GET
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    application = managed_application(request.user, code)
    context = {
        "page": application_page(request.user, application),
        "application": application,
        "attachments": application.attachments.all(),
    }
    return render(request, "interviews/application_detail.html", context)


@require_POST
def set_loop(request: SignedInRequest, code: UUID) -> HttpResponse:
    """Close or reopen the loop, by the button's `loop`."""
    application = managed_application(request.user, code)
    change = {"close": close_loop, "reopen": reopen_loop}.get(request.POST.get("loop", ""))
    if change is None:
        return HttpResponse(_("Say close or reopen."), status=400)
    try:
        change(application=application, by=request.user)
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("interviews:application-detail", code=code)


@require_http_methods(["GET", "POST"])
def excuse(request: SignedInRequest, code: UUID) -> HttpResponse:
    seat = managed_seat(request.user, code)
    application = seat.interview.application
    form = ReasonForm(posted(request))
    if form.is_valid():
        try:
            excuse_card(seat=seat, by=request.user, reason=form.cleaned_data["reason"])
        except Refused as refused:
            messages.error(request, refused.message)
        return redirect("interviews:application-detail", code=application.code)
    return render(
        request,
        "interviews/application_excuse.html",
        {"form": form, "seat": seat, "application": application},
        status=status(form),
    )


@require_GET
@never_cache
def show_attachment(request: SignedInRequest, code: UUID) -> HttpResponse:
    """Hand out a candidate's file, as a file: it is never drawn inside our own pages."""
    attachment = readable_attachment(request.user, code)
    if not attachment.file:
        raise Http404
    try:
        with attachment.file.open("rb") as file:
            response = HttpResponse(file.read(), content_type=attachment.media_type)
    except FileNotFoundError:
        raise Http404(_("The file is gone.")) from None
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(attachment.label, safe='')}"
    response["X-Content-Type-Options"] = "nosniff"
    audit.record(request.user, "attachment.read", attachment, application=attachment.application_id)
    return response
