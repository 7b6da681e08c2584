"""Whatever happens to an application, in whatever order: the panel card that is kept equals one compiled from scratch.

Submit, amend, void, excuse, close and reopen the loop, compile by hand; workers that do a job, do it twice, or die in
the middle of it. Compiling by real workers, killed for real, is in tests/faults.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from interviews.enums import InterviewStatus
from interviews.models import Application, Mark, Seat, Void
from interviews.services.hiring import close_loop, excuse_card, reopen_loop
from people.jobs import RESTART_AFTER
from people.models import Job
from scoring.enums import Recommendation
from scoring.models import PanelScorecard
from scoring.queries.cards import working_card
from scoring.queries.panel import load_inputs
from scoring.rules import as_json, compile_panel, digest
from scoring.services.amendments import begin_amendment, hand_in_amendment
from scoring.services.panels import Finding, compile_application, verify, verify_all
from scoring.services.voids import void_probe
from scoring.tasks import compile_panel as compile_task
from tests.cast import Cast, make_cast
from tests.support.factories import Scene, make_scene
from tests.support.judging import judge, judged_scene, submit

pytestmark = pytest.mark.db

RATERS = ("ana", "bo", "chen", "dee")  # Dee shadows
PROBES = ("root", "l2", "l3")
ADVICE = st.sampled_from([one for one in Recommendation if one != Recommendation.NO_DECISION])


class History(RuleBasedStateMachine):
    """An application whose interview has ended, with everybody's marks made and no card in.

    A further kind of change is a further rule; the invariants hold for it too.
    """

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self.scene = scene
        self.atomic = transaction.atomic()
        self.atomic.__enter__()

    def teardown(self) -> None:
        try:
            self.work_until_done()
            self.check_everything()
        finally:
            transaction.set_rollback(True)
            self.atomic.__exit__(None, None, None)

    # --- what people do ---

    @rule(who=st.sampled_from(RATERS), advice=ADVICE)
    def submit_or_amend(self, who: str, advice: Recommendation) -> None:
        seat = self.seat(who)
        if seat.card_submitted_at is None:
            submit(seat, advice)
        else:
            self.amend(seat, advice)

    def amend(self, seat: Seat, advice: Recommendation) -> None:
        begin_amendment(seat=seat)
        mark = Mark.objects.written_by(seat).exclude(depth=None).order_by("pk").first()
        if mark is not None:
            Mark.objects.written_by(seat).filter(pk=mark.pk).update(depth=(mark.depth + 1) % 5)
        seat = self.seat_of(seat)
        hand_in_amendment(
            seat=seat,
            version=working_card(seat).version,
            summary="Read again.",
            recommendation=advice,
            reason="",
            amendment="One mark was wrong.",
        )

    @rule(probe=st.sampled_from(PROBES))
    def void(self, probe: str) -> None:
        tree = self.scene.versions[0].tree
        if not Void.objects.filter(tree=tree, probe_key=probe).exists():
            void_probe(position=self.scene.position, tree=tree, probe=probe, by=self.scene.cast.mara, reason="Leaked.")

    @rule(who=st.sampled_from(RATERS[:3]))
    def excuse(self, who: str) -> None:
        seat = self.seat(who)
        if seat.card_submitted_at is None and seat.card_excused_at is None:
            excuse_card(seat=seat, by=self.scene.cast.mara, reason="On leave.")

    @rule(close=st.booleans())
    def close_or_reopen_the_loop(self, close: bool) -> None:
        application = Application.objects.get(pk=self.scene.application.pk)
        (close_loop if close else reopen_loop)(application=application, by=self.scene.cast.mara)

    @rule()
    def compile_by_hand(self) -> None:
        compile_application(self.scene.application.pk)

    # --- what workers do ---

    @precondition(lambda self: self.waiting())
    @rule()
    def work(self) -> None:
        self.deliver(self.waiting()[0])

    @rule()
    def deliver_again(self) -> None:
        """A message that was delivered before, whether its job is done, waits or is under way."""
        for job in Job.objects.order_by("created_at"):
            compile_task(str(job.pk))

    @precondition(lambda self: self.waiting())
    @rule(committed=st.booleans())
    def die(self, committed: bool) -> None:
        """A worker claims a job and dies: before the card is committed, or after it and before the job is done."""
        job = self.waiting()[0]
        Job.objects.filter(pk=job.pk).update(due_at=timezone.now(), started_at=timezone.now(), sent_at=timezone.now())
        with transaction.atomic():
            compile_application(self.scene.application.pk)
            transaction.set_rollback(not committed)

    def deliver(self, job: Job) -> None:
        """Deliver a job when it is due, and long enough after the worker that died over it."""
        due = {"due_at": timezone.now()}
        if job.started_at is not None:
            due["started_at"] = timezone.now() - RESTART_AFTER - timedelta(seconds=1)
        Job.objects.filter(pk=job.pk).update(**due)
        compile_task(str(job.pk))

    def work_until_done(self) -> None:
        while waiting := self.waiting():
            self.deliver(waiting[0])

    # --- what always holds ---

    @invariant()
    def the_card_is_current_or_a_job_will_make_it_so(self) -> None:
        newest = self.newest()
        if newest is None:
            assert self.waiting() or not load_inputs(self.scene.application.pk).raters
            return
        findings = verify(newest).findings
        assert findings == () or (findings == (Finding.INPUTS_MOVED,) and self.waiting()), findings

    def check_everything(self) -> None:
        inputs = load_inputs(self.scene.application.pk)
        cards = list(PanelScorecard.objects.filter(application=self.scene.application.pk).order_by("number"))
        if not cards:
            assert inputs.raters == ()
            return
        kept = cards[-1]
        assert (kept.content, kept.inputs, kept.digest) == (compile_panel(inputs), as_json(inputs), digest(inputs))
        # One row for one set of inputs after the other, each of them still reproduced.
        assert [card.number for card in cards] == list(range(1, len(cards) + 1))
        digests = [card.digest for card in cards]
        assert all(one != other for one, other in pairwise(digests))
        assert all(one.holds for one in verify_all(self.scene.application.pk))

    # --- what is there ---

    def seat(self, who: str) -> Seat:
        seat: Seat = getattr(self.scene, who)
        return self.seat_of(seat)

    @staticmethod
    def seat_of(seat: Seat) -> Seat:
        return Seat.objects.select_related("interview__application__position", "person").get(pk=seat.pk)

    @staticmethod
    def waiting() -> list[Job]:
        return list(Job.objects.filter(name="scoring.compile_panel", done_at=None).order_by("created_at"))

    def newest(self) -> PanelScorecard | None:
        return PanelScorecard.objects.filter(application=self.scene.application.pk).order_by("number").last()


def play(scene: Scene, *, examples: int, steps: int) -> None:
    def machine() -> History:
        return History(scene)

    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return ended_scene(cast)


def ended_scene(cast: Cast) -> Scene:
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    asked = judged_scene(scene)
    judge(scene.dee, asked["root"], depth=2)
    judge(scene.dee, asked["l2"], depth=4)
    return scene


def test_the_kept_card_equals_one_from_scratch_whatever_happened(scene: Scene) -> None:
    play(scene, examples=5, steps=12)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("world", range(4))
def test_the_kept_card_equals_one_from_scratch_in_many_histories(db: None, world: int) -> None:
    play(ended_scene(make_cast()), examples=60, steps=40)


def test_a_change_that_asks_for_no_compile_is_found(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of the test: with the question for a compile taken out of voiding, the same histories fail."""
    monkeypatch.setattr("scoring.services.voids.ask_for_panel", lambda application: None)
    history = History(scene)
    history.submit_or_amend("ana", Recommendation.YES)
    history.work()
    history.void("root")

    with pytest.raises(AssertionError, match="inputs_moved"):
        history.the_card_is_current_or_a_job_will_make_it_so()
    transaction.set_rollback(True)
    history.atomic.__exit__(None, None, None)
