"""Voiding a probe: a row with a reason, by who is in charge; every reading leaves the marks out and none is deleted."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.urls import reverse

from interviews.models import Mark, Void
from people.models import AuditEntry, Job
from people.refusal import Refused
from scoring.models import PanelScorecard, RevisionMark
from scoring.queries.voids import known_probes
from scoring.services.panels import compile_application, verify
from scoring.services.voids import AlreadyVoided, void_probe
from tests.cast import Cast, make_cast
from tests.support.factories import Scene, make_application, make_position, make_scene
from tests.support.pages import as_, words
from tests.support.panel_page import hand_in_all, make_judged_scene, url
from tests.support.threads import in_threads

pytestmark = pytest.mark.db

WHY = "The figure on the slide gave the answer away."


@pytest.fixture
def all_in(cast: Cast) -> Scene:
    scene = hand_in_all(make_judged_scene(cast))
    Job.objects.all().delete()
    return scene


def void(scene: Scene, probe: str = "l3", reason: str = WHY) -> Void:
    return void_probe(
        position=scene.position, tree=scene.versions[0].tree, probe=probe, by=scene.cast.mara, reason=reason
    )


def compiled(scene: Scene) -> PanelScorecard:
    card = compile_application(scene.application.pk)
    assert card is not None
    return card


def written() -> list[dict[str, Any]]:
    """Every mark of the room and of the revisions, as it stands."""
    return [row for model in (Mark, RevisionMark) for row in model.objects.unsealed_for_compiling().values()]


def page_of(scene: Scene) -> str:
    return reverse("scoring:voids", kwargs={"code": scene.position.code})


# --- the service ------------------------------------------------------------------------------------------------------


def test_a_void_asks_for_the_cards_that_asked_the_probe_and_deletes_no_mark(all_in: Scene) -> None:
    before = compiled(all_in)
    other = make_application(all_in.position, name="Lin Wei")
    kept = written()

    row = void(all_in)

    jobs = Job.objects.filter(name="scoring.compile_panel").values_list("key", flat=True)
    assert list(jobs) == [f"panel:{all_in.application.pk}"]
    assert f"panel:{other.pk}" not in jobs
    after = compiled(all_in)
    assert (after.number, after.digest == before.digest) == (before.number + 1, False)
    assert [tree["floor"] for tree in after.content["trees"][0]["raters"]] == [2, 1, 2]
    rated = {
        (rating["tree"], rating["probe"])
        for rater in after.content["dimensions"]["depth"]["by_rater"]
        for rating in rater["ratings"]
    }
    assert (row.tree_id, "l2") in rated
    assert (row.tree_id, "l3") not in rated
    assert (verify(before).holds, verify(after).holds) == (True, True)
    assert written() == kept
    entry = AuditEntry.objects.get(action="probe.voided")
    assert (entry.actor, entry.data) == (all_in.cast.mara, {"void": row.pk, "tree": row.tree_id})


def test_a_void_of_what_was_not_asked_compiles_nothing(all_in: Scene) -> None:
    void(all_in, "l2-again")

    assert not Job.objects.filter(name="scoring.compile_panel").exists()


def test_a_card_handed_in_after_the_void_keeps_its_mark_and_is_read_without_it(cast: Cast) -> None:
    scene = make_judged_scene(cast)
    void(scene)
    hand_in_all(scene)

    card = compiled(scene)

    assert RevisionMark.objects.unsealed_for_compiling().filter(probe_key="l3").count() == 3
    assert [tree["floor"] for tree in card.content["trees"][0]["raters"]] == [2, 1, 2]


@pytest.mark.parametrize(
    ("probe", "reason", "field"),
    [("l3", "  ", "reason"), ("l9", WHY, "probe"), ("", WHY, "probe")],
    ids=["no reason", "no such probe", "own questions have no key"],
)
def test_a_void_is_refused_in_words_and_changes_nothing(all_in: Scene, probe: str, reason: str, field: str) -> None:
    with pytest.raises(Refused) as refused:
        void(all_in, probe, reason)

    assert (refused.value.field, Void.objects.count(), Job.objects.count()) == (field, 0, 0)


def test_a_probe_is_voided_once(all_in: Scene) -> None:
    void(all_in)

    with pytest.raises(AlreadyVoided):
        void(all_in, reason="Another one.")

    assert Void.objects.get().reason == WHY


def test_two_managers_at_once_void_it_once(transactional_db: None) -> None:
    scene = make_scene(make_cast())

    results = in_threads(lambda: void(scene), lambda: void(scene))

    assert Void.objects.count() == 1
    assert {type(result) for result in results} == {Void, AlreadyVoided}


# --- the page ---------------------------------------------------------------------------------------------------------


def test_the_manager_voids_on_the_page_and_reads_who_did_and_why(all_in: Scene) -> None:
    mara = as_(all_in.cast.mara)
    chosen = f"{page_of(all_in)}?probe=data-parallel/l3"
    option = BeautifulSoup(mara.get(chosen).content, "html.parser").select_one("option[selected]")
    assert option is not None
    assert option["value"] == "data-parallel/l3"

    response = mara.post(page_of(all_in), {"probe": "data-parallel/l3", "reason": WHY}, follow=True)

    text = words(response)
    assert "Voided. The panel scorecards concerned are put together again." in text
    table = BeautifulSoup(response.content, "html.parser").select_one("table")
    assert table is not None
    assert [WHY in table.text, "Mara" in table.text, "l3 of data-parallel" in table.text] == [True] * 3
    again = mara.post(page_of(all_in), {"probe": "data-parallel/l3", "reason": WHY})
    assert (again.status_code, Void.objects.count()) == (422, 1)


def test_a_refused_form_keeps_what_was_typed(all_in: Scene) -> None:
    response = as_(all_in.cast.mara).post(page_of(all_in), {"probe": "", "reason": WHY})

    assert (response.status_code, WHY in words(response), Void.objects.count()) == (422, True, 0)


def test_the_form_offers_the_plans_probes_and_not_what_was_asked(cast: Cast) -> None:
    """A manager who still has to judge must not read out of it what earlier interviewers asked."""
    scene = make_scene(cast)

    offered = [probe.name for probe in known_probes(scene.position)]

    assert "data-parallel/l4" in offered
    assert len(offered) == 12
    assert known_probes(make_position(cast.mara)) == []


def test_the_panel_card_and_the_revisions_say_what_is_voided(all_in: Scene) -> None:
    void(all_in)
    compiled(all_in)

    for who, whole in (("mara", True), ("ana", False)):
        page = BeautifulSoup(as_(getattr(all_in.cast, who)).get(url(all_in)).content, "html.parser")
        notice = page.select_one("#voided")
        assert notice is not None
        assert "l3 of data-parallel" in notice.text
        assert (notice.select_one("a") is not None) is whole
        assert WHY not in page.text, "reasons are for who is in charge, on their own page"
    card = as_(all_in.cast.ana).get(reverse("scoring:card", kwargs={"seat": all_in.ana.code}))
    assert "Voided since, kept as written and out of every figure: l3 of data-parallel" in words(card)


def test_a_void_names_no_judgement_to_who_has_not_handed_in(cast: Cast) -> None:
    scene = make_judged_scene(cast)
    void(scene)

    assert as_(cast.bo).get(url(scene)).status_code == 403
    assert as_(cast.bo).get(page_of(scene)).status_code == 403
