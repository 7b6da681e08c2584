"""The reveal ledger: who saw what when, every change after it, and no judgement."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from interviews.enums import SealingPolicy
from interviews.models import Asked, Void
from interviews.services.hiring import change_position
from people.models import AuditEntry
from scoring.models import BlindMarking
from scoring.queries.ledger import Entry, load_ledger
from scoring.services.blind_marking import open_timeline
from tests.cast import Cast
from tests.house.people import client_of
from tests.support.debriefs import Talk, all_in
from tests.support.factories import Scene, terms_of
from tests.support.pages import as_

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return all_in(cast)


def get(scene: Scene, who: str, name: str, **kwargs: object) -> str:
    answer = client_of(who, scene).get(reverse(name, kwargs=kwargs or {"code": scene.application.code}))
    return f"{answer.status_code} {answer.content.decode()}"


def test_the_ledger_tells_who_looked_and_what_changed_after_it(scene: Scene) -> None:
    get(scene, "mara", "scoring:card", seat=scene.bo.code)
    get(scene, "mara", "scoring:card", seat=scene.bo.code)  # the first time counts
    Void.objects.create(
        position=scene.position, tree=scene.versions[0].tree, probe_key="l3", by=scene.cast.ada, reason="Ambiguous"
    )
    talk = Talk(scene).to("voting")
    talk.do("ana", "vote.set", recommendation="strong_no", reason="Said in confidence", version=0)
    talk.do("mara", "phase.next")
    get(scene, "mara", "scoring:debrief")
    talk.do("mara", "decision.record", decision="no_offer", rationale="Not yet.")

    lines = load_ledger(scene.application)

    assert [(line.kind, line.who, line.whose, line.what) for line in lines if line.kind != Entry.COMPILED] == [
        (Entry.SUBMITTED, "Ana", "", ""),
        (Entry.SUBMITTED, "Bo", "", ""),
        (Entry.SUBMITTED, "Chen", "", ""),
        (Entry.SEEN, "Mara", "Bo", "card"),
        (Entry.VOIDED, "Ada", "", "l3"),
        (Entry.DEBRIEF, "Mara", "", "opened"),
        (Entry.DEBRIEF, "", "", "started"),
        (Entry.DEBRIEF, "", "", "closed"),
        (Entry.SEEN, "Mara", "Ana", "votes"),
        (Entry.SEEN, "Mara", "Bo", "votes"),
        (Entry.SEEN, "Mara", "Chen", "votes"),
        (Entry.DECIDED, "Mara", "", ""),
    ]
    assert next(line for line in lines if line.kind == Entry.VOIDED).seen_by == ("Mara",)
    assert next(line for line in lines if line.kind == Entry.SUBMITTED).seen_by == ()
    page = get(scene, "mara", "scoring:ledger")
    assert "saw the card of Bo" in page
    assert "saw the votes of Bo" in page
    for judgement in ("Said in confidence", "Strong no", "Not yet.", "No offer"):
        assert judgement not in page


def test_the_ledger_tells_of_voids_that_meet_this_application_alone(scene: Scene) -> None:
    asked = {row.probe.key for row in Asked.objects.filter(interview=scene.interview) if row.probe}
    assert "l4" not in asked
    for key, days in (("root", 0), ("l4", 0), ("l2", 1)):
        Void.objects.create(
            position=scene.position,
            tree=scene.versions[0].tree,
            probe_key=key,
            by=scene.cast.mara,
            reason="Leaked",
            at=scene.application.created_at + timedelta(seconds=1) - timedelta(days=days),
        )

    assert [line.what for line in load_ledger(scene.application) if line.kind == Entry.VOIDED] == ["root"]


def test_who_marks_without_names_is_named_to_nobody(scene: Scene) -> None:
    marking = BlindMarking.objects.create(interview=scene.interview, marker=scene.cast.sam, cause="random")
    open_timeline(marking)
    Void.objects.create(
        position=scene.position, tree=scene.versions[0].tree, probe_key="root", by=scene.cast.mara, reason="Leaked"
    )

    lines = load_ledger(scene.application)

    assert [(line.who, line.whose) for line in lines if line.what == "timeline"] == [("", "")]
    assert [line.seen_by for line in lines if line.kind == Entry.VOIDED] == [("somebody, to mark it without names",)]
    for query in ("", "?format=json"):
        url = reverse("scoring:ledger", kwargs={"code": scene.application.code}) + query
        told = client_of("mara", scene).get(url).content.decode()
        assert "Sam" not in told
        assert query or "somebody read the timeline without names, to mark it" in told


def test_a_change_of_when_raters_read_stands_in_the_ledger(scene: Scene) -> None:
    for policy in (SealingPolicy.AFTER_ALL, SealingPolicy.AFTER_ALL, SealingPolicy.AFTER_OWN):
        change_position(position=scene.position, by=scene.cast.mara, terms=terms_of(scene.position, policy))

    policies = [line for line in load_ledger(scene.application) if line.kind == Entry.POLICY]

    assert [(line.who, line.what) for line in policies] == [("Mara", "after_all"), ("Mara", "after_own")]
    page = get(scene, "mara", "scoring:ledger")
    assert "raters read the others’ cards once all are in" in page
    assert "raters read the others’ cards once their own is in" in page
    kept = AuditEntry.objects.filter(action="position.changed").order_by("pk").last()
    assert kept is not None
    assert (kept.data["sealing_before"], kept.data["sealing"]) == ("after_all", "after_own")


def test_the_ledger_is_for_who_is_in_charge(scene: Scene) -> None:
    codes = {who: get(scene, who, "scoring:ledger")[:3] for who in ("mara", "ada", "ana", "dee", "eli", "nils", "sam")}
    assert codes == {
        "mara": "200",
        "ada": "200",
        **dict.fromkeys(("ana", "dee", "eli"), "403"),
        **dict.fromkeys(("nils", "sam"), "404"),
    }


def test_the_debrief_is_opened_by_who_is_in_charge(scene: Scene) -> None:
    url = reverse("scoring:debrief-open", kwargs={"code": scene.application.code})
    page = {who: get(scene, who, "scoring:debrief") for who in ("mara", "ana", "eli", "dee", "nils")}
    assert {who: text[:3] for who, text in page.items()} == {
        "mara": "200", "ana": "200", "eli": "403", "dee": "200", "nils": "404",
    }  # fmt: skip
    assert ("Open the debrief" in page["mara"], "Open the debrief" in page["ana"]) == (True, False)
    assert client_of("ana", scene).post(url).status_code == 403

    assert client_of("mara", scene).post(url).status_code == 302
    again = client_of("mara", scene).post(url, follow=True)

    assert "A debrief is open already." in again.content.decode()
    assert "My second vote" in get(scene, "ana", "scoring:debrief")
    assert "My second vote" not in get(scene, "mara", "scoring:debrief")


def test_both_pages_have_their_json(scene: Scene) -> None:
    client = as_(scene.cast.mara)
    debrief, ledger = (
        f"{reverse(name, kwargs={'code': scene.application.code})}?format=json"
        for name in ("scoring:debrief", "scoring:ledger")
    )
    assert client.get(debrief).json() == {"application": str(scene.application.code), "state": "none"}
    talk = Talk(scene).to("voting")
    talk.do("ana", "vote.set", recommendation="strong_no", reason="Heard more.", version=0)

    sealed = client.get(debrief).json()
    own = as_(scene.cast.ana).get(debrief).json()
    talk.do("mara", "phase.next")
    talk.do("bo", "note.post", text="We differ.")
    talk.do("mara", "decision.record", decision="no_offer", rationale="Not yet.")
    told, lines = client.get(debrief).json(), client.get(ledger).json()["lines"]

    assert (sealed["state"], sealed["votes"], sealed["own_vote"]) == ("voting", [], None)
    assert sealed["have_voted"] == ["Ana"]
    assert own["own_vote"] == {"recommendation": "strong_no", "reason": "Heard more."}
    assert (own["votes"], own["have_voted"]) == ([], None)
    assert told["state"] == "decided"
    assert all(told["times"].values())
    ana = next(vote for vote in told["votes"] if vote["name"] == "Ana")
    assert ana == {
        "name": "Ana",
        "before": ["yes"],
        "after": {"recommendation": "strong_no", "reason": "Heard more."},
        "moved": True,
    }
    assert [(note["by"], note["text"]) for note in told["notes"]] == [("Bo", "We differ.")]
    assert [(one["decision"], one["rationale"]) for one in told["decisions"]] == [("no_offer", "Not yet.")]
    assert [(line["who"], line["whose"]) for line in lines if line["what"] == "votes"] == [("Mara", "Ana")]
    assert "decided" in [line["kind"] for line in lines]
