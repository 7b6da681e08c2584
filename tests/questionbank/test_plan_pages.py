"""The pages of plans: made, changed, reordered, deleted; what they warn of, and who may."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from people.models import AuditEntry
from questionbank.enums import Aim, VersionState
from questionbank.models import Plan, PlanTree, Probe, Tree, TreeVersion, VersionStatus
from questionbank.outline import OutlinePlan, OutlinePlanTree
from questionbank.plan_reading import fingerprint
from questionbank.services.plans import PlanTerms, change_plan, set_plan
from tests.cast import Cast
from tests.support.factories import make_plan, make_position, make_tree
from tests.support.forms import error_of, form_of
from tests.support.pages import as_, words

pytestmark = [pytest.mark.db, pytest.mark.django_db]

NEW = "/bank/plans/new/"


@pytest.fixture
def plan(cast: Cast) -> Plan:
    found = make_plan(make_tree("alpha"), make_tree("beta"), make_tree("gamma"), name="Two hours")
    Plan.objects.filter(pk=found.pk).update(key="two-hours", minutes=60, required_aims=["why"])
    found.refresh_from_db()
    return found


def rows(page: Any) -> list[str]:
    return [str(one["value"]) for one in BeautifulSoup(page.content, "html.parser").select('input[name="tree"]')]


def entries(key: str) -> list[tuple[str, int, bool]]:
    return list(PlanTree.objects.filter(plan__key=key).values_list("tree__key", "minutes", "required"))


def sent(client: Client, path: str, **changes: Any) -> dict[str, Any]:
    """What the page's form would send, with the order and number of its trees, changed."""
    page = client.get(path)
    return {**form_of(page), "tree": rows(page), **changes}


def test_a_plan_is_made(cast: Cast) -> None:
    make_tree("alpha")
    client = as_(cast.cora)
    terms = {"name": "Long loop", "minutes": "90", "required_aims": ["depth"], "locked": "on"}

    made = client.post(NEW, {**terms, "tree": ["alpha"], "minutes-alpha": "25"})

    assert made["Location"] == "/bank/plans/long-loop/"
    plan = Plan.objects.get(key="long-loop")
    assert (plan.name, plan.minutes, plan.locked, plan.required_aims) == ("Long loop", 90, True, ["depth"])
    assert entries("long-loop") == [("alpha", 25, False)]
    assert AuditEntry.objects.get(action="plan.set").actor == cast.cora
    said = words(as_(cast.ana).get("/bank/plans/long-loop/"))
    assert "1 tree, 25 min, for an interview of 90 min; must ask for depth. The lead keeps to it." in said


def test_a_plan_called_new_has_a_page_of_its_own(cast: Cast) -> None:
    client = as_(cast.cora)

    made = client.post(NEW, {"name": "New", "minutes": "90"})

    assert made["Location"] == "/bank/plans/new-2/"
    assert "New plan" not in words(client.get(made["Location"]))


def test_a_plan_is_changed_in_place_and_keeps_its_key(cast: Cast, plan: Plan) -> None:
    client = as_(cast.cora)
    path = "/bank/plans/two-hours/edit/"

    client.post(path, sent(client, path, name="Three hours", tree=["gamma", "alpha"], **{"minutes-alpha": "40"}))

    assert Plan.objects.get().name == "Three hours"
    assert entries("two-hours") == [("gamma", 15, True), ("alpha", 40, True)]


@pytest.mark.parametrize(
    ("do", "order"),
    [
        ("up beta", ["beta", "alpha", "gamma"]),
        ("down beta", ["alpha", "gamma", "beta"]),
        ("up alpha", ["alpha", "beta", "gamma"]),
        ("down gamma", ["alpha", "beta", "gamma"]),
        ("out beta", ["alpha", "gamma"]),
        ("add", ["alpha", "beta", "gamma", "delta"]),
        ("up nonsense", ["alpha", "beta", "gamma"]),
        ("check", ["alpha", "beta", "gamma"]),
    ],
)
def test_buttons_change_the_rows_and_save_nothing(cast: Cast, plan: Plan, do: str, order: list[str]) -> None:
    make_tree("delta")
    client = as_(cast.cora)
    path = "/bank/plans/two-hours/edit/"

    page = client.post(path, sent(client, path, do=do, add="delta", **{"minutes-alpha": "33"}))

    assert (page.status_code, rows(page)) == (200, order)
    assert form_of(page)["minutes-alpha"] == "33"
    assert entries("two-hours") == [("alpha", 15, True), ("beta", 15, True), ("gamma", 15, True)]


def test_a_moved_row_keeps_the_fingers_on_its_button_and_is_told(cast: Cast, plan: Plan) -> None:
    client = as_(cast.cora)
    path = "/bank/plans/two-hours/edit/"

    page = BeautifulSoup(client.post(path, sent(client, path, do="down alpha")).content, "html.parser")

    assert [one["id"] for one in page.select("[autofocus]")] == ["down-alpha"]
    assert page.select_one("#plan-trees")["data-said"] == "Alpha is number 2 of 3."  # type: ignore[index]


@pytest.mark.parametrize("typed", ["", "0", "241", "x", "1.5", "９"])
def test_minutes_that_are_none_are_named_beside_their_tree(cast: Cast, plan: Plan, typed: str) -> None:
    client = as_(cast.cora)
    path = "/bank/plans/two-hours/edit/"

    page = client.post(path, sent(client, path, **{"minutes-beta": typed}))

    assert page.status_code == 422
    soup = BeautifulSoup(page.content, "html.parser")
    assert [one["id"] for one in soup.select('.plan-row [aria-invalid="true"]')] == ["minutes-beta"]
    assert "Look at the trees: minutes are whole numbers from 1 to 240." in words(page)
    assert len(entries("two-hours")) == 3


def test_a_plan_without_a_name_is_refused(cast: Cast) -> None:
    page = as_(cast.cora).post(NEW, {"name": " "})

    assert (page.status_code, error_of(page, "name")) == (422, "This field is required.")


def test_trees_that_the_bank_does_not_have_are_left_out(cast: Cast) -> None:
    as_(cast.cora).post(NEW, {"name": "X", "tree": ["no-such", "no-such\x00"], "minutes-no-such": "5"})

    assert entries("x") == []


@pytest.mark.parametrize(("number", "status", "kept"), [(50, 302, 50), (51, 422, 3)])
def test_no_tree_of_a_long_plan_is_lost(cast: Cast, plan: Plan, number: int, status: int, kept: int) -> None:
    client, path = as_(cast.cora), f"/bank/plans/{plan.key}/edit/"
    given = sent(client, path)
    trees = [*given["tree"], *(make_tree(f"more-{n}").tree.key for n in range(number - 3))]

    response = client.post(path, {**given, **{f"minutes-{key}": 1 for key in trees}, "tree": trees})

    assert (response.status_code, len(entries(plan.key))) == (status, kept)
    if status == 422:
        assert "A plan has 50 trees at most, this one 51. Take some out." in words(response)


def test_what_does_not_fit_is_said_before_it_is_saved(cast: Cast, plan: Plan) -> None:
    Probe.objects.none()
    client = as_(cast.cora)
    path = "/bank/plans/two-hours/edit/"

    page = client.post(path, sent(client, path, do="check", minutes="40", **{"minutes-alpha": "12"}))

    said = words(page)
    assert "Together 42 minutes." in said
    assert "The required trees take 42 minutes; the interview has 40." in said
    assert "Alpha: 12 min planned, its curators say 15." in said


def test_an_aim_that_no_tree_asks_for_is_named(cast: Cast) -> None:
    shallow = make_plan(make_tree("shallow", depth=2))
    Plan.objects.filter(pk=shallow.pk).update(required_aims=["hands_on", "depth"])

    assert "No tree asks for hands-on." in words(as_(cast.cora).get(f"/bank/plans/{shallow.key}/"))


def test_a_retired_tree_stays_in_its_plan_and_is_named(cast: Cast, plan: Plan) -> None:
    VersionStatus.objects.filter(version__tree__key="beta").update(state=VersionState.RETIRED)

    page = as_(cast.cora).get("/bank/plans/two-hours/edit/")

    assert rows(page) == ["alpha", "beta", "gamma"]
    assert "Beta: nothing of it is published, so no new interview is offered it." in words(page)
    other = BeautifulSoup(as_(cast.cora).get(NEW).content, "html.parser")
    assert [one["value"] for one in other.select("#plan-add option")] == ["alpha", "gamma"]


def test_readers_do_not_read_the_title_of_a_draft_in_a_plan(cast: Cast, plan: Plan) -> None:
    draft = make_tree("delta", title={"en": "Secret"}, state=VersionState.DRAFT)
    PlanTree.objects.create(plan=plan, tree=draft.tree, position=3, minutes=5)

    for path in ("/bank/plans/", "/bank/plans/two-hours/"):
        for reader in (cast.ana, cast.mara):
            said = words(as_(reader).get(path))
            assert "Secret" not in said, (path, reader)
            assert "delta: nothing of it is published" in said or "delta 5 min" in said, (path, reader)
        assert "Secret" in words(as_(cast.cora).get(path)), path


def test_readers_read_the_retired_title_not_that_of_the_draft_after_it(cast: Cast, plan: Plan) -> None:
    second = make_tree("beta", number=2, state=VersionState.DRAFT)
    TreeVersion.objects.filter(pk=second.pk).update(title={"en": "Secret"})
    VersionStatus.objects.filter(version__tree__key="beta", version__number=1).update(state=VersionState.RETIRED)

    for path in ("/bank/plans/", "/bank/plans/two-hours/"):
        said = words(as_(cast.ana).get(path))
        assert "Secret" not in said, path
        assert "Beta" in said, path


def test_who_saves_second_is_refused_and_keeps_what_they_typed(cast: Cast, plan: Plan) -> None:
    first, second = as_(cast.cora), as_(cast.ada)
    path = "/bank/plans/two-hours/edit/"
    theirs = sent(second, path, name="Ada's")
    first.post(path, sent(first, path, tree=["alpha"]))

    page = second.post(path, theirs)

    assert page.status_code == 422
    assert "Somebody else changed this plan meanwhile." in words(page)
    assert form_of(page)["name"] == "Ada's"
    assert entries("two-hours") == [("alpha", 15, True)]


def test_an_import_of_the_same_plan_keeps_what_only_the_page_knows(cast: Cast, plan: Plan) -> None:
    terms = PlanTerms("Two hours", 120, True, [Aim.WHY], [OutlinePlanTree("alpha", 9)])
    seen = form_of(as_(cast.cora).get("/bank/plans/two-hours/edit/"))["seen"]
    change_plan(plan, by=cast.cora, terms=terms, seen=seen)

    assert set_plan(OutlinePlan("two-hours", "Two hours", (Aim.WHY,), (OutlinePlanTree("alpha", 9),))) == "left"
    assert set_plan(OutlinePlan("two-hours", "Two", (Aim.WHY,), (OutlinePlanTree("alpha", 9),))) == "changed"
    plan.refresh_from_db()
    assert (plan.name, plan.minutes, plan.locked) == ("Two", 120, True)


def test_a_plan_in_use_is_not_deleted(cast: Cast, plan: Plan) -> None:
    make_position(cast.mara, plan=plan)

    page = as_(cast.cora).post("/bank/plans/two-hours/delete/", {"seen": fingerprint(plan)}, follow=True)

    assert "1 position points at this plan. Give it another plan first." in words(page)
    assert Plan.objects.filter(pk=plan.pk).exists()


def test_a_plan_out_of_use_is_deleted_and_its_trees_stay(cast: Cast, plan: Plan) -> None:
    page = BeautifulSoup(as_(cast.cora).get("/bank/plans/two-hours/").content, "html.parser")
    shown = {"seen": page.select_one('form[action$="/delete/"] [name=seen]')["value"]}  # type: ignore[index]

    assert as_(cast.cora).post("/bank/plans/two-hours/delete/", shown)["Location"] == "/bank/plans/"

    assert (Plan.objects.count(), Tree.objects.count()) == (0, 3)
    assert AuditEntry.objects.get(action="plan.deleted").object_id == str(plan.pk)


def test_a_plan_that_somebody_changed_since_is_not_deleted(cast: Cast, plan: Plan) -> None:
    old_page = {"seen": fingerprint(plan)}
    set_plan(OutlinePlan("two-hours", "Two", (Aim.WHY,), (OutlinePlanTree("alpha", 9),)), by=cast.ada)

    for typed in (old_page, {}):
        refused = as_(cast.cora).post("/bank/plans/two-hours/delete/", typed, follow=True)
        assert "Somebody else changed this plan since you opened it. Look at it again first." in words(refused)

    assert Plan.objects.get().name == "Two"


@pytest.mark.parametrize("name", ["mara", "ana"])
def test_readers_read_plans_and_change_none(cast: Cast, plan: Plan, name: str) -> None:
    client = as_(getattr(cast, name))

    assert "Two hours" in words(client.get("/bank/plans/"))
    assert "Delete" not in words(client.get("/bank/plans/two-hours/"))
    for path in (NEW, "/bank/plans/two-hours/edit/", "/bank/plans/two-hours/delete/"):
        assert client.post(path, {"name": "Mine"}).status_code == 403
    assert Plan.objects.get().name == "Two hours"


def test_an_unknown_plan_is_not_found(cast: Cast) -> None:
    assert as_(cast.cora).get("/bank/plans/no-such/").status_code == 404
