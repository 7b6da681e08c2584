"""Panel cards that older code made: drawn nowhere, asked for anew, and no page falls over one."""

from __future__ import annotations

import pytest

from people.models import Job
from scoring.models import PanelScorecard
from scoring.services import panels
from scoring.services.panels import ask_for_outdated, compile_application
from tests.cast import Cast
from tests.support.factories import Scene
from tests.support.pages import as_
from tests.support.panel_page import hand_in_all, make_judged_scene

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    """All is in, and the newest card is one of a version that knew less."""
    scene = hand_in_all(make_judged_scene(cast))
    last = PanelScorecard.objects.get()
    PanelScorecard.objects.create(
        application=scene.application,
        number=last.number + 1,
        digest=last.digest,
        code_version="panel-0",
        inputs=last.inputs,
        content={"trees": [], "dimensions": [{"aim": "depth"}]},
    )
    return scene


@pytest.mark.parametrize("as_json", ["", "format=json"])
def test_no_page_draws_one(scene: Scene, as_json: str) -> None:
    mara, application = as_(scene.cast.mara), scene.application
    compared = f"/positions/{scene.position.code}/compare/"
    for address in (compared, f"{compared}?c={application.code}", f"/candidates/{application.candidate.code}/"):
        joined = "&" if "?" in address else "?"
        assert mara.get(f"{address}{joined if as_json else ''}{as_json}").status_code == 200, address


def test_it_is_compiled_anew_once_the_code_has_moved_on(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    application = hand_in_all(make_judged_scene(cast)).application.pk
    assert ask_for_outdated() == 0

    monkeypatch.setattr(panels, "CODE_VERSION", "panel-next")

    assert ask_for_outdated() == 1
    assert Job.objects.filter(name="scoring.compile_panel", key=f"panel:{application}").exists()
    assert compile_application(application) is not None
    assert ask_for_outdated() == 0
