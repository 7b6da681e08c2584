"""The pages of voids, second markings, the norming set and interviewers' figures: what axe sees, and on a phone."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from people.models import Person
from scoring.models import BlindMarking, InterviewerFigures, MarkingTerms
from scoring.services.norming import add_to_norming_set
from scoring.services.panels import compile_application
from scoring.services.second_marking import draw_second_markings
from scoring.services.voids import void_probe
from tests.browser.conftest import Site
from tests.browser.looks import SCHEMES, axe_faults, show_in
from tests.cast import Cast
from tests.support.factories import Scene
from tests.support.pages import as_
from tests.support.panel_page import hand_in_all, make_judged_scene

pytestmark = pytest.mark.browser


@pytest.fixture
def scene(cast: Cast) -> Scene:
    """All in, one probe voided, Sam asked to mark, figures of everybody."""
    scene = hand_in_all(make_judged_scene(cast))
    MarkingTerms.objects.create(position=scene.position, percent=100)
    draw_second_markings()
    add_to_norming_set(interview=scene.interview, by=cast.mara)
    tree = scene.versions[0].tree
    void_probe(position=scene.position, tree=tree, probe="l3", by=cast.mara, reason="The figure gave it away.")
    compile_application(scene.application.pk)
    for place, person in enumerate((cast.ana, cast.bo, cast.chen, cast.dee)):
        InterviewerFigures.objects.create(
            person=person, applications=5, content=figures(place), counted_on=date(2026, 12, 1)
        )
    return scene


def figures(place: int) -> dict[str, object]:
    ratings = {"0": place, "1": 3, "2": 20 - 4 * place, "3": 4, "4": 2 * place}
    return {
        "interviews": 5,
        "ratings": ratings,
        "heard": 40,
        "marked": 36,
        "planned": 9,
        "asked": 8,
        "cards": 5,
        "late": place % 2,
        "agreement": None,
    }


def addresses(scene: Scene) -> list[tuple[Person, str]]:
    position = {"code": scene.position.code}
    marking = BlindMarking.objects.get(marker=scene.cast.sam)
    return [
        (scene.cast.mara, reverse("scoring:voids", kwargs=position)),
        (scene.cast.mara, reverse("scoring:panel", kwargs={"code": scene.application.code})),
        (scene.cast.mara, reverse("scoring:second-markings", kwargs=position)),
        (scene.cast.mara, reverse("scoring:norming-choose", kwargs=position)),
        (scene.cast.sam, reverse("scoring:norming")),
        (scene.cast.sam, reverse("scoring:blind-marking", kwargs={"code": marking.code})),
        (scene.cast.ada, reverse("scoring:interviewer-list")),
        (scene.cast.ana, reverse("scoring:interviewer", kwargs={"code": scene.cast.ana.code})),
    ]


def test_pages_of_marking_have_no_fault_and_fit_a_phone(scene: Scene, page: Page, site: Site) -> None:
    found = {}
    for person, address in addresses(scene):
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(site.put("/page", as_(person).get(address).content.decode()))
        for scheme in SCHEMES:
            show_in(page, scheme)
            found[address, scheme] = axe_faults(page)
        page.set_viewport_size({"width": 420, "height": 800})
        wider = page.evaluate("() => Math.max(0, document.documentElement.scrollWidth - innerWidth)")
        found[address, "420"] = [wider] if wider else []

    assert {where: faults for where, faults in found.items() if faults} == {}
