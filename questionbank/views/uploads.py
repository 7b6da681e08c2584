"""Bringing files into the bank by the browser: send, look, say yes, watch. Each person finds their own uploads only."""

from __future__ import annotations

import re
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from people.answers import attempt, posted, sent_files, status
from people.http import SignedInRequest
from people.models import Person
from people.refusal import Refused
from questionbank.enums import UploadFailure, UploadState
from questionbank.forms.uploads import ColumnsForm, UploadForm
from questionbank.models import Upload, UploadFile
from questionbank.services import uploads
from questionbank.services.uploads import Sent, cancel_upload, confirm_upload, start_upload
from questionbank.views.access import curators
from questionbank.views.upload_page import FAILURES, RUNNING, STATES, preview_context, progress_of, tree_line

A_PAGE: Final = 200
SAID: Final = re.compile(r"[0-9]{1,3}")


def _own(person: Person, *, report: bool = False) -> QuerySet[Upload]:
    uploads = Upload.objects.filter(by=person)
    return uploads if report else uploads.defer("report")


@require_http_methods(["GET", "POST"])
@curators
@never_cache
def show_list(request: SignedInRequest) -> HttpResponse:
    form = UploadForm(posted(request), sent_files(request))
    upload = attempt(
        form,
        lambda: start_upload(
            by=request.user, files=[Sent(file.name or "", file.read()) for file in form.cleaned_data["documents"]]
        ),
    )
    if upload:
        return redirect("questionbank:upload", code=upload.code)
    sent = _own(request.user).prefetch_related(Prefetch("files", UploadFile.objects.defer("content")))
    lines = [(one, STATES[UploadState(one.state)]) for one in sent]
    return render(request, "questionbank/import_list.html", {"form": form, "uploads": lines}, status=status(form))


@require_GET
@curators
@never_cache
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    upload = get_object_or_404(_own(request.user, report=True), code=code)
    state = UploadState(upload.state)
    context: dict[str, object] = {"upload": upload, "state": STATES[state], "files": upload.files.defer("content")}
    if state in RUNNING:
        context |= {"running": True, "progress": progress_of(upload), "step": 0}
    elif state == UploadState.FAILED:
        context["failure"] = FAILURES[UploadFailure(upload.failure)]
    elif upload.report:
        context |= preview_context(upload.report)
    return render(request, "questionbank/import.html", context)


@require_GET
@curators
@never_cache
def show_progress(request: SignedInRequest, code: UUID) -> HttpResponse:
    """The progress bar alone; once there is something else to show, the page is asked to load itself."""
    upload = get_object_or_404(_own(request.user), code=code)
    if UploadState(upload.state) not in RUNNING:
        return HttpResponse(headers={"HX-Refresh": "true"})
    progress = progress_of(upload)
    before = request.GET.get("said", "")
    said = int(before) if SAID.fullmatch(before) else None
    # Ears hear every tenth per cent: a number each second would drown everything else.
    step = (progress.percent or 0) // 10
    context = {"upload": upload, "progress": progress, "step": step, "say": said is not None and step > said}
    return render(request, "questionbank/import_progress.html", context)


@require_GET
@curators
@never_cache
def show_all(request: SignedInRequest, code: UUID, part: str) -> HttpResponse:
    """All of what the preview shows only the beginning of."""
    upload = get_object_or_404(_own(request.user, report=True), code=code)
    if part not in {"trees", "unplaced"} or part not in upload.report:
        raise Http404
    page = Paginator(upload.report[part], A_PAGE).get_page(request.GET.get("page"))
    lines = [tree_line(tree) for tree in page] if part == "trees" else list(page)
    return render(
        request, "questionbank/import_all.html", {"upload": upload, "part": part, "page": page, "lines": lines}
    )


@require_http_methods(["GET", "POST"])
@curators
@never_cache
def set_columns(request: SignedInRequest, code: UUID) -> HttpResponse:
    """Say what the columns of tables hold, and look again."""
    upload = get_object_or_404(_own(request.user, report=True), code=code)
    tables = upload.report.get("tables")
    if not tables:
        raise Http404(_("There is no table in these files."))
    form = ColumnsForm(posted(request), tables=tables)
    if form.is_valid():
        try:
            uploads.set_columns(upload, form.columns)
        except Refused as refused:
            messages.error(request, refused.message)
        return redirect("questionbank:upload", code=code)
    return render(request, "questionbank/import_columns.html", {"form": form, "upload": upload}, status=status(form))


@require_POST
@curators
def confirm(request: SignedInRequest, code: UUID) -> HttpResponse:
    upload = get_object_or_404(_own(request.user), code=code)
    try:
        confirm_upload(upload, digest=request.POST.get("digest", ""))
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("questionbank:upload", code=code)


@require_POST
@curators
def cancel(request: SignedInRequest, code: UUID) -> HttpResponse:
    upload = get_object_or_404(_own(request.user), code=code)
    try:
        cancel_upload(upload)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("questionbank:upload", code=code)
    messages.success(request, _("Cancelled. Nothing of it is in the bank."))
    return redirect("questionbank:upload-list")
