"""Walking a tree as an interviewer would: one probe, what was heard, and which follow-ups that offers."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from people.http import SignedInRequest
from questionbank import queries
from questionbank.enums import BranchOutcome, VersionState
from questionbank.models import Probe
from questionbank.views.access import read_whole
from questionbank.views.drawing import DrawnProbe
from questionbank.wording import OUTCOMES, SIGNALS, STATES

# As in the room.
OUTCOME_KEYS = dict(zip(BranchOutcome, "ASDF", strict=True))
FOLLOW_UP_KEYS = "YUIOP"


@require_safe
def walk_through(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    whole = read_whole(request.user, key, number)
    heard = request.GET.get("heard", "")
    context: dict[str, Any] = {
        "version": whole.version,
        "state": STATES[VersionState(whole.version.status.state)],
        "heard": OUTCOMES[BranchOutcome(heard)] if heard in set(BranchOutcome) else "",
        "empty": not whole.probes,
    }
    if whole.probes:
        here = whole.probe(request.GET.get("at", "")) or whole.probes[0]
        context |= _at(whole, here, heard if heard in set(BranchOutcome) else "")
    return render(request, "questionbank/editor/walk.html", context)


def _at(whole: queries.WholeTree, here: Probe, heard: str) -> dict[str, Any]:
    below = [DrawnProbe(probe) for probe in whole.probes if probe.parent_id == here.pk]
    offered = [node for node in below if not heard or not node.outcomes or heard in node.outcomes]
    node = DrawnProbe(here)
    return {
        "node": node,
        "signals": [(kind, SIGNALS[kind], texts) for kind, texts in node.signals.items()],
        "outcomes": [
            {"value": one, "label": OUTCOMES[one], "key": OUTCOME_KEYS[one], "url": _url(whole, here, one)}
            for one in BranchOutcome
        ],
        "chosen": heard,
        "offered": [_step(whole, node, key) for node, key in zip(offered, _keys(len(offered)), strict=True)],
        "others": [_step(whole, node, "") for node in below if node not in offered],
        "parent": next((probe for probe in whole.probes if probe.pk == here.parent_id), None),
        "position": whole.probes.index(here) + 1,
        "n_probes": len(whole.probes),
    }


def _keys(number: int) -> list[str]:
    return [*FOLLOW_UP_KEYS[:number], *[""] * (number - len(FOLLOW_UP_KEYS))]


def _step(whole: queries.WholeTree, node: DrawnProbe, key: str) -> dict[str, Any]:
    return {"node": node, "key": key, "url": _url(whole, node.probe)}


def _url(whole: queries.WholeTree, at: Probe, heard: str = "") -> str:
    where = {"key": whole.version.tree.key, "number": whole.version.number}
    asked = {"at": at.key, **({"heard": heard} if heard else {})}
    return f"{reverse('questionbank:tree-walk', kwargs=where)}?{urlencode(asked)}"
