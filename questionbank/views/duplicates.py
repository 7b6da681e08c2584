"""Probes that ask nearly the same: the pairs, merging one into the other, and what was merged. For curators."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from people.answers import attempt, posted, status
from people.http import SignedInRequest
from questionbank.forms.merging import MergeForm, PairForm
from questionbank.models import NearPair, Probe, Redirect
from questionbank.queries.duplicates import ProbeName, newest_probes, not_compared, open_pairs
from questionbank.services.duplicates import call_different
from questionbank.services.merging import CannotMerge, Merger, merge, merges, plan_merge, unmerge
from questionbank.views.access import curators
from questionbank.wording import language_name

PER_PAGE = 20


@dataclass(frozen=True, slots=True)
class PairRow:
    pair: NearPair
    one: Probe
    other: Probe
    language: str
    percent: int


@require_safe
@curators
def show_pairs(request: SignedInRequest) -> HttpResponse:
    page = Paginator(open_pairs(), PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "rows": _rows(page), "waiting": not_compared().count(), "merges": merges()}
    return render(request, "questionbank/duplicates.html", context)


def _rows(page: Page[NearPair]) -> list[PairRow]:
    names: set[ProbeName] = set()
    for pair in page:
        names |= {(pair.tree.key, pair.key), (pair.other_tree.key, pair.other_key)}
    probes = newest_probes(names)
    return [
        PairRow(
            pair=pair,
            one=probes[pair.tree.key, pair.key],
            other=probes[pair.other_tree.key, pair.other_key],
            language=language_name(pair.language),
            percent=round(pair.similarity * 100),
        )
        for pair in page
        if {(pair.tree.key, pair.key), (pair.other_tree.key, pair.other_key)} <= probes.keys()
    ]


@require_POST
@curators
def different(request: SignedInRequest, code: UUID) -> HttpResponse:
    call_different(get_object_or_404(NearPair, code=code), by=request.user)
    messages.success(request, _("They are not listed as a pair again."))
    return redirect("questionbank:duplicates")


@require_http_methods(["GET", "HEAD", "POST"])
@curators
def merge_probes(request: SignedInRequest) -> HttpResponse:
    """Ask which two, then say what merging them would do, then do it."""
    form = MergeForm(posted(request), initial=_named(request))
    if done := attempt(form, lambda: merge(by=request.user, shown=request.POST.get("shown", ""), **form.cleaned_data)):
        said, draft = done
        words = _("Merged. %(key)s left version %(n)d of its tree, which is a draft.")
        messages.success(request, words % {"key": said.key, "n": draft.number})
        return redirect("questionbank:bank-tree", key=said.tree.key, number=draft.number)
    planned, refused = _planned(form)
    context = {"form": form, "planned": planned, "refused": refused}
    return render(request, "questionbank/merge.html", context, status=status(form))


def _named(request: SignedInRequest) -> dict[str, object]:
    asked = PairForm(request.GET)
    asked.is_valid()
    return {name: asked.cleaned_data.get(name, request.GET.get(name, "")) for name in ("kept", "merged")}


def _planned(form: MergeForm) -> tuple[Merger | None, str]:
    """Return what merging the two would do; or None and why not, "" while they aren't named."""
    asked = form.cleaned_data if form.is_bound else form.initial
    kept, merged = asked.get("kept"), asked.get("merged")
    if not (isinstance(kept, tuple) and isinstance(merged, tuple)):
        return None, ""
    try:
        return plan_merge(kept, merged), ""
    except CannotMerge as refused:
        return None, refused.message


@require_POST
@curators
def undo(request: SignedInRequest, code: UUID) -> HttpResponse:
    unmerge(get_object_or_404(Redirect, code=code), by=request.user)
    messages.success(request, _("The redirect is gone. Published versions still hold the probe; copy it from there."))
    return redirect("questionbank:duplicates")
