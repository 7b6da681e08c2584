"""The reveal ledger: who saw what when, every change after it, and no judgement."""

from __future__ import annotations

import pytest
from django.urls import reverse

from interviews.models import Void
from scoring.queries.ledger import Entry, load_ledger
from tests.cast import Cast
from tests.house.people import client_of
from tests.support.debriefs import Talk, all_in
from tests.support.factories import Scene
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
        (Entry.DECIDED, "Mara", "", ""),
    ]
    assert next(line for line in lines if line.kind == Entry.VOIDED).seen_by == ("Mara",)
    assert next(line for line in lines if line.kind == Entry.SUBMITTED).seen_by == ()
    page = get(scene, "mara", "scoring:ledger")
    assert "saw the card of Bo" in page
    assert "saw the second vote of Ana" in page
    for judgement in ("Said in confidence", "Strong no", "Not yet.", "No offer"):
        assert judgement not in page


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
