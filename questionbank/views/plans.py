"""Plans: the list, one plan, and its form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from people.answers import attempt, posted
from people.fields import words_in
from people.http import SignedInRequest
from people.models import Person
from people.refusal import Refused
from questionbank import queries
from questionbank.enums import Aim
from questionbank.fitting import Finding, Misfit
from questionbank.forms.plans import PlanForm
from questionbank.models import Plan
from questionbank.outline import OutlinePlanTree, Text
from questionbank.plan_reading import PlannedTree, WholePlan, findings, fingerprint, whole_plans
from questionbank.rules import may_read, may_write
from questionbank.services.plans import PlanTerms, change_plan, delete_plan, make_plan
from questionbank.views.access import curators
from questionbank.wording import AIMS


@require_safe
def show_list(request: SignedInRequest) -> HttpResponse:
    _require_reader(request.user)
    writer = may_write(request.user.roles)
    plans = [_drawn(one) for one in whole_plans(queries.plans(), drafts=writer)]
    context = {"plans": plans, "writer": writer}
    return render(request, "questionbank/plan_list.html", context)


@require_safe
def show(request: SignedInRequest, key: str) -> HttpResponse:
    _require_reader(request.user)
    plan = get_object_or_404(queries.plans(), key=key)
    writer = may_write(request.user.roles)
    context = {
        **_drawn(whole_plans([plan], drafts=writer)[0]),
        "writer": writer,
        "seen": fingerprint(plan) if writer else "",
    }
    return render(request, "questionbank/plan.html", context)


@require_http_methods(["GET", "POST"])
@curators
def create(request: SignedInRequest) -> HttpResponse:
    form = PlanForm(posted(request), initial={"minutes": 60, "required_aims": list(Aim)})
    made = attempt(form, lambda: make_plan(by=request.user, terms=_terms(form))) if form.saving else None
    if made:
        messages.success(request, _("Saved."))
        return redirect("questionbank:plan", key=made.key)
    return _form(request, form, None)


@require_http_methods(["GET", "POST"])
@curators
def edit(request: SignedInRequest, key: str) -> HttpResponse:
    plan = get_object_or_404(Plan, key=key)
    start = {name: getattr(plan, name) for name in ("name", "minutes", "required_aims", "locked")}
    rows = plan.entries.order_by("position").values_list("tree__key", "minutes", "required")
    form = PlanForm(posted(request), rows=list(rows), initial={**start, "seen": fingerprint(plan)})
    seen = str(form.data.get("seen", ""))
    if form.saving and bool(attempt(form, lambda: change_plan(plan, by=request.user, terms=_terms(form), seen=seen))):
        messages.success(request, _("Saved. New interviews start from it; those already made stay as they are."))
        return redirect("questionbank:plan", key=key)
    return _form(request, form, plan)


@require_POST
@curators
def delete(request: SignedInRequest, key: str) -> HttpResponse:
    plan = get_object_or_404(Plan, key=key)
    try:
        delete_plan(plan, by=request.user, seen=request.POST.get("seen", ""))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("questionbank:plan", key=key)
    messages.success(request, _("The plan %(name)s is deleted.") % {"name": plan.name})
    return redirect("questionbank:plan-list")


def _require_reader(person: Person) -> None:
    if not may_read(person.roles):
        raise PermissionDenied


def _form(request: SignedInRequest, form: PlanForm, plan: Plan | None) -> HttpResponse:
    refused = form.saving and bool(form.errors)
    aims, minutes = _unsaved(form)
    context = {
        "form": form,
        "plan": plan,
        "total": sum(given for _tree, given, _required in form.entries),
        "warnings": _said(findings(form.entries, minutes=minutes, aims=aims), (row.tree for row in form.rows)),
    }
    return render(request, "questionbank/plan_form.html", context, status=422 if refused else 200)


def _unsaved(form: PlanForm) -> tuple[list[Aim], int | None]:
    """What the form says at the moment of aims and minutes, as far as it can be read."""
    if not form.is_bound:
        return [Aim(aim) for aim in form.initial["required_aims"]], form.initial["minutes"]
    form.errors  # noqa: B018 - reading them cleans the form
    return form.cleaned_data.get("required_aims", []), form.cleaned_data.get("minutes")


def _terms(form: PlanForm) -> PlanTerms:
    cleaned = form.cleaned_data
    trees = [OutlinePlanTree(tree.key, minutes, required) for tree, minutes, required in form.entries]
    return PlanTerms(cleaned["name"], cleaned["minutes"], cleaned["locked"], cleaned["required_aims"], trees)


def _drawn(whole: WholePlan) -> dict[str, Any]:
    return {
        "plan": whole.plan,
        "entries": whole.entries,
        "total": whole.total,
        "aims": [AIMS[aim] for aim in whole.aims],
        "warnings": _said(whole.findings, (entry.tree for entry in whole.entries)),
    }


def _said(found: Iterable[Finding], trees: Iterable[PlannedTree]) -> list[str]:
    titles = {tree.key: tree.title for tree in trees}
    return [_sentence(one, titles.get(one.tree, {})) for one in found]


def _sentence(one: Finding, title: Text) -> str:
    values: dict[str, object] = {"minutes": one.minutes, "limit": one.limit, "tree": words_in(dict(title))[0]}
    if one.aim:
        values["aim"] = AIMS[one.aim]
    words = {
        Misfit.NO_TREES: _("No tree is in it yet."),
        Misfit.TOO_LONG: ngettext(
            "The required trees take %(minutes)d minute; the interview has %(limit)d.",
            "The required trees take %(minutes)d minutes; the interview has %(limit)d.",
            one.minutes,
        ),
        Misfit.ONLY_WITHOUT_OPTIONAL: ngettext(
            "With the optional trees it takes %(minutes)d minute; the interview has %(limit)d.",
            "With the optional trees it takes %(minutes)d minutes; the interview has %(limit)d.",
            one.minutes,
        ),
        Misfit.TREE_TOO_SHORT: _("%(tree)s: %(limit)d min planned, its curators say %(minutes)d."),
        Misfit.NOT_PUBLISHED: _("%(tree)s: nothing of it is published, so no new interview is offered it."),
        Misfit.AIM_NOT_COVERED: _("No tree asks for %(aim)s."),
        Misfit.AIM_ONLY_OPTIONAL: _("Only an optional tree asks for %(aim)s."),
    }[one.code]
    return words % values
