"""The nightly snapshot: closed applications only, five new ones at a time, counts and rounded times."""

from __future__ import annotations

import json
from datetime import date, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from interviews.enums import Aid, InterviewStatus, Outcome
from interviews.models import Interview, Seat, Void
from questionbank.models import Probe, ProbeFigures, TreeVersion
from scoring.models import CountedApplication
from scoring.services.figures import write_figures
from tests.cast import Cast
from tests.support.factories import make_application, make_interview, make_position, make_tree
from tests.support.judging import ask, end, judge, submit
from tests.support.threads import in_threads

pytestmark = pytest.mark.db

TODAY = date(2026, 11, 30)


class Bank:
    """Applications for one position, asked from one tree."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.version = make_tree()
        self.position = make_position(cast.mara)

    def interview(
        self, outcome: Outcome = Outcome.SUSTAINED, *, aid: Aid = Aid.UNAIDED, close: bool = True
    ) -> Interview:
        """Ask the root, and the second level where the root was sustained; Ana and Bo and a shadow mark the root."""
        interview = make_interview(
            make_application(self.position),
            lead=self.cast.ana,
            interviewers=[self.cast.bo],
            shadows=[self.cast.dee],
            versions=[self.version],
            status=InterviewStatus.LIVE,
            starts_at=timezone.now() - timedelta(hours=1),
        )
        ana, bo, dee = (interview.seats.get(person=person) for person in (self.cast.ana, self.cast.bo, self.cast.dee))
        root = ask(ana, probe(self.version, "root"), made_at=interview.starts_at)
        for seat, heard in ((ana, outcome), (bo, Outcome.PARTIAL), (dee, Outcome.RECITED)):
            judge(seat, root, heard, aid)
        if outcome == Outcome.SUSTAINED:
            ask(ana, probe(self.version, "l2"), made_at=interview.starts_at + timedelta(minutes=3, seconds=40))
        end(interview)
        if close:
            self.close(interview)
        return interview

    def close(self, interview: Interview) -> None:
        for seat in Seat.objects.filter(interview=interview, card_owed=True):
            submit(seat)

    def figures(self, key: str = "root") -> ProbeFigures:
        return ProbeFigures.objects.get(tree=self.version.tree, probe_key=key)


def probe(version: TreeVersion, key: str) -> Probe:
    return Probe.objects.get(version=version, key=key)


@pytest.fixture
def bank(cast: Cast) -> Bank:
    return Bank(cast)


def test_snapshot_says_nothing_before_five_applications_are_closed(bank: Bank) -> None:
    for _ in range(4):
        bank.interview()
    open_one = bank.interview(close=False)

    assert write_figures(TODAY) == 0
    assert not ProbeFigures.objects.exists()

    bank.close(open_one)
    assert write_figures(TODAY) == 2
    figures = bank.figures()
    assert (figures.asked, figures.stopped, figures.minutes) == (5, 0, 4)
    assert figures.outcomes == {"sustained": 5, "partial": 5}, "Ana's and Bo's marks, not the shadow's"
    assert figures.aids == {"unaided": 10}
    assert figures.counted_on == TODAY
    assert figures.last_used_on is not None
    assert figures.last_used_on.day == 1
    assert (bank.figures("l2").asked, bank.figures("l2").stopped) == (5, 5)


def test_snapshot_moves_by_five_at_a_time_and_never_by_one(bank: Bank) -> None:
    for _ in range(5):
        bank.interview()
    write_figures(TODAY)
    for _ in range(4):
        bank.interview(Outcome.NOT_SUSTAINED)

    assert write_figures(TODAY) == 0
    assert bank.figures().asked == 5

    bank.interview(Outcome.NOT_SUSTAINED)
    assert write_figures(TODAY) == 1
    assert (bank.figures().asked, bank.figures().stopped) == (10, 5)
    assert bank.figures().outcomes == {"sustained": 5, "not_sustained": 5, "partial": 10}
    assert write_figures(TODAY) == 0


def test_snapshot_leaves_out_voided_probes_and_cards_after_seeing_others(bank: Bank) -> None:
    for _ in range(5):
        bank.interview()
    Void.objects.create(
        position=bank.position, tree=bank.version.tree, probe_key="root", by=bank.cast.mara, reason="Leaked."
    )

    write_figures(TODAY)

    assert list(ProbeFigures.objects.values_list("probe_key", flat=True)) == ["l2"]


def test_two_snapshots_at_once_count_nothing_twice(transactional_db: None, cast: Cast) -> None:
    bank = Bank(cast)
    for _ in range(5):
        bank.interview()

    moved = in_threads(*[lambda: write_figures(TODAY)] * 2)

    assert sorted(moved) == [0, 2]
    assert CountedApplication.objects.count() == 10


def test_snapshot_costs_the_same_for_five_applications_and_ten(bank: Bank) -> None:
    costs = []
    for _ in range(2):
        for _ in range(5):
            bank.interview()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert write_figures(TODAY) == 2
        costs.append(len(queries))

    assert costs[0] == costs[1]


def test_figures_command_takes_the_snapshot_now(bank: Bank) -> None:
    for _ in range(5):
        bank.interview()
    out = StringIO()

    call_command("figures", json="-", stdout=out)

    assert json.loads(out.getvalue()) == {"moved": 2}


@pytest.mark.parametrize("command", [["figures"], ["scorecard", "rebuild", "1"], ["simulate", "none.yaml"]])
def test_commands_look_at_where_json_goes_first(tmp_path: Path, command: list[str]) -> None:
    with pytest.raises(CommandError, match=r"No such file or directory\. Nothing was done\."):
        call_command(*command, "--json", str(tmp_path / "absent" / "x.json"), stdout=StringIO())
