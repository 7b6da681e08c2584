"""What one reads before an interview, and the interview as JSON: nothing of judgements for anyone."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from interviews.enums import InterviewStatus, TextKind
from interviews.models import Asked, CandidateIdentity, Mark, PlannedSeat
from people.models import Person
from tests.cast import Cast
from tests.support.factories import Scene, make_interview, make_scene, make_text, make_tree

pytestmark = pytest.mark.db


def prepare(client: Client, scene: Scene, person: Person) -> BeautifulSoup:
    client.force_login(person)
    page = client.get(reverse("interviews:preparation", args=[scene.interview.code]))
    return BeautifulSoup(page.content, "html.parser")


def ask(scene: Scene, *, interview: Any = None, probe: str = "root", **fields: Any) -> Asked:
    interview = interview or scene.interview
    return Asked.objects.create(
        id=uuid.uuid4(),
        interview=interview,
        probe=scene.probe(probe),
        by=interview.seats.get(role="lead"),
        seq=interview.asked.count() + 1,
        made_at=timezone.now(),
        **fields,
    )


def test_preparation_opens_ones_own_trees_and_folds_the_others(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    PlannedSeat.objects.filter(pinned__version=scene.versions[1]).update(seat=scene.bo)

    page = prepare(client, scene, cast.bo)

    assert [head.text for head in page.select("section h2[lang]")] == ["Zero stages"]
    assert [fold.text for fold in page.select("details > summary[lang]")] == ["Data parallel"]
    rows = [[cell.get_text(strip=True) for cell in row.find_all(["th", "td"])] for row in page.select("tbody tr")]
    assert rows == [["Data parallel", "15", "Ana"], ["Zero stages", "15", "you"]]


def test_preparation_shows_prompts_in_reading_order_with_signals_and_anchors_folded(client: Client, cast: Cast) -> None:
    scene = make_scene(cast, trees=("data-parallel",))

    page = prepare(client, scene, cast.ana)

    prompts = [prompt.text for prompt in page.select(".prep__prompt")]
    keys = [prompt.removeprefix("What about ").split(" ")[0] for prompt in prompts]
    assert keys == ["root", "l2", "l3", "l4", "l2-again", "root-rescue"]
    assert [one["data-depth"] for one in page.select(".prep__one")] == ["0", "1", "2", "3", "2", "1"]
    folded = page.select_one(".prep__one details")
    assert folded is not None
    assert not folded.has_attr("open")
    assert "strong answer to root" in folded.text
    assert "depth 4 on root" in folded.text


def test_preparation_says_who_comes_and_what_they_need(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    CandidateIdentity.objects.update(
        accommodations="A break each 20 minutes", extra_time_percent=25, email="k@x.example"
    )
    scene.application.attachments.create(label="Code", url="https://code.example/kim")

    text = prepare(client, scene, cast.dee).main.get_text(" ", strip=True)

    for words in ("Kim Lindqvist", "Trained a 70B model", "A break each 20 minutes", "25%", "Code"):
        assert words in text
    assert 'data-format="zoned"' in str(prepare(client, scene, cast.dee).main)  # the time is the reader's, and named
    assert "k@x.example" not in text  # how to reach them is the manager's


def test_preparation_reads_the_bank_in_the_readers_language(client: Client, cast: Cast) -> None:
    scene = make_scene(cast, trees=("data-parallel",))
    Person.objects.filter(pk=cast.ana.pk).update(language="zh-hans")

    page = prepare(client, scene, Person.objects.get(pk=cast.ana.pk))

    first = page.select_one(".prep__prompt")
    assert first is not None
    assert (first["lang"], first.text) == ("zh-Hans", "root 怎么样？")


def test_preparation_warns_of_repeats_and_tells_no_more(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    earlier = make_interview(
        scene.application, lead=cast.sam, versions=[make_tree("a2a")], status=InterviewStatus.ENDED
    )
    asked = ask(scene, interview=earlier)
    Mark.objects.unsealed_for_compiling().create(
        seat=earlier.seats.get(role="lead"), asked=asked, outcome="recited", version=1, made_at=timezone.now()
    )
    Asked.objects.filter(pk=ask(scene, interview=earlier, probe="l2").pk).update(retracted_at=timezone.now())

    text = prepare(client, scene, cast.ana).main.get_text(" ", strip=True)

    assert "Opened by earlier interviewers: Data parallel" in text
    assert "A2a" not in text
    assert "recited" not in text.replace("recited answer", "").replace("Recited", "")
    assert "Sam" not in text


@pytest.mark.parametrize("trees", [("one-tree",), ("one-tree", "two-tree", "three-tree")])
def test_preparation_costs_the_same_for_one_and_three_trees(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, trees: tuple[str, ...]
) -> None:
    scene = make_scene(cast, trees=trees)
    prepare(client, scene, cast.ana)  # a published version is read once a process

    # session, person; interview, seats, pinned; claims, attachments, opened before, own note
    with django_assert_num_queries(9):
        client.get(reverse("interviews:preparation", args=[scene.interview.code]))


# --- the interview as JSON --------------------------------------------------------------------------------------------


def as_json(client: Client, scene: Scene, person: Person) -> Any:
    client.force_login(person)
    return client.get(reverse("interviews:interview-detail", args=[scene.interview.code]), {"format": "json"}).json()


def test_interview_json_names_seats_and_probes_as_the_wire_does(client: Client, cast: Cast) -> None:
    scene = make_scene(cast, trees=("data-parallel",))

    data = as_json(client, scene, cast.bo)

    assert (data["code"], data["status"], data["minutes"]) == (str(scene.interview.code), "scheduled", 60)
    assert data["you"] == {"seat": str(scene.bo.code), "role": "interviewer"}
    assert [(seat["code"], seat["role"], seat["name"]) for seat in data["seats"]] == [
        (str(scene.ana.code), "lead", "Ana"),
        (str(scene.bo.code), "interviewer", "Bo"),
        (str(scene.chen.code), "interviewer", "Chen"),
        (str(scene.dee.code), "shadow", "Dee"),
        (str(scene.eli.code), "observer", "Eli"),
        (str(scene.candidate.code), "candidate", "Kim Lindqvist"),
    ]
    tree = data["trees"][0]
    assert (tree["key"], tree["version"], tree["asked_by"]) == ("data-parallel", 1, str(scene.ana.code))
    assert [(probe["id"], probe["parent"], probe["level"]) for probe in tree["probes"]][:3] == [
        ("data-parallel/root", None, 1),
        ("data-parallel/l2", "data-parallel/root", 2),
        ("data-parallel/l3", "data-parallel/l2", 3),
    ]
    assert tree["probes"][0]["prompt"] == {"en": "What about root in data-parallel?", "zh-Hans": "root 怎么样？"}


def test_interview_json_gives_observers_no_questions_and_managers_all(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)

    assert ["probes" in tree for tree in as_json(client, scene, cast.eli)["trees"]] == [False, False]
    manager = as_json(client, scene, cast.mara)
    assert [len(tree["probes"]) for tree in manager["trees"]] == [6, 6]
    assert manager["you"] is None


@pytest.mark.parametrize("asked", ["", "?format=json"])
def test_no_page_of_set_up_tells_a_judgement(client: Client, cast: Cast, asked: str) -> None:
    scene = make_scene(cast, status=InterviewStatus.ENDED)
    row = ask(scene)
    words = make_text(scene.application, "SECRET-NOTE", kind=TextKind.NOTE, author=scene.bo)
    Mark.objects.unsealed_for_compiling().create(
        seat=scene.bo, asked=row, outcome="not_sustained", depth=0, version=1, made_at=timezone.now()
    )
    assert words.body == "SECRET-NOTE"  # there is something to leak
    urls = [
        reverse("interviews:interview-detail", args=[scene.interview.code]),
        reverse("interviews:preparation", args=[scene.interview.code]),
        reverse("interviews:application-detail", args=[scene.application.code]),
        reverse("interviews:position-detail", args=[scene.position.code]),
        reverse("interviews:interview-list"),
        "/",
    ]
    for person in (cast.mara, cast.ana, cast.ada):
        client.force_login(person)
        for url in urls:
            body = client.get(url + asked).content.decode()
            assert "SECRET-NOTE" not in body
            assert "not_sustained" not in body.replace('id="o-not_sustained"', "")


# --- lists ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3])
def test_interview_list_costs_the_same_for_one_and_three(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    scene = make_scene(cast)
    for _ in range(count - 1):
        make_interview(scene.application, lead=cast.ana)
    for _ in range(count):
        make_interview(scene.application, lead=cast.ana, status=InterviewStatus.ENDED)
        make_interview(scene.application, lead=cast.ana, status=InterviewStatus.LIVE)
    client.force_login(cast.ana)

    with django_assert_num_queries(4):  # session, person, ahead, past
        page = client.get(reverse("interviews:interview-list"))

    soup = BeautifulSoup(page.content, "html.parser")
    sections = {section.h2.text: len(section.select("li")) for section in soup.select("main section")}
    assert sections == {"Today": count, "Coming": count, "Past": count}


def test_interview_list_offers_what_can_be_done(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    actions = {}
    for name in ("ana", "eli", "mara", "sam"):
        client.force_login(getattr(cast, name))
        page = BeautifulSoup(client.get(reverse("interviews:interview-list")).content, "html.parser")
        actions[name] = [link.text for link in page.select("main li a.button")]

    assert actions == {"ana": ["Prepare", "Open room"], "eli": ["Open room"], "mara": [], "sam": []}
    assert scene.interview.status == InterviewStatus.SCHEDULED


@pytest.mark.parametrize("count", [1, 3])
def test_interview_page_costs_the_same_for_one_and_three(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    scene = make_scene(cast, trees=("one-tree", "two-tree", "three-tree")[:count])
    client.force_login(cast.mara)

    with django_assert_num_queries(9):  # session, person; interview, managed?, seats, link, pinned, chat, reopenings
        client.get(reverse("interviews:interview-detail", args=[scene.interview.code]))
