"""Whoever could see others' judgements before their own is not independent, however the seal stands by then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from interviews.enums import InterviewStatus, Role, SealingPolicy
from interviews.models import Application, Interview, Seat, Unsealed
from interviews.sealed import open_seats, readers
from interviews.services.hiring import JudgesToo, change_position, close_loop, excuse_card, reopen_loop
from interviews.services.scheduling import NotScheduled, mark_no_show
from interviews.services.seating import add_seat, remove_seat, replace_seat
from people.enums import PersonRole
from people.models import Job, Person
from people.services.people import change_person
from scoring.enums import Recommendation
from scoring.models import Revision
from scoring.queries.cards import Sealed, card_for, could_have_seen_others, own_seat, working_card
from scoring.queries.debriefs import debrief_for
from scoring.services.amendments import begin_amendment, hand_in_amendment
from scoring.services.openings import open_early
from tests.cast import Cast
from tests.house.acting import do
from tests.support.debriefs import Talk, all_in
from tests.support.factories import Scene, make_application, make_interview, make_scene, seats_of, terms_of
from tests.support.judging import ask, end, judge, judged_scene, submit
from tests.support.pages import as_

pytestmark = pytest.mark.db


def again(seat: Seat) -> Seat:
    return Seat.objects.select_related("interview__application__position", "person").get(pk=seat.pk)


def amend(seat: Seat) -> Revision:
    begin_amendment(seat=again(seat))
    seat = again(seat)
    return hand_in_amendment(
        seat=seat,
        version=working_card(seat).version,
        summary="Read again.",
        recommendation=Recommendation.NO,
        reason="",
        amendment="One mark was wrong.",
    )


def ended(cast: Cast, *who: str) -> tuple[Scene, str]:
    """An interview by the room's own commands, with one answer marked by these and ended."""
    scene = make_scene(cast)
    do(scene.ana, "interview.start")
    asked = str(do(scene.ana, "probe.ask", {"probe": "data-parallel/root"}))
    for name in who:
        mark(getattr(scene, name), asked)
    do(scene.ana, "interview.end")
    return scene, asked


def mark(seat: Seat, asked: str) -> None:
    do(seat, "mark.set", {"asked": asked, "outcome": "partial", "version": 0, "ratings": {"depth": 2}})


def may_interview(person: Person) -> Person:
    person.roles.append(PersonRole.INTERVIEWER.value)
    person.save(update_fields=["roles"])
    return person


def second_card(scene: Scene, person: Person) -> Revision:
    """A further interview that this person leads, to its end, and their card of it."""
    second = make_interview(scene.application, lead=person, versions=scene.versions, status=InterviewStatus.LIVE)
    seat = seats_of(second)[0]
    judge(seat, ask(seat, scene.probe("root")), depth=3)
    end(second)
    return submit(seat)


# --- a card after a window that closed --------------------------------------------------------------------------------


def test_who_managed_while_all_was_in_and_is_seated_then(cast: Cast) -> None:
    assert second_card(all_in(cast), may_interview(cast.mara)).after_seeing_others


def test_who_comes_new_to_a_second_interview_is_independent(cast: Cast) -> None:
    assert not second_card(all_in(cast), cast.sam).after_seeing_others


def test_who_saw_first_votes_alone_in_the_debrief(cast: Cast) -> None:
    talk = Talk(all_in(cast)).to("discussing")
    as_(cast.mara).get(reverse("scoring:debrief", kwargs={"code": talk.scene.application.code}))

    saw = {row.seat.person for row in talk.scene.application.reveals.filter(viewer=cast.mara, what="votes")}

    assert saw == {cast.ana, cast.bo, cast.chen}


def test_an_amendment_after_all_was_in_and_another_interview_was_planned(cast: Cast) -> None:
    scene = all_in(cast)
    make_interview(scene.application, lead=cast.bo)
    assert set(open_seats(cast.bo)) == {scene.bo, *Seat.objects.filter(person=cast.bo)}

    assert amend(scene.bo).after_seeing_others


def test_an_amendment_while_the_interview_runs_again(cast: Cast) -> None:
    scene, _asked = ended(cast, "ana", "bo", "chen")
    submit(again(scene.bo))
    submit(again(scene.chen))
    do(scene.ana, "interview.reopen", {"reason": "They came back."})

    assert amend(scene.bo).after_seeing_others


def test_who_owed_nothing_until_a_late_mark(cast: Cast) -> None:
    scene, asked = ended(cast, "ana", "bo")
    submit(again(scene.ana))
    submit(again(scene.bo))
    mark(scene.chen, asked)
    assert again(scene.chen).card_owed
    assert set(open_seats(cast.chen)) == {scene.chen}

    assert submit(again(scene.chen)).after_seeing_others


def test_who_hands_in_alone_or_first_is_independent(cast: Cast) -> None:
    scene, _asked = ended(cast, "ana", "bo", "chen")

    assert [submit(again(seat)).after_seeing_others for seat in (scene.bo, scene.ana, scene.chen)] == [False] * 3


# --- what opens and closes the seal -----------------------------------------------------------------------------------


def close(scene: Scene) -> None:
    close_loop(application=scene.application, by=scene.cast.mara)


def open_it(scene: Scene) -> None:
    open_early(application=scene.application, by=scene.cast.mara, reason="The offer can't wait.")


def excuse_all(scene: Scene) -> None:
    for seat in (scene.ana, scene.chen):
        excuse_card(seat=again(seat), by=scene.cast.mara, reason="On leave.")


OPENING: dict[str, tuple[Callable[[Scene], None], str]] = {
    "opened early": (open_it, "mara ada"),
    "the others excused": (excuse_all, "mara ada ana chen dee"),
}


@pytest.mark.parametrize("how", OPENING)
def test_it_is_written_down_who_can_read_once_it_opens(cast: Cast, how: str) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    judged_scene(scene)
    submit(scene.bo)
    assert not Unsealed.objects.exists()
    act, who = OPENING[how]

    act(scene)

    assert {row.person for row in Unsealed.objects.all()} == {getattr(cast, name) for name in who.split()}


def test_who_loses_a_role_or_a_position_could_read_before(cast: Cast) -> None:
    scene = all_in(cast)
    people = [cast.sam, cast.eli]
    for person in people:
        person.roles = [PersonRole.MANAGER.value]
        person.save()
        scene.position.managers.add(person)
    terms = terms_of(scene.position, SealingPolicy.AFTER_OWN)
    change_position(
        position=scene.position,
        by=cast.mara,
        terms=replace(terms, managers=[one for one in terms.managers if one != cast.sam]),
    )
    change_person(
        person=cast.eli,
        by=cast.ada,
        email=cast.eli.email,
        name=cast.eli.name,
        roles=[PersonRole.INTERVIEWER],
        language="en",
        time_zone="UTC",
        is_active=True,
    )

    assert set(Unsealed.objects.filter(person__in=people).values_list("person", flat=True)) == {p.pk for p in people}


def test_a_seat_that_is_given_asks_what_its_owner_could_read_until_then(cast: Cast) -> None:
    """Somebody who manages only since the last card came in."""
    scene = all_in(cast)
    second = make_interview(scene.application, lead=cast.bo, versions=scene.versions)
    Interview.objects.filter(pk=second.pk).update(status=InterviewStatus.CANCELLED)
    nils = may_interview(cast.nils)
    scene.position.managers.add(nils)
    third = make_interview(scene.application, lead=cast.chen, versions=scene.versions)
    Application.objects.filter(pk=scene.application.pk).update(opened_at=timezone.now())

    seat = add_seat(interview=third, by=cast.mara, person=nils, role=Role.INTERVIEWER)

    assert not readers(scene.application).filter(pk=nils.pk).exists()
    assert could_have_seen_others(again(seat))


def test_readers_are_those_for_whom_the_seal_is_open(cast: Cast) -> None:
    """The same rule from both sides, through a history that opens and closes it."""
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    judged_scene(scene)
    judge(scene.dee, ask(scene.ana, scene.probe("l4")), depth=2)
    terms = terms_of(scene.position, SealingPolicy.AFTER_ALL)
    loop: list[Seat] = []

    def plan() -> None:
        loop.append(seats_of(make_interview(scene.application, lead=cast.bo, interviewers=[cast.sam]))[0])

    steps: list[Callable[[], Any]] = [
        lambda: submit(again(scene.bo)),
        lambda: submit(again(scene.dee)),
        lambda: open_it(scene),
        lambda: submit(again(scene.ana)),
        lambda: change_position(position=scene.position, by=cast.ada, terms=terms),
        lambda: excuse_card(seat=again(scene.chen), by=cast.ada, reason="Ill."),
        plan,
        lambda: close(scene),
        lambda: reopen_loop(application=scene.application, by=cast.mara),
        lambda: replace_seat(seat=loop[0], by=cast.mara, person=may_interview(cast.mara)),
        lambda: remove_seat(seat=loop[0].interview.seats.get(person=cast.sam), by=cast.ada),
    ]
    could: set[int] = set()
    for step in steps:
        step()
        others = Seat.objects.filter(interview__application=scene.application)
        now = {
            person.pk
            for person in Person.objects.filter(is_active=True)
            if open_seats(person).filter(pk__in=others).exclude(person=person).exists()
        }
        assert set(readers(scene.application).values_list("pk", flat=True)) == now
        could |= now
        assert could <= set(Unsealed.objects.values_list("person", flat=True))
    assert could == set(Unsealed.objects.values_list("person", flat=True))


# --- what raters don't open themselves --------------------------------------------------------------------------------


def rating_manager(scene: Scene) -> Person:
    scene.position.managers.add(scene.cast.ana)
    scene.cast.ana.roles.append(PersonRole.MANAGER.value)
    scene.cast.ana.save()
    return scene.cast.ana


def test_a_rating_manager_does_not_let_cards_be_read_earlier(cast: Cast) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE, sealing=SealingPolicy.AFTER_ALL)
    judged_scene(scene)
    ana = rating_manager(scene)
    submit(scene.ana)
    submit(scene.bo)
    terms = terms_of(scene.position, SealingPolicy.AFTER_OWN)

    with pytest.raises(JudgesToo, match="You judge a candidate of this position yourself"):
        change_position(position=scene.position, by=ana, terms=terms)
    with pytest.raises(Sealed):
        card_for(ana, scene.bo.code)

    change_position(position=scene.position, by=cast.mara, terms=terms)
    assert not card_for(ana, scene.bo.code).own


def test_a_rating_manager_does_not_close_the_loop_over_anothers_interview(cast: Cast) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE, sealing=SealingPolicy.AFTER_ALL)
    judged_scene(scene)
    ana = rating_manager(scene)
    for seat in (scene.ana, scene.bo, scene.chen):
        submit(seat)
    make_interview(scene.application, lead=cast.sam)

    with pytest.raises(JudgesToo, match="You judge this candidate yourself"):
        close_loop(application=scene.application, by=ana)
    with pytest.raises(Sealed):
        card_for(ana, scene.bo.code)

    close(scene)
    assert not card_for(ana, scene.bo.code).own


# --- dead ends --------------------------------------------------------------------------------------------------------


def test_an_interview_of_which_a_card_is_in_did_take_place(cast: Cast) -> None:
    scene, asked = ended(cast, "ana", "bo")
    Interview.objects.filter(pk=scene.interview.pk).update(starts_at=timezone.now())
    submit(again(scene.bo))
    do(scene.ana, "interview.reopen", {"reason": "They came back."})
    do(scene.ana, "probe.retract", {"asked": asked})

    with pytest.raises(NotScheduled, match="A scorecard of it is in"):
        mark_no_show(interview=again(scene.bo).interview, by=cast.mara, role=Role.CANDIDATE)

    do(scene.ana, "interview.end")
    assert submit(again(scene.ana)).number == 1


def test_nobody_owes_a_card_of_an_interview_that_did_not_take_place(cast: Cast) -> None:
    scene, asked = ended(cast, "ana", "bo")
    Interview.objects.filter(pk=scene.interview.pk).update(starts_at=timezone.now())
    do(scene.ana, "interview.reopen", {"reason": "They came back."})
    do(scene.ana, "probe.retract", {"asked": asked})

    mark_no_show(interview=again(scene.bo).interview, by=cast.mara, role=Role.CANDIDATE)

    assert not Seat.objects.filter(interview=scene.interview, card_owed=True).exists()


def test_a_shadow_who_marked_and_was_removed_keeps_their_card(cast: Cast) -> None:
    scene = make_scene(cast)
    do(scene.ana, "interview.start")
    asked = str(do(scene.ana, "probe.ask", {"probe": "data-parallel/root"}))
    mark(scene.dee, asked)
    remove_seat(seat=again(scene.dee), by=cast.mara)
    do(scene.ana, "interview.end")

    dee = as_(cast.dee)
    assert own_seat(cast.dee, scene.interview.code) == scene.dee
    assert dee.get(reverse("scoring:card", kwargs={"seat": scene.dee.code})).status_code == 200
    assert dee.get(reverse("scoring:card", kwargs={"seat": scene.ana.code})).status_code == 404
    assert submit(again(scene.dee)).number == 1


def test_without_an_interview_nothing_is_all_in(cast: Cast) -> None:
    application = make_application(make_scene(cast).position, name="Nobody Yet")

    with pytest.raises(Sealed):
        debrief_for(cast.mara, application.code)
    assert as_(cast.mara).get(reverse("scoring:letter", kwargs={"code": application.code})).status_code == 403
    panel = reverse("scoring:panel", kwargs={"code": application.code})
    told = as_(cast.mara).get(f"{panel}?format=json").json()
    assert (told["state"], told["missing"], told["interviews_to_come"]) == ("waiting", [], [])


def test_what_is_asked_while_an_interview_runs_again_is_compiled_at_once(cast: Cast) -> None:
    scene, asked = ended(cast, "ana", "bo")
    submit(again(scene.bo))
    do(scene.ana, "interview.reopen", {"reason": "They came back."})
    for name, data in (("probe.ask", {"probe": "data-parallel/l2"}), ("probe.retract", {"asked": asked})):
        Job.objects.all().delete()
        do(scene.ana, name, data)
        assert [job.name for job in Job.objects.filter(name="scoring.compile_panel")] == ["scoring.compile_panel"]
