"""Stored calibrations: closed applications only, five new ones at a time, one run for one set of ratings."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import numpy as np
import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from interviews.enums import Decision, InterviewStatus, Outcome, Role
from interviews.models import Application, Interview, Seat, Void
from people.models import Job
from questionbank.models import Probe, ProbeFigures
from scoring.calibration.kept import NotKept, unpack
from scoring.calibration.rows import ratings_of
from scoring.models import CalibrationRun, PanelScorecard
from scoring.queries.calibrated import load_calibration
from scoring.queries.calibration import load_panels
from scoring.queries.figures import closed_applications
from scoring.queries.panel import load_inputs, newest_panel
from scoring.queries.runs import load_wordings, newest_run
from scoring.rules import PanelInputs, RaterIn, compile_panel
from scoring.rules.linked import rating_rows
from scoring.services.calibration import calibrate_closed
from scoring.services.figures import write_figures
from scoring.services.panels import compile_application, verify
from scoring.stats.rescore import rescore
from tests.cast import Cast
from tests.support.factories import make_application, make_interview, make_plan, make_position, make_tree
from tests.support.judging import ask, end, judge, submit
from tests.support.threads import in_threads

pytestmark = pytest.mark.db

KEYS = ("root", "l2", "l3")
AIMS = {"root": ("depth",), "l2": ("depth", "why"), "l3": ("depth", "hands_on")}


class Shop:
    """Applications for one position: Ana, who is strict, and Bo hear the same three answers; Dee learns by marking."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.version = make_tree()
        self.position = make_position(cast.mara, plan=make_plan(self.version))
        self.dice = random.Random(7)  # noqa: S311 - the same ratings each time

    def apply(self, *, close: bool = True, application: Application | None = None) -> Interview:
        interview = make_interview(
            application or make_application(self.position),
            lead=self.cast.ana,
            interviewers=[self.cast.bo],
            shadows=[self.cast.dee],
            versions=[self.version],
            status=InterviewStatus.LIVE,
            starts_at=timezone.now() - timedelta(hours=1),
        )
        ana, bo, dee = (interview.seats.get(person=person) for person in (self.cast.ana, self.cast.bo, self.cast.dee))
        for key in KEYS:
            asked = ask(ana, Probe.objects.get(version=self.version, key=key))
            level = self.dice.randrange(1, 5)
            for seat, off in ((ana, -1), (bo, 0), (dee, 0)):
                judge(seat, asked, Outcome.PARTIAL, **dict.fromkeys(AIMS[key], max(0, level + off)))
        end(interview)
        if close:
            self.close(interview)
        return interview

    def close(self, interview: Interview) -> None:
        for seat in Seat.objects.filter(interview=interview, card_owed=True):
            submit(seat)
        compile_application(interview.application_id)


@pytest.fixture
def shop(cast: Cast) -> Shop:
    return Shop(cast)


def test_run_waits_for_five_closed_applications_and_takes_them_all(shop: Shop) -> None:
    for _ in range(4):
        shop.apply()
    still_open = shop.apply(close=False)
    assert calibrate_closed() is None

    shop.close(still_open)
    run = calibrate_closed()

    assert run is not None
    assert len(run.applications) == 5
    assert {row["id"] for row in run.content["candidates"]} == {str(pk) for pk in run.applications}
    severity = {row["id"]: row["estimate"] for row in run.content["interviewers"]}
    assert set(severity) == {str(shop.cast.ana.pk), str(shop.cast.bo.pk)}  # a shadow moves nobody
    assert severity[str(shop.cast.ana.pk)] > severity[str(shop.cast.bo.pk)]
    for statement in ("UPDATE scoring_calibrationrun SET code_version = 'x'", "DELETE FROM scoring_calibrationrun"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def test_fewer_than_five_new_applications_change_no_run(shop: Shop) -> None:
    for _ in range(5):
        shop.apply()
    first = calibrate_closed()
    for _ in range(4):
        shop.apply()
    assert calibrate_closed() == first

    shop.apply()
    second = calibrate_closed()
    assert second is not None
    assert (second.number, len(second.applications)) == (2, 10)


def test_void_makes_a_run_of_the_same_applications_without_the_probe(shop: Shop) -> None:
    interviews = [shop.apply() for _ in range(5)]
    first = calibrate_closed()
    Void.objects.create(
        position=shop.position, tree=shop.version.tree, probe_key="l3", by=shop.cast.mara, reason="Leaked."
    )
    for interview in interviews:
        compile_application(interview.application_id)

    second = calibrate_closed()

    assert first is not None
    assert second is not None
    assert second.applications == first.applications
    assert not [row for row in second.content["items"] if "/l3/" in row["id"]]


def test_kept_run_scores_a_candidate_again_as_the_run_did(shop: Shop) -> None:
    for _ in range(6):
        shop.apply()
    assert calibrate_closed() is not None
    run = CalibrationRun.objects.get()
    (inputs,) = load_panels(run.applications[:1])
    rows = sorted(rating_rows(inputs))

    again = rescore(unpack(bytes(run.held)), ratings_of(rows, load_wordings(row.asked for row in rows)))

    found = next(row for row in run.content["candidates"] if row["id"] == str(inputs.application))
    assert (again.unknown_interviewers, again.unknown_items) == ((), ())
    np.testing.assert_allclose((again.ability, again.ability_se), (found["estimate"], found["se"]), atol=1e-3)


def test_panel_cards_take_their_values_from_the_run_in_use(shop: Shop) -> None:
    interviews = [shop.apply() for _ in range(5)]
    panel = interviews[0].application_id
    before = newest_panel(panel)
    assert before is not None
    assert before.content["dimensions"]["depth"]["calibrated_missing"] == "no_calibration_run"

    run = calibrate_closed()
    card = compile_application(panel)

    assert run is not None
    assert card is not None
    assert card.number == before.number + 1
    assert card.calibration_id == run.pk
    found = card.content["dimensions"]["depth"]["calibrated"]
    assert 0 <= found["low"] < found["value"] < found["high"] <= 4
    assert sum(step["moves"] for step in found["steps"]) == pytest.approx(
        found["value"] - card.content["dimensions"]["depth"]["value"], abs=1e-3
    )
    # Of two people with 25 ratings each little is known: both are taken as average, and it is said.
    assert [row["assumed"] for row in card.content["calibration"]["severities"]] == [True, True]
    assert verify(card).holds
    assert compile_application(panel) == card


def test_one_rating_of_a_dimension_is_no_value_for_the_calibration_either(shop: Shop) -> None:
    """The panel card's rule: a rater's value takes two ratings, and a calibrated value two such raters."""
    interviews = [shop.apply() for _ in range(5)]
    application = interviews[0].application
    assert calibrate_closed() is not None
    inputs = load_inputs(application.pk)

    def rated(*keeps: int) -> PanelInputs:
        """The same cards, the raters with so many of their marks."""
        raters = [_keep(rater, marks) for rater, marks in zip(inputs.raters, keeps, strict=True)]
        return replace(inputs, raters=tuple(raters))

    both = load_calibration(application, inputs)
    one = load_calibration(application, rated(3, 1))

    # Everybody rated "why" and "hands-on" once, and depth three times.
    assert both is not None
    assert [row.aim for row in both.dimensions] == ["depth"]
    assert one is not None
    assert one.dimensions == ()


def test_rater_with_one_rating_moves_neither_the_raw_value_nor_who_asked(shop: Shop) -> None:
    interviews = [shop.apply() for _ in range(5)]
    application = interviews[0].application
    assert calibrate_closed() is not None
    inputs = load_inputs(application.pk)
    third = _keep(replace(inputs.raters[0], person=10**6, order=10**6), 1)
    more = replace(inputs, raters=(*inputs.raters, third))

    found = load_calibration(application, more)

    assert found is not None
    card = compile_panel(replace(more, calibration=found))["dimensions"]["depth"]
    assert (card["raters"], card["independent_raters"]) == (2, 2)
    # Everybody's severity is taken as average here, so who asked moves nothing: the raw values are the same.
    assert card["calibrated"]["steps"][0]["moves"] == pytest.approx(0, abs=1e-3)


def _keep(rater: RaterIn, marks: int) -> RaterIn:
    cut = tuple(replace(one, marks=one.marks[:marks]) for one in rater.latest)
    return replace(rater, latest=cut, last_independent=cut, first=cut)


def test_run_keeps_nothing_that_runs() -> None:
    with pytest.raises(NotKept):
        unpack(b"cos\nsystem\n(S'true'\ntR.")


def test_difficulty_is_written_down_only_when_the_probes_own_figures_move(shop: Shop) -> None:
    for _ in range(5):
        shop.apply()
    write_figures(date(2026, 11, 1))
    calibrate_closed()
    root = ProbeFigures.objects.get(probe_key="root")
    assert set(root.difficulty) == {"depth"}

    for interview in [shop.apply() for _ in range(5)]:
        assert interview.ended_at
    calibrate_closed()  # the figures are of before
    assert ProbeFigures.objects.get(probe_key="root").difficulty == root.difficulty

    write_figures(timezone.now().date())
    for _ in range(5):
        shop.apply()
    calibrate_closed()
    moved = ProbeFigures.objects.get(probe_key="root")
    assert moved.difficulty != root.difficulty

    # The same day: figures that this run found stand in the next, and those written after it do not.
    for _ in range(5):
        shop.apply()
    calibrate_closed()
    assert ProbeFigures.objects.get(probe_key="root").difficulty == moved.difficulty
    write_figures(timezone.now().date())
    for _ in range(5):
        shop.apply()
    calibrate_closed()
    assert ProbeFigures.objects.get(probe_key="root").difficulty != moved.difficulty


def plan_another(interview: Interview) -> Interview:
    """A further interview is to come, so that the application is closed no more."""
    return make_interview(interview.application, lead=interview.seats.filter(role=Role.LEAD).get().person)


def test_applications_leave_by_five_too_and_stand_as_they_were(shop: Shop) -> None:
    interviews = [shop.apply() for _ in range(10)]
    first = calibrate_closed()
    assert first is not None
    for interview in interviews[:4]:
        plan_another(interview)

    assert calibrate_closed() == first

    # What is judged meanwhile in one that is open again is nothing that a figure may show.
    again = shop.apply(application=interviews[0].application)
    assert PanelScorecard.objects.filter(application=again.application_id).count() > 1
    assert calibrate_closed() == first
    for _ in range(5):
        shop.apply()
    second = calibrate_closed()
    assert second is not None
    assert calibrate_closed() == second
    n = {row["id"]: row["n"] for row in second.content["candidates"]}
    assert (len(n), set(n.values())) == (15, {10})

    plan_another(interviews[4])
    third = calibrate_closed()
    assert third is not None
    assert set(second.applications) - set(third.applications) == {row.application_id for row in interviews[:5]}


def test_erased_application_leaves_at_once(shop: Shop) -> None:
    interviews = [shop.apply() for _ in range(6)]
    calibrate_closed()
    gone = interviews[0].application
    Application.objects.filter(pk=gone.pk).update(erased_at=timezone.now())

    run = calibrate_closed()

    assert run is not None
    assert gone.pk not in run.applications
    assert len(run.applications) == 5


def test_run_in_use_is_the_newest_when_ratings_return_to_an_earlier_set(shop: Shop) -> None:
    early = [shop.apply() for _ in range(5)]
    first = calibrate_closed()
    late = [shop.apply() for _ in range(5)]
    calibrate_closed()
    for interview in late:
        plan_another(interview)

    third = calibrate_closed()

    assert first is not None
    assert third is not None
    assert third.digest == first.digest
    assert third.number == 3
    assert newest_run() == third == calibrate_closed()
    card = compile_application(early[0].application_id)
    assert card is not None
    assert card.calibration_id == third.pk


def test_decided_application_stays_closed_when_a_further_interview_is_planned(shop: Shop) -> None:
    interviews = [shop.apply() for _ in range(3)]
    for interview in interviews:
        plan_another(interview)
    decisions = (Decision.OFFER, Decision.NO_OFFER, Decision.MORE)
    for interview, decision in zip(interviews, decisions, strict=True):
        Application.objects.filter(pk=interview.application_id).update(decision=decision, decided_at=timezone.now())

    closed = set(closed_applications().values_list("pk", flat=True))

    # To decide for another interview is not to have decided.
    assert closed == {interview.application_id for interview in interviews[:2]}


def test_run_has_every_card_compiled_one_after_the_other(shop: Shop) -> None:
    for _ in range(5):
        shop.apply()
    Job.objects.all().delete()

    calibrate_closed()

    due = list(Job.objects.filter(name="scoring.compile_panel").order_by("due_at").values_list("due_at", flat=True))
    assert [later - sooner for sooner, later in pairwise(due)] == [timedelta(seconds=0.5)] * 4


@pytest.mark.django_db(transaction=True)
def test_two_workers_make_one_run(shop: Shop) -> None:
    for _ in range(5):
        shop.apply()

    found = in_threads(calibrate_closed, calibrate_closed)

    assert len({run.pk for run in found if run}) == 1
    assert CalibrationRun.objects.count() == 1
    assert newest_run() is not None
