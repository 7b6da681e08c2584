"""Pages of the bank: one tree, one probe. The list is in listing.py."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from people.http import SignedInRequest
from questionbank import queries
from questionbank.enums import Aim, Purpose, SignalKind, VersionState
from questionbank.models import TreeVersion
from questionbank.queries.duplicates import ProbeName, merged_into
from questionbank.rules import may_write
from questionbank.views.access import read_whole
from questionbank.views.actions import tree_actions
from questionbank.views.drawing import DrawnProbe, draw
from questionbank.wording import AIMS, PURPOSES, SIGNALS, STATES


@require_safe
def bank_tree(request: SignedInRequest, key: str, number: int | None = None) -> HttpResponse:
    whole = read_whole(request.user, key, number)
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
        "writer": may_write(request.user.roles),
    }
    return render(request, "questionbank/tree.html", context)


@require_safe
def bank_probe(request: SignedInRequest, key: str, probe: str, number: int | None = None) -> HttpResponse:
    whole = read_whole(request.user, key, number)
    shown = whole.probe(probe)
    kept = _kept(request, (key, probe))
    if shown is None:
        return _sent_on(kept, number)
    place, node = whole.probes.index(shown), DrawnProbe(shown)
    context = {
        "version": whole.version,
        "number": number,
        "state": _state(whole.version),
        "node": node,
        "kept": kept,
        "writer": may_write(request.user.roles),
        "parent": next((one for one in whole.probes if one.pk == shown.parent_id), None),
        "follow_ups": [DrawnProbe(one) for one in whole.probes if one.parent_id == shown.pk],
        "signals": [(SIGNALS[kind], kind, node.signals.get(kind, [])) for kind in SignalKind],
        "anchors": [(AIMS[aim], node.anchors.get(aim, [])) for aim in Aim if aim.value in shown.aims],
        "before": whole.probes[place - 1] if place else None,
        "after": whole.probes[place + 1] if place + 1 < len(whole.probes) else None,
    }
    return render(request, "questionbank/probe.html", context)


def _kept(request: SignedInRequest, name: ProbeName) -> ProbeName | None:
    """Return the probe that this one was merged into, where the person may read that."""
    kept = merged_into(name)
    return kept if kept and queries.bank_for(request.user).filter(tree__key=kept[0]).exists() else None


def _sent_on(kept: ProbeName | None, number: int | None) -> HttpResponse:
    if kept is None or number is not None:
        raise Http404(_("This tree has no such probe."))
    return redirect("questionbank:bank-probe", key=kept[0], probe=kept[1])


def _state(version: TreeVersion) -> object:
    return STATES[VersionState(version.status.state)]
