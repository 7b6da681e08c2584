"""The script's idea of a tree is the server's: the same moves are allowed, and give the same order and levels."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page

from questionbank.edits.refusal import EditRefused
from questionbank.edits.shape import Place, in_reading_order, move, place_of, siblings
from questionbank.enums import ProbeKind
from questionbank.outline import OutlineTree, levels
from tests.browser.conftest import Site
from tests.questionbank.outlines import probe, tree

pytestmark = pytest.mark.browser

ASK = """async (cases) => {
  const shape = await import("/static/js/core/tree-shape.js");
  return cases.map(({rows, key, place}) => {
    if (!shape.mayStand(rows, key, place)) return null;
    const moved = shape.moved(rows, key, place);
    return {
      order: moved.map((row) => row.key),
      levels: Object.fromEntries(shape.levels(moved)),
      place: shape.placeOf(moved, key),
    };
  });
}"""
STEPS = """async ({rows}) => {
  const shape = await import("/static/js/core/tree-shape.js");
  const ways = ["up", "down", "out", "in"];
  return Object.fromEntries(rows.map(({key}) => [key, ways.map((way) => shape.step(rows, key, way))]));
}"""


def some_tree(seed: int) -> OutlineTree:
    chance = random.Random(seed)  # noqa: S311 - shapes, not secrets
    probes = [probe("p0", kind=ProbeKind.CHECK)]
    for number in range(1, chance.randint(2, 8)):
        kind = chance.choice([ProbeKind.PROBE, ProbeKind.RESCUE, ProbeKind.CHECK])
        probes.append(probe(f"p{number}", chance.choice(probes).key, kind))
    return in_reading_order(tree(*probes))


def rows(one: OutlineTree) -> list[dict[str, Any]]:
    return [{"key": each.key, "parent": each.parent or "", "keeps": each.keeps_level} for each in one.probes]


def as_json(place: Place) -> dict[str, str]:
    return {"parent": place.parent or "", "after": place.after or ""}


def moves(one: OutlineTree) -> list[tuple[str, Place]]:
    keys = [each.key for each in one.probes]
    return [(key, Place(parent, after)) for key in keys for parent in keys for after in (None, *siblings(one, parent))]


def here(one: OutlineTree, key: str, to: Place) -> dict[str, Any] | None:
    try:
        moved = move(one, key, to)
    except EditRefused:
        return None
    return {
        "order": [each.key for each in moved.probes],
        "levels": levels(moved),
        "place": as_json(place_of(moved, key)),
    }


def test_moves_are_the_same_in_both(page: Page, site: Site) -> None:
    page.goto(site.put("/page", "<p>Shapes</p>"))
    trees = [some_tree(seed) for seed in range(25)]
    asked = [(one, key, to) for one in trees for key, to in moves(one)]
    assert len(asked) > 1000

    found = page.evaluate(ASK, [{"rows": rows(one), "key": key, "place": as_json(to)} for one, key, to in asked])

    assert found == [here(one, key, to) for one, key, to in asked]


def test_steps_lead_where_arrows_point(page: Page, site: Site) -> None:
    page.goto(site.put("/page", "<p>Shapes</p>"))
    family = tree(probe("a"), probe("b", "a"), probe("b1", "b"), probe("c", "a"), probe("d", "a"))

    found = page.evaluate(STEPS, {"rows": rows(in_reading_order(family))})

    at = {"parent": "a", "after": ""}
    assert found == {
        "a": [None, None, None, None],
        "b": [None, {"parent": "a", "after": "c"}, None, None],
        "b1": [None, None, {"parent": "a", "after": "b"}, None],
        "c": [at, {"parent": "a", "after": "d"}, None, {"parent": "b", "after": "b1"}],
        "d": [{"parent": "a", "after": "b"}, None, None, {"parent": "c", "after": ""}],
    }
