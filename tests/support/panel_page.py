"""The panel card's page in tests: a judged room, all its cards in, its address, and a section's words."""

from __future__ import annotations

from typing import Any

from bs4 import BeautifulSoup

from interviews.enums import InterviewStatus
from scoring.enums import Recommendation
from scoring.services.panels import compile_application
from tests.cast import Cast
from tests.support.factories import Scene, make_scene
from tests.support.judging import judged_scene, submit


def make_judged_scene(cast: Cast) -> Scene:
    scene = make_scene(cast, status=InterviewStatus.LIVE, trees=("data-parallel", "zero-stages"))
    judged_scene(scene)
    return scene


def hand_in_all(scene: Scene) -> Scene:
    """Ana, Bo and Chen hand in, each with words of their own, and the panel card is compiled."""
    submit(scene.ana, summary="Finds causes, counts.")
    submit(scene.bo, Recommendation.NO, summary="Recites.")
    submit(scene.chen, Recommendation.NO_DECISION, reason="Too little seen.")
    compile_application(scene.application.pk)
    return scene


def url(scene: Scene, query: str = "") -> str:
    return f"/applications/{scene.application.code}/panel/{query}"


def section(response: Any, heading: str) -> str:
    page = BeautifulSoup(response.content, "html.parser")
    found = page.select_one(f"section[aria-labelledby={heading}], aside[aria-labelledby={heading}]")
    assert found is not None
    return " ".join(found.get_text(" ").split())
