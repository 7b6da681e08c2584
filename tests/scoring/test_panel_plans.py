"""A changed plan moves what the panel cards under it say is covered, so they are compiled anew."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from interviews.models import Application
from interviews.services.hiring import CandidateDetails, PositionTerms, change_application, change_position
from people.models import Job
from questionbank.enums import Aim, VersionState
from questionbank.plan_reading import fingerprint
from questionbank.services.plans import PlanTerms, as_outline, change_plan
from questionbank.services.publishing import publish_unreviewed
from scoring import tasks
from scoring.queries.panel import newest_panel
from scoring.services.panels import verify
from tests.cast import Cast
from tests.support.factories import Scene, make_application, make_plan, make_tree
from tests.support.panel_page import hand_in_all, make_judged_scene

pytestmark = pytest.mark.db

TASKS = {"scoring.compile_after_plan": tasks.compile_after_plan, "scoring.compile_panel": tasks.compile_panel}


@pytest.fixture
def scene(cast: Cast) -> Scene:
    scene = hand_in_all(make_judged_scene(cast))
    work()
    return scene


def work() -> list[str]:
    """Do what waits, as a worker would when it is due; return what was done."""
    done = []
    while (job := Job.objects.filter(done_at=None, name__in=TASKS).order_by("created_at").first()) is not None:
        Job.objects.filter(pk=job.pk).update(due_at=timezone.now())
        TASKS[job.name](str(job.pk))
        done.append(job.name)
    return done


def number_of(application: Application) -> int:
    card = newest_panel(application.pk)
    assert card is not None
    assert verify(card).holds
    return card.number


def terms(scene: Scene, **changed: Any) -> PositionTerms:
    position = scene.position
    kept = {
        "title": position.title,
        "plan": position.plan,
        "managers": [scene.cast.mara],
        "sealing": position.sealing,
        "retention_days": position.retention_days,
        "optional_trees": [],
        "chat": position.chat,
    }
    return PositionTerms(**kept | changed)


def test_a_plan_that_asks_less_has_its_cards_compiled_once_each(scene: Scene, cast: Cast) -> None:
    make_application(scene.position)  # of whom there is no card, and none is made
    before = number_of(scene.application)
    trees = as_outline(scene.plan).trees
    plan = PlanTerms(name=scene.plan.name, minutes=None, locked=False, required_aims=[Aim.DEPTH], trees=trees)

    change_plan(scene.plan, by=cast.cora, terms=plan, seen=fingerprint(scene.plan))

    assert work() == ["scoring.compile_after_plan", "scoring.compile_panel"]
    assert number_of(scene.application) == before + 1


def test_another_plan_or_other_optional_trees_of_a_position_ask_too(scene: Scene, cast: Cast) -> None:
    before = number_of(scene.application)

    change_position(position=scene.position, by=cast.mara, terms=terms(scene, title="Another title"))
    assert work() == []
    change_position(position=scene.position, by=cast.mara, terms=terms(scene, plan=make_plan(scene.versions[0])))
    assert work() == ["scoring.compile_after_plan", "scoring.compile_panel"]
    assert number_of(scene.application) == before + 1
    change_position(position=scene.position, by=cast.mara, terms=terms(scene, optional_trees=[scene.versions[1].tree]))
    assert work() == ["scoring.compile_after_plan", "scoring.compile_panel"]


def test_what_an_application_lifts_asks_for_its_card(scene: Scene, cast: Cast) -> None:
    def change(*lifted: Any) -> None:
        change_application(
            application=scene.application,
            by=cast.mara,
            details=CandidateDetails("Kim", "", "en", "", 0),
            claims=[],
            files=[],
            links=[],
            removed=[],
            lifted_trees=lifted,
        )

    change()
    assert work() == []
    change(scene.versions[1].tree)
    assert work() == ["scoring.compile_panel"]
    change(scene.versions[1].tree)
    assert work() == []


def test_a_published_version_has_the_cards_compiled_that_stand_on_its_probes(scene: Scene) -> None:
    of_the_plan = make_tree(scene.versions[0].tree.key, number=2, state=VersionState.DRAFT)
    of_no_plan = make_tree("elsewhere", state=VersionState.DRAFT)

    publish_unreviewed(of_no_plan, by=None)
    assert work() == []
    publish_unreviewed(of_the_plan, by=None)

    assert work() == ["scoring.compile_after_plan", "scoring.compile_panel"]
