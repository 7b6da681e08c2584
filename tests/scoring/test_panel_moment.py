"""A card that comes in while a panel card is compiled belongs to the next compile, whole."""

from __future__ import annotations

from typing import Any

import pytest

from interviews.enums import InterviewStatus
from scoring.queries import panel
from tests.cast import Cast
from tests.support.factories import make_scene
from tests.support.judging import judged_scene, submit

pytestmark = pytest.mark.db


def test_a_card_submitted_meanwhile_is_left_to_the_next_compile(
    db: None, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    judged_scene(scene)
    submit(scene.ana)
    load = panel.load_revisions

    def submitted_first(*args: Any, **kwargs: Any) -> Any:
        found = load(*args, **kwargs)
        submit(scene.bo)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(panel, "load_revisions", submitted_first)
        inputs = panel.load_inputs(scene.application.pk)
    assert [rater.person for rater in inputs.raters] == [scene.cast.ana.pk]
    assert len(panel.load_inputs(scene.application.pk).raters) == 2
