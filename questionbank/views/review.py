"""The review of a version: what it says against the version before, what is said about it, and the verdict."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from people.answers import attempt, posted, status
from people.http import SignedInRequest
from people.refusal import Refused
from questionbank.forms.review import CommentForm, ReturnForm
from questionbank.models import ReviewComment, TreeVersion
from questionbank.services.publishing import publish, return_to_draft
from questionbank.services.reviewing import add_comment, settle_comment
from questionbank.views.access import curators, read_version
from questionbank.views.reviewing import draw_comments, draw_review


@require_safe
@curators
def show(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version = read_version(request.user, key, number)
    return render(request, "questionbank/review.html", draw_review(version, request.user))


@require_POST
@curators
def comment(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version = read_version(request.user, key, number)
    form = CommentForm(posted(request))
    added = attempt(form, lambda: add_comment(version, by=request.user, **form.cleaned_data))
    if request.htmx:
        return _comments(request, version, form.data.get("probe_key", ""), None if added else form)
    if not added:
        return render(request, "questionbank/review.html", draw_review(version, request.user, form), status=422)
    return redirect(_place(version, added.probe_key))


@require_POST
@curators
def settle(request: SignedInRequest, code: UUID) -> HttpResponse:
    found = get_object_or_404(ReviewComment.objects.select_related("version__tree", "version__status"), code=code)
    refused = ""
    try:
        settle_comment(found, by=request.user, resolved=request.POST.get("resolved") == "1")
    except Refused as error:
        refused = error.message
    if request.htmx:
        return _comments(request, found.version, found.probe_key, None, refused)
    if refused:
        messages.error(request, refused)
    return redirect(_place(found.version, found.probe_key))


def _place(version: TreeVersion, probe: str) -> str:
    page = reverse("questionbank:tree-review", kwargs={"key": version.tree.key, "number": version.number})
    return f"{page}#about-{probe}"


def _comments(
    request: SignedInRequest, version: TreeVersion, probe: str, form: CommentForm | None, refused: str = ""
) -> HttpResponse:
    """Answer with the comments on one probe alone, and with what was refused, if something was."""
    context = {**draw_comments(version, probe, form), "refused": refused}
    found = 409 if refused else status(form) if form else 200
    return render(request, "questionbank/review_comments.html", context, status=found)


@require_POST
@curators
def accept(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version = read_version(request.user, key, number)
    try:
        publish(version, by=request.user, seen=request.POST.get("seen", ""))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("questionbank:tree-review", key=key, number=number)
    messages.success(request, _("Version %(n)d is published. New interviews are offered it.") % {"n": number})
    return redirect("questionbank:bank-tree", key=key, number=number)


@require_http_methods(["GET", "POST"])
@curators
def give_back(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version = read_version(request.user, key, number)
    form = ReturnForm(posted(request))
    seen = request.POST.get("seen", "") if form.is_bound else request.GET.get("seen", version.content_hash)
    if attempt(form, lambda: return_to_draft(version, by=request.user, seen=seen, **form.cleaned_data)):
        messages.success(request, _("Version %(n)d is a draft again.") % {"n": number})
        return redirect("questionbank:bank-tree", key=key, number=number)
    # Who was told of a change may go on from what it says now, with the reason as they wrote it.
    context = {"form": form, "version": version, "seen": version.content_hash if form.non_field_errors() else seen}
    return render(request, "questionbank/return.html", context, status=status(form))
