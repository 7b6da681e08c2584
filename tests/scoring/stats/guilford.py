"""Guilford's creativity ratings (1954, p. 282), with what FACETS and immer published of them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from scoring.stats.ratings import Ratings

DATA = Path(__file__).parent / "data"


def guilford() -> Ratings:
    """Seven scientists rated by three judges on five traits, 1 to 9, read as 0 to 8."""
    with (DATA / "guilford_creativity.csv").open() as file:
        rows = list(csv.DictReader(file))
    cells = [(row["scientist"], row["judge"], trait, int(row[trait]) - 1) for row in rows for trait in list(row)[2:]]
    scientist, judge, trait, rating = zip(*cells, strict=True)
    return Ratings.from_columns(scientist, judge, trait, rating)


def published(name: str) -> dict[str, Any]:
    """What another program published of them: `facets_published` or `immer_jml`."""
    found: dict[str, Any] = json.loads((DATA / f"guilford_{name}.json").read_text())
    return found
