"""What the tree editor's page sends: each edit to its service, which decides; the answer is what changed."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from people.http import SignedInRequest
from questionbank.edits import fields
from questionbank.forms.editing import AddForm, BackForm, FieldForm, LanguageForm, MoveForm, ProbeForm, RemoveForm
from questionbank.models import TreeVersion
from questionbank.services import draft_rows, editing
from questionbank.services.editing import Edited
from questionbank.views.editor import fetch
from questionbank.views.editor_answers import answer


@require_POST
def save_field(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version, form = fetch(request, key, number), FieldForm(request.POST)
    return answer(version, request, form, lambda: _save(version, request, form))


def _save(version: TreeVersion, request: SignedInRequest, form: FieldForm) -> Edited:
    sent = form.cleaned_data
    field = {"name": sent["name"], "was": sent["was"], "value": sent["value"]}
    if sent["probe"]:
        return editing.change_field(version, by=request.user, key=sent["probe"], along=sent["along"], **field)
    return editing.change_head(version, by=request.user, **field)


@require_POST
def add(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version = fetch(request, key, number)
    form = AddForm(request.POST, languages=fields.languages(draft_rows.read(version).outline))
    return answer(version, request, form, lambda: _add(version, request, form))


def _add(version: TreeVersion, request: SignedInRequest, form: AddForm) -> Edited:
    sent = form.cleaned_data
    new = {"by": request.user, "prompt": form.prompt, "kind": sent["kind"], "aims": sent["aims"]}
    if sent["above"]:
        return editing.insert_probe(version, above=sent["above"], **new)
    return editing.add_probe(version, place=form.place, **new)


@require_POST
def move(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version, form = fetch(request, key, number), MoveForm(request.POST)
    return answer(
        version,
        request,
        form,
        lambda: editing.move_probe(version, by=request.user, key=form.cleaned_data["probe"], was=form.was, to=form.to),
    )


@require_POST
def duplicate(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version, form = fetch(request, key, number), ProbeForm(request.POST)
    return answer(
        version,
        request,
        form,
        lambda: editing.duplicate_probe(version, by=request.user, key=form.cleaned_data["probe"]),
    )


@require_POST
def remove(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version, form = fetch(request, key, number), RemoveForm(request.POST)
    return answer(
        version,
        request,
        form,
        lambda: editing.remove_probe(
            version, by=request.user, key=form.cleaned_data["probe"], shown=form.cleaned_data["shown"]
        ),
    )


@require_POST
def step_back(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version, form = fetch(request, key, number), BackForm(request.POST)
    return answer(version, request, form, lambda: _step(version, request, form))


def _step(version: TreeVersion, request: SignedInRequest, form: BackForm) -> Edited:
    step = form.cleaned_data["step"]
    if step == BackForm.RESTORE:
        return editing.restore(version, by=request.user, key=form.cleaned_data["probe"])
    return (editing.redo if step == BackForm.REDO else editing.undo)(version, by=request.user)


@require_POST
def begin_language(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version, form = fetch(request, key, number), LanguageForm(request.POST)
    return answer(
        version,
        request,
        form,
        lambda: editing.add_language(
            version, by=request.user, tag=form.cleaned_data["tag"], title=form.cleaned_data["title"]
        ),
    )
