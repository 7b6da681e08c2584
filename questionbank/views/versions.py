"""What curators do with a version: begin, discard, send, take back, retire; and what everybody reads about versions."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from people.access import for_roles
from people.answers import attempt, posted, status
from people.enums import PersonRole
from people.http import SignedInRequest
from people.models import Person
from people.refusal import Refused
from questionbank import queries
from questionbank.enums import VersionState
from questionbank.forms.beginning import NewTreeForm
from questionbank.forms.review import RetireForm, ReviewerForm, RulesForm
from questionbank.models import BankRules, TreeVersion
from questionbank.outline_diff import compare
from questionbank.services.drafting import OpenVersion, discard_draft, new_draft, new_topic, new_tree
from questionbank.services.publishing import retire, send_for_review, take_back
from questionbank.services.readiness import blockers
from questionbank.services.reviewing import change_rules
from questionbank.versions import history, last_return
from questionbank.views.access import curators, newest_readable, read_version
from questionbank.views.comparing import draw_diff
from questionbank.views.history import draw_history


@require_http_methods(["GET", "POST"])
@curators
def begin_tree(request: SignedInRequest) -> HttpResponse:
    form = NewTreeForm(posted(request), language=request.LANGUAGE_CODE)
    if made := attempt(form, lambda: _begin(form, request.user)):
        messages.success(request, _("A draft with one probe. Edit it."))
        return redirect("questionbank:bank-tree", key=made.tree.key)
    return render(request, "questionbank/tree_new.html", {"form": form}, status=status(form))


@transaction.atomic
def _begin(form: NewTreeForm, by: Person) -> TreeVersion:
    """A new topic goes again where its tree can't be made."""
    topic = form.cleaned_data["topic"] or new_topic(form.topic_title, by)
    return new_tree(topic, form.title, by)


@require_POST
@curators
def begin_draft(request: SignedInRequest, key: str) -> HttpResponse:
    version = read_version(request.user, key)
    try:
        number = new_draft(version.tree, request.user).number
    except OpenVersion as other:
        messages.warning(request, other.message)
        number = other.version.number
    except Refused as refused:
        messages.error(request, refused.message)
        number = version.number
    return redirect("questionbank:bank-tree", key=key, number=number)


@require_POST
@curators
def discard(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version = read_version(request.user, key, number)
    try:
        tree_gone = discard_draft(version, request.user, seen=request.POST.get("seen", ""))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("questionbank:bank-tree", key=key, number=number)
    messages.success(request, _("Version %(n)d is discarded.") % {"n": number})
    return redirect("questionbank:bank-list") if tree_gone else redirect("questionbank:bank-tree", key=key)


@require_http_methods(["GET", "POST"])
@curators
def send(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version = read_version(request.user, key, number)
    form = ReviewerForm(posted(request), version=version)
    if attempt(form, lambda: send_for_review(version, by=request.user, **form.cleaned_data)):
        name = form.cleaned_data["reviewer"].name
        messages.success(request, _("%(name)s reviews version %(n)d now.") % {"name": name, "n": number})
        return redirect("questionbank:bank-tree", key=key, number=number)
    context = {
        "form": form,
        "version": version,
        "draft": version.status.state == VersionState.DRAFT,
        "blockers": blockers(queries.whole(version).outline),
        "returned": last_return(version),
    }
    return render(request, "questionbank/send.html", context, status=status(form))


@require_POST
@curators
def withdraw(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version = read_version(request.user, key, number)
    try:
        take_back(version, by=request.user)
        messages.success(request, _("Version %(n)d is a draft again.") % {"n": number})
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("questionbank:bank-tree", key=key, number=number)


@require_http_methods(["GET", "POST"])
@curators
def retire_version(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version = read_version(request.user, key, number)
    others = queries.versions_of(request.user, version.tree).exclude(pk=version.pk)
    form = RetireForm(posted(request), alone=not others.filter(status__state=VersionState.PUBLISHED).exists())
    if n := attempt(form, lambda: retire(version, by=request.user, **form.cleaned_data)):
        words = ngettext("%(n)d version is retired.", "%(n)d versions are retired.", n)
        messages.success(request, words % {"n": n})
        return redirect("questionbank:tree-history", key=key)
    return render(request, "questionbank/retire.html", {"form": form, "version": version}, status=status(form))


@require_safe
def show_history(request: SignedInRequest, key: str) -> HttpResponse:
    version = newest_readable(request.user, key)
    lines = history(request.user, version.tree)
    context = {"version": version, "lines": draw_history(lines), "numbers": [one.version.number for one in lines]}
    return render(request, "questionbank/history.html", context)


@require_safe
def choose_comparison(request: SignedInRequest, key: str) -> HttpResponse:
    """Send a form's two numbers on to the page that has them in its address."""
    newest_readable(request.user, key)
    old, new = request.GET.get("old", ""), request.GET.get("new", "")
    if not (old.isascii() and old.isdigit() and new.isascii() and new.isdigit() and len(old + new) < 16):
        raise Http404(_("Choose two versions."))
    return redirect("questionbank:tree-compare", key=key, old=int(old), new=int(new))


@require_safe
def show_comparison(request: SignedInRequest, key: str, old: int, new: int) -> HttpResponse:
    before = queries.whole(read_version(request.user, key, old))
    after = queries.whole(read_version(request.user, key, new))
    context = {
        "before": before.version,
        "after": after.version,
        "diff": draw_diff(compare(before.outline, after.outline), before.outline, after.outline),
        "numbers": [one.number for one in queries.versions_of(request.user, after.version.tree)],
    }
    return render(request, "questionbank/compare.html", context)


@require_http_methods(["GET", "POST"])
@for_roles(PersonRole.ADMINISTRATOR)
def show_rules(request: SignedInRequest) -> HttpResponse:
    rules = BankRules.objects.select_related("changed_by").first()
    form = RulesForm(posted(request), initial={"own_review": rules.own_review if rules else False})
    if attempt(form, lambda: change_rules(by=request.user, **form.cleaned_data)):
        messages.success(request, _("Saved."))
        return redirect("questionbank:bank-rules")
    return render(request, "questionbank/rules.html", {"form": form, "rules": rules}, status=status(form))
