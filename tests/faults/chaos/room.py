"""The rooms of a run: made, read as plain data for the checker, and compared page by page with a fresh page."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, connections, transaction
from django.utils import timezone

from interviews.models import Command, Event, Interview, Position, Seat, Stream
from people import jobs
from people.models import Job, Person
from tests.cast import ROLES, Cast, make_cast
from tests.faults.chaos import history
from tests.house.room_page import Page, browser, said
from tests.support import ledger
from tests.support.factories import Scene, make_link, make_scene
from tests.support.web import session_of, session_of_candidate

P = ParamSpec("P")
R = TypeVar("R")
TRIES = 40


def alone(function: Callable[P, R]) -> Callable[P, R]:
    """For a thread of its own: leaves no connection behind, and asks again while the database is being killed."""

    @functools.wraps(function)
    def again(*args: P.args, **kwargs: P.kwargs) -> R:
        for tries_left in reversed(range(TRIES)):
            try:
                return function(*args, **kwargs)
            except (OperationalError, InterfaceError):
                if not tries_left:
                    raise
            finally:
                connections.close_all()
        raise AssertionError

    return again


@dataclass
class Place:
    """A room and who sits in it: seat's name -> (session cookie, role)."""

    scene: Scene
    sessions: dict[str, str]
    pages: list[Page]
    number: int

    @property
    def interview(self) -> Interview:
        return self.scene.interview

    @property
    def readers(self) -> tuple[str, ...]:
        return READERS[self.number % len(READERS)]

    @property
    def trees(self) -> list[str]:
        return [version.tree.key for version in self.scene.versions]

    def seat(self, name: str) -> Seat:
        return getattr(self.scene, name)  # type: ignore[no-any-return]


NAMES = ("ana", "bo", "chen", "dee", "eli", "candidate")
READERS = (("ana", "candidate"), ("bo", "eli"))  # whose pages are compared, by turns of rooms: every kind of page


@alone
def make_room(number: int) -> Place:
    """A room with trees of its own, the same people as all rooms, and everybody signed in."""
    people = {person.email.partition("@")[0]: person for person in Person.objects.all()}
    cast = Cast(**{name: people[name] for name in ROLES}) if people else make_cast()
    scene = make_scene(cast, trees=(f"first-{number}", f"second-{number}"))
    Position.objects.filter(pk=scene.position.pk).update(chat=True)
    _token, link = make_link(scene.candidate)
    sessions = {name: session_of(getattr(scene, name).person) for name in NAMES if name != "candidate"}
    sessions["candidate"] = session_of_candidate(scene.candidate, link)
    return Place(scene, sessions, [], number)


@alone
def open_pages(place: Place) -> list[Page]:
    pages = []
    for name in place.readers:
        seat = place.seat(name)
        address = (
            f"/c/room/{place.interview.code}/" if name == "candidate" else f"/interviews/{place.interview.code}/room/"
        )
        pages.append(ChaosPage(browser(seat, "en"), address, seat))
    return pages


class ChaosPage(Page):
    """A page that fetches its controls once, after everything else, and looks for new askings only when there are some:
    what comes of it is the same."""

    asks = True

    def take(self, frame: dict[str, Any]) -> None:
        self.asks = frame["name"].startswith("probe.")
        super().take(frame)

    def draw(self) -> None:
        if self.asks:
            super().draw()

    def _changes_controls(self, name: str) -> bool:
        return False

    def settle(self) -> None:
        if controls := self.room.get("data-controls"):
            self.swap(self.client.get(controls).content.decode())


@alone
def compare_pages(place: Place, pages: Sequence[Page], frames: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[str]:
    """Return what differs between each open page that heard these frames and a page that is opened now."""
    found = []
    for name, page, fresh in zip(place.readers, pages, open_pages(place), strict=True):
        for frame in frames[name]:
            if frame["seq"] == page.cursors[frame["stream"]] + 1:  # else the checker has told of it
                page.take(dict(frame))
        assert isinstance(page, ChaosPage)
        page.settle()
        if page.cursors != fresh.cursors:
            found.append(f"{name}'s page is at {page.cursors}, a fresh one at {fresh.cursors}")
        old, new = page.regions(), fresh.regions()
        found += [
            f"{name}'s page differs in {region}:\n  {old.get(region)}\n  {new.get(region)}"
            for region in sorted({*old, *new})
            if region != "presence" and old.get(region) != new.get(region)
        ]
        if said(page.saved, fresh.saved) != said(fresh.saved, fresh.saved):
            found.append(f"{name}'s page has saved {page.saved}, a fresh one {fresh.saved}")
    return found


@alone
def read_table(place: Place) -> history.Table:
    """The room as the database has it, in one snapshot."""
    with transaction.atomic():
        connections["default"].cursor().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        room = place.interview.room_id
        events = Event.objects.filter(room=room).select_related("seat").order_by("stream", "seq")
        commands = Command.objects.filter(seat__interview=place.interview).select_related("seat")
        started = Interview.objects.values_list("started_at", flat=True).get(pk=place.interview.pk)
        return history.Table(
            events=tuple(
                history.Event(
                    row.stream, row.seq, row.name, str(row.cause) if row.cause else None,
                    str(row.seat.code) if row.seat else None, row.made_at.timestamp(), row.at.timestamp(),
                )
                for row in events
            ),
            commands=tuple(
                history.Command(str(row.seat.code), str(row.command), row.stream, row.seq, row.version)
                for row in commands
            ),
            heads=dict(Stream.objects.filter(room=room).values_list("name", "head")),
            started_at=started.timestamp() if started else 0.0,
        )  # fmt: skip


@alone
def compare_items(place: Place, clients: Sequence[ledger.Client]) -> list[str]:
    return ledger.compare(place.interview, clients)


@alone
def ask_for_job(place: Place, number: int) -> None:
    """Ask for work in a transaction, as submitting a card does."""
    with transaction.atomic():
        jobs.enqueue("scoring.compile_panel", key=f"chaos {number}", application=place.scene.application.pk)


@alone
def sweep() -> int:
    return jobs.sweep()


@alone
def jobs_left() -> int:
    """Jobs that are not done, other than those a killed worker had in hand, which wait for the sweeper's time."""
    in_hand = timezone.now() - jobs.RESTART_AFTER
    return Job.objects.filter(done_at__isnull=True).exclude(started_at__gt=in_hand).count()
