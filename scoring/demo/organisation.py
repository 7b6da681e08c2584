"""The rows of a simulated organisation, written in bulk and marked as simulated in every name.

No room was open for these interviews: their logs are empty, and their cards stand as if they had been handed in.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Final

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from interviews.enums import InterviewStatus, Role, SealingPolicy, Shape
from interviews.models import (
    Application,
    Asked,
    Attendance,
    Candidate,
    CandidateIdentity,
    Consent,
    Interview,
    PinnedTree,
    PlannedSeat,
    Position,
    Room,
    Seat,
    Text,
)
from interviews.rules.notice import NOTICE
from people.enums import PersonRole
from people.models import Person
from questionbank.enums import ProbeKind, Scoring
from questionbank.models import Plan, PlanTree, Probe, TreeVersion
from questionbank.queries import published_trees
from scoring.demo.cards import AT_ONCE, summary_of, write_cards
from scoring.demo.people import DOMAIN, PEOPLE
from scoring.demo.prepare import code_of, prepare_bank
from scoring.demo.simulated import Applied, Heard, House, Question, Size, Talk
from scoring.services.calibration import calibrate_closed
from scoring.services.figures import write_figures
from scoring.services.interviewer_figures import write_interviewer_figures
from scoring.services.panels import compile_application

DAYS: Final = 540
"""How long the story takes, up to yesterday."""
FEWEST: Final = Size(interviewers=10, candidates=20)
POSITIONS: Final = ("Platform engineer", "Training engineer", "Agent engineer", "Evaluation engineer", "Field office")


@dataclass(frozen=True, slots=True)
class Loaded:
    """What there is now. `fresh`: it was made by this call."""

    fresh: bool
    interviewers: int
    candidates: int
    ratings: int


def load_organisation(size: Size, password: str = "") -> Loaded:
    """Make the organisation unless it is there, and run the nightly jobs over it. All of it or nothing is made."""
    position = code_of("organisation", "position", 0)
    if Position.objects.filter(code=position).exists():
        return Loaded(fresh=False, interviewers=0, candidates=0, ratings=0)
    with transaction.atomic():
        writer = _Writer(size, password)
        writer.write()
    for application in writer.applications:
        compile_application(application.pk)
    count_tonight()
    return Loaded(
        fresh=True, interviewers=size.interviewers, candidates=len(writer.applications), ratings=writer.ratings
    )


def count_tonight() -> None:
    """What every night does: figures of probes and people, then the calibration."""
    today = timezone.now().date()
    write_figures(today)
    write_interviewer_figures(today)
    calibrate_closed()


class _Writer:
    """Builds everything in memory and inserts it table by table."""

    def __init__(self, size: Size, password: str) -> None:
        self.password = make_password(password or None)
        self.now = timezone.now().replace(minute=0, second=0, microsecond=0)
        self.manager = self._person("manager", "Manager", PersonRole.MANAGER)
        self.curator = self._person("curator", "Curator", PersonRole.CURATOR)
        self.interviewers = [
            self._person(f"interviewer{number:02}", f"Interviewer {number:02}", PersonRole.INTERVIEWER)
            for number in range(1, size.interviewers + 1)
        ]
        self.size = size
        self.applications: list[Application] = []
        self.ratings = 0
        self.seq = count(1)

    def _person(self, key: str, name: str, role: PersonRole) -> Person:
        return Person(
            code=code_of("organisation", key),
            email=f"{key}@simulated.example",
            name=f"{name} (simulated)",
            roles=[role],
            password=self.password,
        )

    def write(self) -> None:
        Person.objects.bulk_create([self.manager, self.curator, *self.interviewers])
        prepare_bank(by=self.curator)
        self.versions = list(published_trees().order_by("tree__key"))
        self.probes = [_asked_in_order(version) for version in self.versions]
        positions = self._positions()
        house = House(
            [[Question(one.level, tuple(one.aims)) for one in probes] for probes in self.probes],
            self.size,
            positions=len(positions) - 1,
        )
        self._candidates(positions, house.candidates())

    def _positions(self) -> list[Position]:
        """Each with a plan: four over all trees but the last, the office apart over that one."""
        plans = Plan.objects.bulk_create(
            Plan(key=f"simulated-{place}", name=f"Simulated: {title}") for place, title in enumerate(POSITIONS)
        )
        last = len(self.versions) - 1
        PlanTree.objects.bulk_create(
            PlanTree(plan=plan, tree=version.tree, position=place * 10, minutes=version.minutes, required=False)
            for number, plan in enumerate(plans)
            for place, version in enumerate(self.versions)
            if (place == last) == (number == len(plans) - 1)
        )
        made = Position.objects.bulk_create(
            Position(
                code=code_of("organisation", "position", place),
                title=f"Simulated: {title}",
                plan=plan,
                sealing=SealingPolicy.AFTER_OWN,
            )
            for place, (title, plan) in enumerate(zip(POSITIONS, plans, strict=True))
        )
        demo = Person.objects.filter(email__in=[f"{one.key}@{DOMAIN}" for one in PEOPLE if one.key == "manager"])
        for position in made:
            position.managers.set([self.manager, *demo])
        return made

    def _candidates(self, positions: Sequence[Position], applied: Sequence[Applied]) -> None:
        candidates = Candidate.objects.bulk_create(
            Candidate(code=code_of("organisation", "candidate", number)) for number in range(len(applied))
        )
        CandidateIdentity.objects.bulk_create(
            CandidateIdentity(candidate=candidate, name=f"Candidate {number:03} (simulated)")
            for number, candidate in enumerate(candidates, start=1)
        )
        self.applications = Application.objects.bulk_create(
            Application(
                code=code_of("organisation", "application", number),
                position=positions[one.position],
                candidate=candidate,
                created_at=self._when(one.talks[0].at) - timedelta(days=14),
                loop_closed_at=self._when(one.talks[-1].at),
            )
            for number, (one, candidate) in enumerate(zip(applied, candidates, strict=True))
        )
        talks = [
            (application, talk)
            for application, one in zip(self.applications, applied, strict=True)
            for talk in one.talks
        ]
        self._talks(talks)

    def _when(self, at: float) -> datetime:
        return self.now - timedelta(days=1 + round(DAYS * (1.0 - at)))

    def _talks(self, talks: Sequence[tuple[Application, Talk]]) -> None:
        rooms = Room.objects.bulk_create(Room(kind="interview", code=uuid.uuid4()) for _ in talks)
        interviews = Interview.objects.bulk_create(
            Interview(
                code=room.code,
                application=application,
                room=room,
                shape=Shape.PANEL if len(talk.trees) > 1 else Shape.LOOP,
                status=InterviewStatus.ENDED,
                starts_at=self._when(talk.at),
                started_at=self._when(talk.at),
                ended_at=self._when(talk.at) + timedelta(hours=1),
                last_command_at=self._when(talk.at) + timedelta(hours=1),
            )
            for room, (application, talk) in zip(rooms, talks, strict=True)
        )
        seats = Seat.objects.bulk_create(
            [
                seat
                for interview, (_one, talk) in zip(interviews, talks, strict=True)
                for seat in self._seats(interview, talk)
            ],
            batch_size=AT_ONCE,
        )
        Consent.objects.bulk_create(
            Consent(seat=seat, notice=NOTICE, language="en", given_at=seat.added_at)
            for seat in seats
            if seat.role == Role.CANDIDATE
        )
        Attendance.objects.bulk_create(
            Attendance(seat=seat, started_at=seat.added_at, seen_at=seat.added_at + timedelta(hours=1))
            for seat in seats
        )
        panels: dict[int, list[Seat]] = {}
        for seat in seats:
            panels.setdefault(seat.interview_id, []).append(seat)
        rows = [(panels[interview.pk], talk) for interview, (_one, talk) in zip(interviews, talks, strict=True)]
        self._plan(rows)
        self._cards(rows)

    def _seats(self, interview: Interview, talk: Talk) -> Iterator[Seat]:
        """The panel's, in its order, then the candidate's."""
        start = self._when(talk.at)
        for place, person in enumerate(talk.panel):
            yield Seat(
                interview=interview,
                person=self.interviewers[person],
                role=Role.LEAD if place == 0 else Role.INTERVIEWER,
                added_at=start,
                card_owed=True,
                card_submitted_at=start + timedelta(hours=6 if (interview.pk + place) % 7 else 40),
            )
        yield Seat(interview=interview, person=None, role=Role.CANDIDATE, added_at=start)

    def _plan(self, rows: Sequence[tuple[list[Seat], Talk]]) -> None:
        pinned = PinnedTree.objects.bulk_create(
            PinnedTree(
                interview_id=seats[0].interview_id,
                version=self.versions[tree],
                position=place * 10,
                minutes=self.versions[tree].minutes,
            )
            for seats, talk in rows
            for place, tree in enumerate(talk.trees)
        )
        askers = [seats[place % len(talk.panel)] for seats, talk in rows for place, _tree in enumerate(talk.trees)]
        PlannedSeat.objects.bulk_create(
            PlannedSeat(pinned=tree, seat=seat) for tree, seat in zip(pinned, askers, strict=True)
        )

    def _cards(self, rows: Sequence[tuple[list[Seat], Talk]]) -> None:
        asked = [
            (seats, heard, self._asked(seats, heard, place))
            for seats, talk in rows
            for place, heard in enumerate(talk.answers)
        ]
        Asked.objects.bulk_create([row for _seats, _heard, row in asked], batch_size=AT_ONCE)
        raters = [seat for seats, _talk in rows for seat in seats if seat.person_id]
        given: dict[int, list[float]] = {seat.pk: [] for seat in raters}
        marks = [
            (seat, row, heard, ratings)
            for seats, heard, row in asked
            for seat, ratings in zip(seats, heard.ratings, strict=False)
        ]
        for seat, _row, _heard, ratings in marks:
            given[seat.pk] += ratings.values()
            self.ratings += len(ratings)
        application = {interview.pk: interview.application_id for interview in Interview.objects.all()}
        texts = Text.objects.bulk_create(
            [summary_of(seat, application[seat.interview_id]) for seat in raters], batch_size=AT_ONCE
        )
        write_cards(raters, texts, given, marks, self.probes)

    def _asked(self, seats: Sequence[Seat], heard: Heard, place: int) -> Asked:
        return Asked(
            id=uuid.uuid4(),
            interview_id=seats[0].interview_id,
            probe=self.probes[heard.tree][heard.question],
            by=seats[heard.asker],
            seq=next(self.seq),
            made_at=seats[0].added_at + timedelta(minutes=3 * place),
        )


def _asked_in_order(version: TreeVersion) -> list[Probe]:
    """What the simulation asks of a tree: its scored probes but rescues, level by level."""
    probes = Probe.objects.filter(version=version, scoring=Scoring.SCORED).exclude(kind=ProbeKind.RESCUE)
    return list(probes.select_related("version").order_by("level", "position", "pk"))
