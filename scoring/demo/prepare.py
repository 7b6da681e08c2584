"""Bringing the demo's data to where it should be at a start. What is there stays as it is; nothing is added twice."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, timedelta
from pathlib import Path
from typing import Final

from django.db import transaction
from django.utils import timezone

import questionbank
from interviews.enums import Role, Shape
from interviews.live.dispatch import carry_out
from interviews.models import Application, Interview, Position, Seat
from interviews.sealed import RUNNING
from interviews.services.attachments import Sent
from interviews.services.hiring import CandidateDetails, PositionTerms, create_application, create_position
from interviews.services.scheduling import TreeWish, When, schedule_interview
from interviews.services.seating import SeatWish
from people.models import Person
from people.refusal import Refused
from questionbank.exchange.files import read_paths
from questionbank.models import Plan, Tree, TreeVersion
from questionbank.services.importing import import_readings
from scoring.demo.people import prepare_people
from scoring.demo.playing import PastPlay, length_of
from scoring.services.debriefs import open_debrief
from scoring.services.panels import compile_application
from scoring.simulation.reading import load
from scoring.simulation.script import Making, Script

HERE: Final = Path(__file__).resolve().parent
BANK: Final = Path(questionbank.__file__).resolve().parent / "bank"
PLAN: Final = "plan.yaml"
PLAN_NAME: Final = "Training systems"
# Codes of what the demo makes: known beforehand, so that a second start finds it.
NAMES: Final = uuid.UUID("5b0d1f8e-7a3c-4c0e-9d42-6f2f0c9a51d7")
LIVE_FOR: Final = timedelta(hours=2)
# Who comes to the running interview, one after the other as days go by.
LIVE_CANDIDATES: Final = ("Jonas Weber", "Aiko Mori", "Tomás Silva", "Grace Mwangi", "Li Na", "Piotr Nowak")


def code_of(*names: str | int) -> uuid.UUID:
    return uuid.uuid5(NAMES, "/".join(str(name) for name in names))


@dataclass(frozen=True, slots=True)
class Prepared:
    """What stands now. `live` is None where no running interview could be made; `notes` say why, and what was done."""

    finished: Interview
    live: Interview | None
    notes: tuple[str, ...]


def prepare(password: str) -> Prepared:
    """Prepare the demo. Raises ImportRefused and Refused where the data that is there forbids it."""
    people = prepare_people(password)
    prepare_bank(by=people["curator"])
    finished, live = load(HERE / "finished.yaml"), load(HERE / "live.yaml")
    position = prepare_position(_making(finished), by=people["manager"])
    return Prepared(prepare_finished(finished, position, by=people["manager"]), *prepare_live(live, position, people))


def _making(script: Script) -> Making:
    if script.making is None:
        raise ValueError(f"{script.file} has no `interview:`")
    return script.making


def prepare_bank(*, by: Person) -> None:
    """Import and publish the starter trees that are missing. One that is there may have been worked on: it stays."""
    known = set(Tree.objects.values_list("key", flat=True))
    paths = [path for path in sorted(BANK.glob("*.yaml")) if path.name != PLAN and path.stem not in known]
    if not Plan.objects.filter(name=PLAN_NAME).exists():
        paths.append(BANK / PLAN)
    if paths:
        import_readings(read_paths(paths), by=by, publish=True)


def prepare_position(making: Making, *, by: Person) -> Position:
    terms = PositionTerms(
        title=making.position,
        managers=[by],
        plan=Plan.objects.filter(name=making.plan).first(),
        sealing=making.sealing,
        retention_days=180,
        optional_trees=[],
        chat=False,
    )
    return create_position(by=by, code=code_of("position"), terms=terms)


# --- the finished interview


def prepare_finished(script: Script, position: Position, *, by: Person) -> Interview:
    """Play the finished interview, with cards, panel card and a debrief to hold, unless it is there."""
    code = code_of("finished")
    there = Interview.objects.filter(code=code).first()
    if there is not None:
        return there
    with transaction.atomic():
        application = _apply(script, position, code=code_of("finished", "application"), by=by)
        play = PastPlay(script, _schedule(script, application, code=code, by=by))
        play.play()
        play.hand_in()
        compile_application(application.pk)
        open_debrief(application=application, by=by)
    return Interview.objects.get(code=code)


def _apply(script: Script, position: Position, *, code: uuid.UUID, by: Person, name: str = "") -> Application:
    making = _making(script)
    person = name or making.candidate
    papers = (HERE / "resume.txt").read_text(encoding="utf-8")
    papers = papers.format(name=person, claims="\n".join(f"- {claim}" for claim in making.claims))
    return create_application(
        by=by,
        code=code,
        position=position,
        known=None,
        details=CandidateDetails(
            name=person,
            email=f"{person.split()[0].lower()}@candidate.example" if person.isascii() else "",
            language=making.language,
            accommodations="",
            extra_time_percent=0,
        ),
        claims=making.claims,
        files=[Sent("resume.txt", papers.encode())],
        links=["Talk on slow networks https://candidate.example/talk"],
        lifted_trees=[],
    )


def _schedule(script: Script, application: Application, *, code: uuid.UUID, by: Person) -> Interview:
    """Make the interview as if it had been planned for when the script's people begin."""
    making = _making(script)
    begins = (timezone.now() - length_of(script)).astimezone(UTC)
    people = {person.email: person for person in Person.objects.filter(email__in=script.people.values())}
    return schedule_interview(
        application=application,
        by=by,
        code=code,
        shape=Shape.PANEL,
        when=When(begins.date(), begins.time().replace(second=0, microsecond=0), "UTC", making.minutes),
        seats=[SeatWish(people[script.people[name]], role) for name, role in _roles(making)],
        trees=[TreeWish(_newest(tree), _newest(tree).minutes, None) for tree in making.trees],
        meeting_link="",
    ).interview


def _roles(making: Making) -> Iterator[tuple[str, Role]]:
    yield making.lead, Role.LEAD
    for role, names in (
        (Role.INTERVIEWER, making.interviewers),
        (Role.SHADOW, making.shadows),
        (Role.OBSERVER, making.observers),
    ):
        for name in names:
            yield name, role


def _newest(tree: str) -> TreeVersion:
    versions = TreeVersion.objects.filter(tree__key=tree, status__published_at__isnull=False)
    return versions.order_by("number").reverse()[0]


# --- the running interview


def prepare_live(
    script: Script, position: Position, people: dict[str, Person]
) -> tuple[Interview | None, tuple[str, ...]]:
    """Keep the running interview if it began less than two hours ago; else end it and begin another one."""
    number, running = _last_live(position)
    notes = []
    if running is not None and running.status in RUNNING:
        if running.started_at and timezone.now() - running.started_at < LIVE_FOR:
            return running, ()
        end(running)
        notes.append(f"the interview of {running.started_at:%Y-%m-%d %H:%M} UTC was ended: it was open for hours")
    try:
        live = _begin(script, position, number + 1, by=people["manager"])
    except Refused as refused:
        return None, (*notes, f"no new running interview: {refused.message}")
    return live, tuple(notes)


def _last_live(position: Position) -> tuple[int, Interview | None]:
    """The number of the last running interview that the demo made, and that interview; 0 and None before the first."""
    made = {row.code: row for row in Interview.objects.filter(application__position=position)}
    number = 0
    while code_of("live", number + 1) in made:
        number += 1
    return number, made.get(code_of("live", number))


def end(interview: Interview) -> None:
    """End an interview as its lead would."""
    lead = Seat.objects.get(interview=interview, role=Role.LEAD, removed_at__isnull=True)
    carry_out(lead.pk, uuid.uuid4(), "interview.end", {}, timedelta())


def _begin(script: Script, position: Position, number: int, *, by: Person) -> Interview:
    name = LIVE_CANDIDATES[(number - 1) % len(LIVE_CANDIDATES)]
    with transaction.atomic():
        application = _apply(script, position, code=code_of("live", number, "application"), by=by, name=name)
        interview = _schedule(script, application, code=code_of("live", number), by=by)
        PastPlay(script, interview).play()
    return Interview.objects.get(pk=interview.pk)
