"""The tree editor's pages: the whole, and what it fetches as one moves through the tree."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from people.http import SignedInRequest
from questionbank.edits import fields
from questionbank.enums import Aim, ProbeKind, Purpose, VersionState
from questionbank.exchange.problems import Problem
from questionbank.lint import Severity, lint_one
from questionbank.models import ProbeFigures, Topic, TreeVersion
from questionbank.outline import OutlineTree, walk
from questionbank.queries.repeats import known_repeats
from questionbank.services import draft_rows, editing
from questionbank.views import editor_drawing
from questionbank.views.editor_answers import state
from questionbank.wording import AIMS, KINDS, PURPOSES, STATES, language_name

MOST_FINDINGS = 40


def fetch(request: SignedInRequest, key: str, number: int | None) -> TreeVersion:
    """Fetch a version for who may write: 403 for everyone else, 404 for what isn't there."""
    try:
        return editing.version_to_edit(request.user, key, number)
    except TreeVersion.DoesNotExist:
        raise Http404(_("The bank has no such tree.")) from None


@require_safe
def show(request: SignedInRequest, key: str, number: int | None = None) -> HttpResponse:
    version = fetch(request, key, number)
    if version.status.state != VersionState.DRAFT:
        context = {"version": version, "state": STATES[VersionState(version.status.state)]}
        return render(request, "questionbank/editor/closed.html", context, status=409)
    outline = draft_rows.read(version).outline
    context = {
        "version": version,
        "rows": editor_drawing.rows(outline),
        "state": state(version, outline, request.user),
        "head": head(version, outline),
        "findings": findings(outline),
        "adding": _adding(outline),
        "published": editing.published_before(version),
    }
    return render(request, "questionbank/editor/show.html", context)


@require_safe
def show_probe(request: SignedInRequest, key: str, number: int, probe: str) -> HttpResponse:
    version = fetch(request, key, number)
    panel = editor_drawing.panel(draft_rows.read(version).outline, probe)
    if panel is None:
        raise Http404(_("This tree has no such probe."))
    known = {"tree": version.tree_id, "probe_key": probe, "content_hash": panel["content_hash"]}
    context = {
        "version": version,
        "panel": panel,
        "comments": version.comments.filter(probe_key=probe, resolved_at__isnull=True).select_related("author"),
        "figures": ProbeFigures.objects.filter(**known).first(),
    }
    return render(request, "questionbank/editor/panel.html", context)


@require_safe
def show_findings(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    version = fetch(request, key, number)
    outline = draft_rows.read(version).outline
    return render(request, "questionbank/editor/findings.html", {"version": version, "findings": findings(outline)})


def findings(outline: OutlineTree) -> dict[str, Any]:
    """Return what the linter says: those that stop publishing first, and how many each probe has."""
    said = [*lint_one(outline), *known_repeats(outline)] if outline.probes else []
    found = [(finding, Problem.of(finding)) for finding in said]
    found.sort(key=lambda pair: pair[0].severity is not Severity.STOPS)
    counts: dict[str, int] = {}
    for finding, _problem in found:
        counts[finding.probe] = counts.get(finding.probe, 0) + 1
    counts.pop("", None)
    return {
        "shown": [
            {
                "stops": finding.severity is Severity.STOPS,
                "probe": finding.probe,
                "message": problem.message,
                "remedy": problem.remedy,
            }
            for finding, problem in found[:MOST_FINDINGS]
        ],
        "total": len(found),
        "stops": sum(finding.severity is Severity.STOPS for finding, _problem in found),
        "more": max(len(found) - MOST_FINDINGS, 0),
        "counts": list(counts.items()),
    }


def head(version: TreeVersion, outline: OutlineTree) -> dict[str, Any]:
    """Return what the form of the tree's head is drawn from."""
    tags = fields.languages(outline)
    topics = Topic.objects.order_by("position", "key")
    return {
        "titles": [
            editor_drawing.Said(f"title.{tag}", tag, language_name(tag), outline.title.get(tag, ""), form="h")
            for tag in tags
        ],
        "minutes": outline.minutes,
        "asked_minutes": sum(placed.probe.minutes for placed in walk(outline)),
        "purposes": [(one.value, PURPOSES[one], one is outline.purpose) for one in Purpose],
        "misses": outline.misses,
        "second_try": outline.second_try,
        "topics": [(topic.key, topic.title, topic.pk == version.tree.topic_id) for topic in topics],
        "languages": [(tag, language_name(tag)) for tag in tags],
    }


def _adding(outline: OutlineTree) -> dict[str, Any]:
    return {
        "languages": [(tag, language_name(tag)) for tag in fields.languages(outline)],
        "kinds": [(kind.value, KINDS[kind]) for kind in ProbeKind],
        "aims": [(aim.value, AIMS[aim]) for aim in Aim],
    }
