"""The probes that a panel card leaves out because they were voided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.queries.panel_page import PanelNames
from scoring.queries.titles import Words


def voided(inputs: Mapping[str, Any], names: PanelNames) -> list[Words]:
    """Name, in asked order and each once, the voided probes that the card's kept inputs know as asked."""
    asked = dict.fromkeys((row["tree"], row["probe"]) for row in inputs["asked"] if row["voided"])
    return [names.titles.probe(tree, probe) for tree, probe in asked]
