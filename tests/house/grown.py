"""The same people and pages with `n` of everything that a page lists: what one row costs shows against three."""

from __future__ import annotations

from datetime import timedelta

from django.core.files.base import ContentFile
from django.utils import timezone

from interviews.enums import EvidenceType, InterviewStatus, ReasonType, TextKind
from interviews.models import Application, Attachment, Claim, Interview, Seat
from people.models import Person
from scoring.services.panels import compile_application
from tests.cast import Cast
from tests.house.people import furnish
from tests.support.debriefs import Talk
from tests.support.factories import (
    Scene,
    make_application,
    make_interview,
    make_plan,
    make_position,
    make_scene,
    make_text,
    seats_of,
)
from tests.support.judging import ask, end, hear, judge, note, submit


def grow(cast: Cast, n: int) -> tuple[Scene, Scene]:
    """Return (a scene whose interview runs, one that ended with all cards in), both of Mara's, with `n` of everything:
    trees, asked probes, raters, statements, interviews, applications, positions, claims, files, people.
    """
    trees = [f"tree-{number}" for number in range(n)]
    live = furnish(make_scene(cast, status=InterviewStatus.LIVE, trees=trees))
    _fill(live, n)
    done = _ended(live, cast, n)
    for number in range(n):
        position = make_position(cast.mara, title=f"Position {number}", plan=make_plan(*live.versions))
        other = make_application(position, name=f"Candidate {number}")
        for application in (other, make_application(live.position, name=f"Another {number}")):
            _coming(application, cast, live, number)
        Person.objects.create(email=f"more-{number}@sounding.example", name=f"More {number}", roles=["interviewer"])
    return live, done


def _coming(application: Application, cast: Cast, scene: Scene, number: int) -> None:
    make_interview(
        application,
        lead=cast.ana,
        interviewers=[cast.bo],
        observers=[cast.eli],
        versions=scene.versions,
        starts_at=timezone.now() + timedelta(days=1 + number),
    )


def _fill(scene: Scene, n: int) -> None:
    """Everything that Ana, Bo and Chen (as many of them as `n`) could say, on `n` probes, and more on the candidate."""
    raters = [scene.ana, scene.bo, scene.chen][:n]
    for number in range(n):
        asked = ask(scene.ana, scene.probe(("root", "l2", "l3")[number]))
        if number == 0:
            Interview.objects.filter(pk=scene.interview.pk).update(current=asked)
        for seat in raters:
            judge(seat, asked, depth=3)
            for kind in (EvidenceType.BUILT, ReasonType.CHOICE):
                for _ in range(n):
                    hear(seat, asked, kind, "Eight cards")
            note(seat, "Calm", asked)
    for number in range(n - 1):
        words = make_text(scene.application, f"Claim {number}", kind=TextKind.CLAIM)
        Claim.objects.create(application=scene.application, position=number + 1, text=words)
        attachment = Attachment(application=scene.application, label=f"{number}.pdf", media_type="application/pdf")
        attachment.file.save("more.pdf", ContentFile(b"%PDF-1.7"), save=False)
        attachment.save()


def _ended(live: Scene, cast: Cast, n: int) -> Scene:
    """Another candidate of the same position, whose interview is over and whose cards are all in."""
    application = make_application(live.position, name="Done", claims=["One"])
    interview = make_interview(
        application,
        lead=cast.ana,
        interviewers=[cast.bo, cast.chen][: n - 1],
        shadows=[cast.dee],
        observers=[cast.eli],
        versions=live.versions,
        status=InterviewStatus.LIVE,
    )
    seats = {seat.person.name.lower() if seat.person else "candidate": seat for seat in seats_of(interview)}
    absent = Seat()
    done = Scene(
        cast=cast,
        versions=live.versions,
        plan=live.plan,
        position=live.position,
        application=application,
        interview=interview,
        ana=seats["ana"],
        bo=seats.get("bo", absent),
        chen=seats.get("chen", absent),
        dee=seats["dee"],
        eli=seats["eli"],
        candidate=seats["candidate"],
    )
    _fill(done, n)
    end(interview)
    for seat in [done.ana, done.bo, done.chen][:n]:
        submit(seat)
    compile_application(application.pk)
    return done


def talk_over(done: Scene, n: int) -> None:
    """A decided debrief of the ended scene's application, with `n` votes, notes and decisions."""
    talk = Talk(done).to("voting")
    for who in ("ana", "bo", "chen")[:n]:
        talk.do(who, "vote.set", recommendation="no", reason="Heard less.", version=0)
    talk.do("mara", "phase.next")
    for number in range(n):
        talk.do("ana", "note.post", text=f"Note {number}")
    for number in range(n):
        talk.do("mara", "decision.record", decision="offer", rationale="Fits.", version=number)
