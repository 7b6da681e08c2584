"""Pages of the bank: the list, one tree, one probe."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from people.http import SignedInRequest
from questionbank import queries
from questionbank.enums import Aim, Purpose, SignalKind, VersionState
from questionbank.models import Plan, Probe, TreeVersion
from questionbank.outline import Text
from questionbank.views.actions import tree_actions
from questionbank.views.desk import desk
from questionbank.views.drawing import DrawnProbe, draw
from questionbank.wording import AIMS, PURPOSES, SIGNALS, STATES, language_name


@require_safe
def bank_list(request: SignedInRequest) -> HttpResponse:
    summaries = queries.summaries(queries.bank_for(request.user))
    topics = [
        (topic, [_row(one) for one in group]) for topic, group in groupby(summaries, lambda one: one.version.tree.topic)
    ]
    titles = {one.version.tree_id: one.version.title for one in summaries}
    plans = [_plan(plan, titles) for plan in queries.plans()]
    return render(
        request,
        "questionbank/list.html",
        {"topics": topics, "plans": plans, "n_trees": len(summaries), "desk": desk(request.user)},
    )


def _plan(plan: Plan, titles: Mapping[int, Text]) -> dict[str, object]:
    return {
        "plan": plan,
        "aims": [AIMS[aim] for aim in Aim if aim.value in plan.required_aims],
        "trees": [
            # A tree that has nothing to show to this reader yet is named by its key.
            {"entry": entry, "title": titles.get(entry.tree_id, {"en": entry.tree.key})}
            for entry in plan.entries.all()
        ],
    }


def _row(one: queries.TreeSummary) -> dict[str, object]:
    return {
        "summary": one,
        "aims": [(AIMS[aim], count) for aim, count in one.aims.items()],
        "languages": [(tag, language_name(tag)) for tag in one.languages],
        "state": _state(one.version),
    }


@require_safe
def bank_tree(request: SignedInRequest, key: str, number: int | None = None) -> HttpResponse:
    whole = _whole(request, key, number)
    version = whole.version
    versions = list(queries.versions_of(request.user, version.tree))
    context = {
        "version": version,
        "root": draw(whole.probes),
        "levels": range(1, max((probe.level for probe in whole.probes), default=1) + 1),
        "n_probes": len(whole.probes),
        "purpose": PURPOSES[Purpose(version.purpose)],
        "state": _state(version),
        "number": number,
        "versions": versions,
        "actions": tree_actions(request.user, version, versions),
    }
    return render(request, "questionbank/tree.html", context)


@require_safe
def bank_probe(request: SignedInRequest, key: str, probe: str, number: int | None = None) -> HttpResponse:
    whole = _whole(request, key, number)
    shown = whole.probe(probe)
    if shown is None:
        raise Http404(_("This tree has no such probe."))
    place = whole.probes.index(shown)
    context = {
        "version": whole.version,
        "number": number,
        "state": _state(whole.version),
        "node": DrawnProbe(shown),
        "parent": next((one for one in whole.probes if one.pk == shown.parent_id), None),
        "follow_ups": [DrawnProbe(one) for one in whole.probes if one.parent_id == shown.pk],
        "signals": _signals(shown),
        "anchors": _anchors(shown),
        "before": whole.probes[place - 1] if place else None,
        "after": whole.probes[place + 1] if place + 1 < len(whole.probes) else None,
    }
    return render(request, "questionbank/probe.html", context)


def _whole(request: SignedInRequest, key: str, number: int | None) -> queries.WholeTree:
    """Fetch a tree as this person may read it: 403 for people without the bank, 404 for what isn't there for them."""
    try:
        return queries.whole(queries.version_for(request.user, key, number))
    except TreeVersion.DoesNotExist:
        raise Http404(_("The bank has no such tree.")) from None


def _state(version: TreeVersion) -> object:
    return STATES[VersionState(version.status.state)]


def _signals(probe: Probe) -> list[tuple[object, SignalKind, list[dict[str, str]]]]:
    by_kind: dict[str, list[dict[str, str]]] = {}
    for signal in probe.signals.all():
        by_kind.setdefault(signal.kind, []).append(signal.text)
    return [(SIGNALS[kind], kind, by_kind.get(kind, [])) for kind in SignalKind]


def _anchors(probe: Probe) -> list[tuple[object, list[tuple[int, dict[str, str]]]]]:
    by_aim: dict[str, list[tuple[int, dict[str, str]]]] = {}
    for anchor in probe.anchors.all():
        by_aim.setdefault(anchor.aim, []).append((anchor.rating, anchor.text))
    return [(AIMS[aim], by_aim.get(aim, [])) for aim in Aim if aim.value in probe.aims]
