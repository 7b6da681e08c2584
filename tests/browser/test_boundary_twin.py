"""The page's boundary rule says what the server's says: both run the shared vectors."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from interviews.enums import Aid, Ended, Outcome
from interviews.rules import Ending, TreeRule, boundary
from tests.browser.conftest import Site
from tests.interviews.test_rules_vectors import as_json, read_ask

pytestmark = pytest.mark.browser

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "interviews" / "boundary_vectors.json").read_text(encoding="utf-8")
)


def read_input(case: dict[str, Any]) -> dict[str, Any]:
    ended = case["ended"] and Ending(Ended(case["ended"]["reason"]), case["ended"]["asks"])
    return {"asks": [read_ask(row) for row in case["asks"]], "tree": TreeRule(**case["tree"]), "ended": ended}


def run(page: Page, site: Site, function: str, inputs: list[Any]) -> list[Any]:
    page.goto(site.put("/", "<!doctype html><title>vectors</title>"))
    results: list[Any] = page.evaluate(
        "async ([name, inputs]) => { const module = await import('/static/js/core/boundary.js');"
        " return inputs.map((input) => module[name](input)); }",
        [function, inputs],
    )
    return results


def test_boundary_twin_reads_every_vector(page: Page, site: Site) -> None:
    cases = VECTORS["cases"]

    results = run(page, site, "boundary", [case["input"] for case in cases])

    assert {case["name"]: result for case, result in zip(cases, results, strict=True)} == {
        case["name"]: case["expect"] for case in cases
    }


def test_ending_twin_reads_every_effect(page: Page, site: Site) -> None:
    effects = VECTORS["effects"]

    results = run(page, site, "endingEffect", [effect["input"] for effect in effects])

    assert {effect["name"]: result for effect, result in zip(effects, results, strict=True)} == {
        effect["name"]: effect["expect"] for effect in effects
    }


def random_case(random: Random) -> dict[str, Any]:
    """Marks as a person might leave them: levels that wander, probes asked twice, any ending at any time."""
    asks = [
        {
            "probe": f"p{random.randint(1, 6)}",
            "level": random.randint(1, 5),
            "outcome": random.choice([*Outcome, None]),
            "aid": random.choice([*Aid, None]),
            "scored": random.random() > 0.1,
            "retracted": random.random() < 0.1,
            "voided": random.random() < 0.1,
        }
        for _ in range(random.randint(0, 8))
    ]
    ended = random.choice([None, {"reason": random.choice(list(Ended)), "asks": random.randint(0, len(asks))}])
    tree = {
        "top_level": random.randint(1, 5),
        "misses_to_end": random.randint(1, 3),
        "retry_unclear": random.random() > 0.3,
        "optional": random.random() > 0.5,
    }
    return {"tree": tree, "asks": asks, "ended": ended, "override": None}


def test_boundary_twin_agrees_on_cases_nobody_thought_of(page: Page, site: Site) -> None:
    random = Random(20)  # noqa: S311 - cases, not secrets
    cases = [random_case(random) for _ in range(1500)]
    expected = [as_json(boundary(**read_input(case))) for case in cases]

    results = run(page, site, "boundary", cases)

    assert [pair for pair in zip(cases, results, expected, strict=True) if pair[1] != pair[2]] == []
