"""Positions, for their managers."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from interviews.forms.positions import PositionForm
from interviews.queries.hiring import application_rows, position_rows
from interviews.queries.reach import positions_for
from interviews.services.hiring import PositionTerms, change_position, create_position
from interviews.views.access import managed_position, managers
from people.answers import attempt, posted, status
from people.http import SignedInRequest

TERMS = ("title", "managers", "plan", "sealing", "retention_days", "optional_trees", "chat")


@require_GET
@managers
def show_list(request: SignedInRequest) -> HttpResponse:
    return render(request, "interviews/position_list.html", {"positions": position_rows(request.user)})


@require_http_methods(["GET", "POST"])
@managers
def create(request: SignedInRequest) -> HttpResponse:
    start = {"managers": [str(request.user.code)]}
    form = PositionForm(posted(request), initial=start)
    position = attempt(
        form, lambda: create_position(by=request.user, code=form.cleaned_data["code"], terms=_terms(form))
    )
    if position:
        return redirect("interviews:position-detail", code=position.code)
    return render(request, "interviews/position_form.html", {"form": form, "position": None}, status=status(form))


@require_http_methods(["GET", "POST"])
def edit(request: SignedInRequest, code: UUID) -> HttpResponse:
    position = managed_position(request.user, code)
    start = {name: getattr(position, name) for name in ("title", "plan", "sealing", "retention_days", "chat")}
    start["managers"] = [str(person.code) for person in position.managers.all()]
    start["optional_trees"] = [tree.key for tree in position.optional_trees.all()]
    form = PositionForm(posted(request), position=position, initial=start)
    if attempt(form, lambda: change_position(position=position, by=request.user, terms=_terms(form))):
        messages.success(request, _("Saved."))
        if positions_for(request.user).filter(pk=position.pk).exists():
            return redirect("interviews:position-detail", code=code)
        return redirect("interviews:position-list")
    return render(request, "interviews/position_form.html", {"form": form, "position": position}, status=status(form))


def _terms(form: PositionForm) -> PositionTerms:
    return PositionTerms(**{name: form.cleaned_data[name] for name in TERMS})


@require_GET
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    position = managed_position(request.user, code)
    rows = application_rows(request.user, position)
    context = {"position": position, "rows": rows, "managers": position.managers.order_by("name")}
    return render(request, "interviews/position_detail.html", context)
