"""Rows for tests, made as the services would leave them, without going through the services.

`make_scene(cast)` is what most tests want: a position of Mara's with a plan of two trees, an application, and a panel
interview with every kind of seat. The small factories below it build more of each.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Any

from django.db import connection
from django.utils import timezone

from interviews.enums import InterviewStatus, Role, SealingPolicy, Shape, TextKind
from interviews.models import (
    Application,
    Candidate,
    CandidateIdentity,
    CandidateLink,
    Claim,
    Consent,
    Interview,
    PinnedTree,
    PlannedSeat,
    Position,
    Room,
    Seat,
    Text,
)
from interviews.models.text import new_salt, text_digest
from interviews.rules.notice import NOTICE
from interviews.services.hiring import PositionTerms
from people.models import Person
from questionbank.enums import Aim, ProbeKind, SignalKind, VersionState
from questionbank.models import Anchor, Plan, PlanTree, Probe, Signal, Topic, Tree, TreeVersion, VersionStatus
from tests.cast import CANDIDATE_NAME, Cast

_numbers = count(1)


# --- bank -------------------------------------------------------------------------------------------------------------


def make_tree(
    key: str = "data-parallel",
    *,
    depth: int = 4,
    number: int = 1,
    state: VersionState = VersionState.PUBLISHED,
    title: Mapping[str, str] | None = None,
) -> TreeVersion:
    """Make one version of a tree: `root` (level 1), then `l2` ... `l<depth>` below each other, and beside them a
    rescue of the root `root-rescue` (level 1) and a second check of level 2 `l2-again` (level 2).

    Aims: depth; why is added on even levels, hands-on on levels 3 and up. Titles are English and Chinese.
    """
    topic, _ = Topic.objects.get_or_create(key="training", defaults={"title": {"en": "Training"}})
    tree, _ = Tree.objects.get_or_create(key=key, defaults={"topic": topic})
    words = key.replace("-", " ")
    version = TreeVersion.objects.create(
        tree=tree,
        number=number,
        title=title or {"en": words.capitalize(), "zh-Hans": f"{words}（中文）"},
        content_hash=hashlib.sha256(f"{key} {number}".encode()).hexdigest(),
        minutes=15,
    )
    root = _probe(version, "root", level=1, kind=ProbeKind.CHECK)
    probes = [root, _probe(version, "root-rescue", level=1, parent=root, kind=ProbeKind.RESCUE, position=9)]
    above = root
    for level in range(2, depth + 1):
        below = _probe(version, f"l{level}", level=level, parent=above)
        probes.append(below)
        if level == 2:
            more = _probe(version, "l2-again", level=2, parent=below, kind=ProbeKind.CHECK, same_level=True, position=5)
            probes.append(more)
        above = below
    _insert(probes)
    VersionStatus.objects.create(
        version=version, state=state, published_at=timezone.now() if state == VersionState.PUBLISHED else None
    )
    return version


def make_probe(version: TreeVersion, key: str, *, level: int, parent: Probe | None = None, **fields: Any) -> Probe:
    """Make a probe with a signal of each kind and anchors 0, 2 and 4 of each aim."""
    probe = _probe(version, key, level=level, parent=parent, **fields)
    _insert([probe])
    return probe


def _probe(version: TreeVersion, key: str, *, level: int, parent: Probe | None = None, **fields: Any) -> Probe:
    aims = [Aim.DEPTH, *([Aim.WHY] if level % 2 == 0 else []), *([Aim.HANDS_ON] if level >= 3 else [])]
    return Probe(
        version=version,
        key=key,
        level=level,
        parent=parent,
        kind=fields.pop("kind", ProbeKind.PROBE),
        aims=[aim.value for aim in fields.pop("aims", aims)],
        title={"en": f"{key} of {version.tree.key}", "zh-Hans": f"{key} 标题"},
        prompt={"en": f"What about {key} in {version.tree.key}?", "zh-Hans": f"{key} 怎么样？"},
        content_hash=hashlib.sha256(f"{version.tree.key}/{key}".encode()).hexdigest(),
        **fields,
    )


def _insert(probes: Sequence[Probe]) -> None:
    """Insert probes and all their parts by three statements; their numbers are asked for before, for the parents."""
    with connection.cursor() as cursor:
        sequence = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
        cursor.execute(sequence, [Probe._meta.db_table, len(probes)])
        for probe, (pk,) in zip(probes, cursor.fetchall(), strict=True):
            probe.pk = pk
    for probe in probes:
        probe.parent = probe.parent  # takes its number over
    Probe.objects.bulk_create(probes)
    Signal.objects.bulk_create(
        Signal(probe=probe, kind=kind, text={"en": f"{kind} answer to {probe.key}"})
        for probe in probes
        for kind in SignalKind
    )
    Anchor.objects.bulk_create(
        Anchor(probe=probe, aim=aim, rating=rating, text={"en": f"{aim} {rating} on {probe.key}"})
        for probe in probes
        for aim in probe.aims
        for rating in (0, 2, 4)
    )


def make_plan(*versions: TreeVersion, name: str = "") -> Plan:
    number = next(_numbers)
    plan = Plan.objects.create(key=f"plan-{number}", name=name or f"Plan {number}")
    PlanTree.objects.bulk_create(
        PlanTree(plan=plan, tree=version.tree, position=place * 10, minutes=version.minutes)
        for place, version in enumerate(versions)
    )
    return plan


# --- hiring -----------------------------------------------------------------------------------------------------------


def make_position(
    *managers: Person,
    title: str = "Training engineer",
    plan: Plan | None = None,
    sealing: SealingPolicy = SealingPolicy.AFTER_OWN,
    **fields: Any,
) -> Position:
    position = Position.objects.create(title=title, plan=plan, sealing=sealing, **fields)
    position.managers.set(managers)
    return position


def terms_of(position: Position, sealing: SealingPolicy) -> PositionTerms:
    """The position's terms as they are, with another policy."""
    return PositionTerms(
        title=position.title,
        managers=list(position.managers.all()),
        plan=position.plan,
        sealing=sealing,
        retention_days=position.retention_days,
        optional_trees=list(position.optional_trees.all()),
        chat=position.chat,
    )


def make_candidate(name: str = CANDIDATE_NAME, **fields: Any) -> Candidate:
    candidate = Candidate.objects.create()
    CandidateIdentity.objects.create(candidate=candidate, name=name, **fields)
    return candidate


def make_application(
    position: Position, *, candidate: Candidate | None = None, claims: Iterable[str] = (), **identity: Any
) -> Application:
    application = Application.objects.create(position=position, candidate=candidate or make_candidate(**identity))
    for place, words in enumerate(claims):
        Claim.objects.create(
            application=application, position=place, text=make_text(application, words, kind=TextKind.CLAIM)
        )
    return application


def make_text(
    application: Application, body: str, *, kind: TextKind, author: Seat | None = None, frozen: bool = False
) -> Text:
    salt = new_salt()
    return Text.objects.create(
        application=application,
        author=author,
        kind=kind,
        body=body,
        salt=salt,
        digest=text_digest(salt, body),
        frozen=frozen,
    )


# --- interviews -------------------------------------------------------------------------------------------------------


def make_interview(
    application: Application,
    *,
    lead: Person,
    interviewers: Sequence[Person] = (),
    shadows: Sequence[Person] = (),
    observers: Sequence[Person] = (),
    versions: Sequence[TreeVersion] = (),
    status: InterviewStatus = InterviewStatus.SCHEDULED,
    consented: bool = True,
    **fields: Any,
) -> Interview:
    """Make an interview with its room, seats (the candidate's too) and pinned trees; the lead asks every tree.

    `status` also sets started_at and ended_at as it needs them. Without `starts_at` it is in two days (scheduled) or
    an hour ago (everything else). Seats owe no card: conduct's and scoring's services say when. `consented`: the
    candidate accepted what is recorded, so that the lead can start.
    """
    now = timezone.now()
    begun = status in {InterviewStatus.LIVE, InterviewStatus.PAUSED, InterviewStatus.ENDED}
    fields.setdefault(
        "starts_at", now + timedelta(days=2) if status == InterviewStatus.SCHEDULED else now - timedelta(hours=1)
    )
    if begun:
        fields.setdefault("started_at", fields["starts_at"])
        fields.setdefault("last_command_at", fields["starts_at"])
    if status == InterviewStatus.ENDED:
        fields.setdefault("ended_at", now)
    # The room and the interview share one code, so that either is found by the address.
    code = uuid.uuid4()
    interview = Interview.objects.create(
        code=code,
        application=application,
        room=Room.objects.create(kind="interview", code=code),
        shape=fields.pop("shape", Shape.PANEL),
        status=status,
        time_zone=fields.pop("time_zone", "Europe/Berlin"),
        **fields,
    )
    seated = [
        (lead, Role.LEAD),
        *((person, Role.INTERVIEWER) for person in interviewers),
        *((person, Role.SHADOW) for person in shadows),
        *((person, Role.OBSERVER) for person in observers),
        (None, Role.CANDIDATE),
    ]
    seats = Seat.objects.bulk_create(Seat(interview=interview, person=person, role=role) for person, role in seated)
    if consented:
        Consent.objects.create(seat=seats[-1], notice=NOTICE, language="en")
    for place, version in enumerate(versions):
        pinned = PinnedTree.objects.create(
            interview=interview, version=version, position=place * 10, minutes=version.minutes
        )
        PlannedSeat.objects.create(pinned=pinned, seat=seats[0])
    return interview


def make_link(seat: Seat, token: str = "", **fields: Any) -> tuple[str, CandidateLink]:
    """Make the candidate's link; return (token, link). It is good until a day after the planned end."""
    token = token or f"token-of-a-test-{next(_numbers)}"
    interview = seat.interview
    fields.setdefault("expires_at", interview.starts_at + timedelta(minutes=interview.minutes, days=1))
    link = CandidateLink.objects.create(seat=seat, token_hash=hashlib.sha256(token.encode()).hexdigest(), **fields)
    return token, link


# --- everything at once -----------------------------------------------------------------------------------------------


@dataclass
class Scene:
    """A panel interview with every kind of seat. Seats by the first name of who sits there; `candidate` too."""

    cast: Cast
    versions: list[TreeVersion]
    plan: Plan
    position: Position
    application: Application
    interview: Interview
    ana: Seat
    bo: Seat
    chen: Seat
    dee: Seat
    eli: Seat
    candidate: Seat

    @property
    def seats(self) -> list[Seat]:
        return [self.ana, self.bo, self.chen, self.dee, self.eli, self.candidate]

    def probe(self, key: str, tree: int = 0) -> Probe:
        """Return a probe of the n-th pinned tree, such as "root", "l2", "l2-again" or "root-rescue"."""
        return Probe.objects.select_related("version__tree").get(version=self.versions[tree], key=key)


def make_scene(
    cast: Cast,
    *,
    status: InterviewStatus = InterviewStatus.SCHEDULED,
    sealing: SealingPolicy = SealingPolicy.AFTER_OWN,
    trees: Sequence[str] = ("data-parallel", "zero-stages"),
    **fields: Any,
) -> Scene:
    """Mara's position with a plan of `trees`, Kim's application with a claim, and a panel of Ana (lead), Bo, Chen,
    Dee (shadow), Eli (observer) and the candidate. `fields` go to the interview."""
    versions = [make_tree(key) for key in trees]
    plan = make_plan(*versions)
    position = make_position(cast.mara, plan=plan, sealing=sealing)
    application = make_application(position, claims=["Trained a 70B model on 64 GPUs"])
    interview = make_interview(
        application,
        lead=cast.ana,
        interviewers=[cast.bo, cast.chen],
        shadows=[cast.dee],
        observers=[cast.eli],
        versions=versions,
        status=status,
        **fields,
    )
    seats = {seat.person.name.lower() if seat.person else "candidate": seat for seat in seats_of(interview)}
    return Scene(
        cast=cast,
        versions=versions,
        plan=plan,
        position=position,
        application=application,
        interview=interview,
        **seats,
    )


def seats_of(interview: Interview) -> list[Seat]:
    return list(interview.seats.select_related("person", "interview").order_by("id"))
