"""The page's closing checklist and fair-time meter say what the server's rules say: both run the shared vectors."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from interviews.enums import Aid, Ended, Outcome
from tests.browser.conftest import Site
from tests.interviews.closing_reading import as_json, read_closing
from tests.interviews.minutes_reading import read_minutes

pytestmark = pytest.mark.browser

VECTORS = Path(__file__).parents[1] / "interviews"


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((VECTORS / name).read_text(encoding="utf-8"))["cases"]
    return found


def run(page: Page, site: Site, module: str, function: str, inputs: list[Any]) -> list[Any]:
    page.goto(site.put("/", "<!doctype html><title>vectors</title>"))
    results: list[Any] = page.evaluate(
        "async ([file, name, inputs]) => { const module = await import(`/static/js/core/${file}.js`);"
        " return inputs.map((input) => module[name](input)); }",
        [module, function, inputs],
    )
    return results


def test_twins_read_every_vector(page: Page, site: Site) -> None:
    for module, function in (("closing", "checklist"), ("minutes", "fairTime")):
        wanted = cases(f"{module}_vectors.json")

        results = run(page, site, module, function, [case["input"] for case in wanted])

        assert {case["name"]: result for case, result in zip(wanted, results, strict=True)} == {
            case["name"]: case["expect"] for case in wanted
        }


def random_closing(random: Random) -> dict[str, Any]:
    asks = [
        {
            "id": f"a{number}",
            "tree": random.choice(["dp", "z"]),
            "probe": f"p{random.randint(1, 5)}",
            "level": random.randint(1, 4),
            "made_at": random.randint(0, 60),
            "aims": random.sample(["depth", "why", "hands_on"], random.randint(1, 3)),
            "scored": random.random() > 0.1,
            "retracted": random.random() < 0.1,
            "own": random.random() < 0.1,
            "outcome": random.choice([*Outcome, None, None]),
            "aid": random.choice([*Aid, None]),
            "ratings": {aim: random.choice([0, 2, None]) for aim in random.sample(["depth", "why", "hands_on"], 2)},
        }
        for number in range(random.randint(0, 8))
    ]
    ended = [None, *({"reason": reason, "asks": random.randint(0, 4)} for reason in Ended)]
    rule = {"top_level": 4, "misses_to_end": 2, "retry_unclear": True, "optional": random.random() > 0.5}
    trees = [{"key": key, "rule": rule, "ended": random.choice(ended)} for key in ("dp", "z")]
    line = [[since, random.choice([None, since + random.randint(0, 30)])] for since in random.sample(range(60), 2)]
    return {"asks": asks, "trees": trees, "line": line, "now": 70}


def random_minutes(random: Random) -> dict[str, Any]:
    asks = [
        {"tree": random.choice("abc"), "probe": f"p{random.randint(1, 4)}", "made_at": random.randint(0, 90_000)}
        for _ in range(random.randint(0, 6))
    ]
    pauses = [[since, random.choice([None, since + 7000])] for since in random.sample(range(90_000), 2)]
    plan = [{"tree": key, "minutes": random.randint(1, 3), "probes": 4} for key in "ab"]
    return {"asks": asks, "plan": plan, "pauses": pauses, "end": 80_000, "extra": random.choice([0, 25, 50])}


def test_twins_agree_on_cases_nobody_thought_of(page: Page, site: Site) -> None:
    random = Random(7)  # noqa: S311 - cases, not secrets
    closing = [random_closing(random) for _ in range(800)]
    minutes = [random_minutes(random) for _ in range(300)]
    wanted = [as_json(read_closing(one)) for one in closing], [read_minutes(one) for one in minutes]

    found = run(page, site, "closing", "checklist", closing), run(page, site, "minutes", "fairTime", minutes)

    for given, here, there in zip((closing, minutes), found, wanted, strict=True):
        assert [one for one in zip(given, here, there, strict=True) if one[1] != one[2]] == []
