"""Figures of probes as the nightly snapshot and the calibration leave them, without their interviews."""

from __future__ import annotations

from datetime import date
from typing import Any

from questionbank.models import Probe, ProbeFigures, TreeVersion


def make_figures(version: TreeVersion, key: str, *, wording: str = "", **fields: Any) -> ProbeFigures:
    """Make a row for a probe as this version words it, or for another `wording`: twelve applications."""
    fields.setdefault("asked", 12)
    fields.setdefault("outcomes", {"sustained": 14, "partial": 4, "recited": 2, "not_sustained": 3, "not_judged": 1})
    fields.setdefault("aids", {"unaided": 17, "clarified": 3, "hinted": 2, "told": 1})
    fields.setdefault("minutes", 4)
    fields.setdefault("last_used_on", date(2026, 11, 1))
    fields.setdefault("counted_on", date(2026, 11, 30))
    content = wording or Probe.objects.get(version=version, key=key).content_hash
    return ProbeFigures.objects.create(tree=version.tree, probe_key=key, content_hash=content, **fields)
