"""A room's page as a browser keeps it: drawn once by the server, then changed by frames, by the rules of the page's
script (static/js/platform/swap.js, room/notes.js, room/statements.js, room/next.js, room/mine.js).
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable
from typing import Any

from bs4 import BeautifulSoup
from bs4.element import NavigableString, Tag
from django.conf import settings
from django.test import Client

from interviews import log
from interviews.live import frames
from interviews.models import Seat
from interviews.queries.standing import streams_for
from tests.support.web import session_of, session_of_candidate

SHARED = ("room-status", "asked-list", "current-probe", "presence", "shared-prompt", "agenda")
CONTROLS = ("lead-bar", "lead-prompt", "lead-offers", "next-probes", "outline")
CHAT = ("chat-lines",)
TREES = {"probe.adhoc", "tree.edit"}
OWN = ("my-note-", "my-evidence-", "my-reason-", "my-boundary-")
# What the page carries of every pinned probe changes with nothing that happens: left out, since it is most of the page.
PINNED = re.compile(r'<template id="probe-.*?</template>', re.DOTALL)
KINDS = {"marks": "mark", "boundaries": "boundary", "evidence": "evidence", "reasons": "reason", "notes": "note"}


def canonical(tag: Tag) -> str:
    """The element's HTML with attributes in order and blanks as one: equal means that a reader sees the same."""
    attributes = "".join(f' {name}="{_attribute(value)}"' for name, value in sorted(tag.attrs.items()))
    children = []
    for child in tag.children:
        if isinstance(child, Tag):
            children.append(canonical(child))
        elif type(child) is NavigableString and (words := " ".join(child.split())):
            children.append(words)
    return f"<{tag.name}{attributes}>{''.join(children)}</{tag.name}>"


def _attribute(value: Any) -> str:
    return " ".join(value.split() if isinstance(value, str) else value)


class Page:
    """One reader's page of a room."""

    def __init__(self, client: Client, address: str, seat: Seat) -> None:
        self.client, self.address, self.seat = client, address, seat
        self.browser = None if seat.person else str(seat.links.get(revoked_at__isnull=True).browser)
        response = client.get(address)
        assert response.status_code == 200, (address, response.status_code)
        html = response.content.decode()
        room = html[html.rindex("<div", 0, html.index('id="room"')) :]
        self.soup = BeautifulSoup(PINNED.sub("", room), "html.parser")
        self.room = self.soup.find(id="room")
        self.cursors = {name: int(self.room.get(f"data-head-{name}") or 0) for name in (log.ALL, log.PANEL, log.MINE)}
        script = self.soup.find("script", id="mine")
        self.saved = _items(json.loads(script.string)) if script else {}

    # --- what is compared ------------------------------------------------------------------------------------------

    def regions(self) -> dict[str, str]:
        found: dict[str, Tag] = {}
        for tag in self.soup.find_all(id=True):
            if tag["id"] in {*SHARED, *CONTROLS, *CHAT} or tag["id"].startswith(OWN):
                found.setdefault(tag["id"], tag)  # the page's templates, which come later, use an id again
        if not self.leads and "next-probes" in found:
            del found["next-probes"]["data-for"]  # whose follow-ups stand there: nobody's, where nobody may ask them
        return {name: canonical(tag) for name, tag in found.items()}

    # --- what happens to it ----------------------------------------------------------------------------------------

    def hear(self, language: str) -> list[dict[str, Any]]:
        """Take the frames that this seat's socket would be sent now; return them."""
        seat = Seat.objects.select_related("interview").get(pk=self.seat.pk)
        heard: list[dict[str, Any]] = []
        for wire, stream in streams_for(seat).items():
            events = log.since(seat.interview.room_id, {stream: self.cursors[wire]})
            heard += frames.draw_all(events, language) if events else []
        for frame in json.loads(json.dumps(heard)):  # as it goes over the wire
            self.take(frame)
        return heard

    def take(self, frame: dict[str, Any]) -> None:
        assert frame["seq"] == self.cursors[frame["stream"]] + 1, frame
        self.cursors[frame["stream"]] = frame["seq"]
        self.swap(frame["html"])
        if frame["stream"] == log.MINE:
            self.apply(frame)
        self.draw()
        if frame["stream"] == log.PANEL and self._changes_controls(frame["name"]):
            with_trees = frame["name"].startswith("lead.") or self._changes_trees(frame["name"])
            address = self.room["data-controls"] + ("?trees=1" if with_trees else "")
            self.swap(self.client.get(address).content.decode())

    def _changes_controls(self, name: str) -> bool:
        more = {"seats.change", "askers.change", "tree.edit", "interview.reopen"}
        to_lead = name.startswith(("probe.", "hand.")) or name in more
        return name.startswith("lead.") or self._changes_trees(name) or (self.leads and to_lead)

    def _changes_trees(self, name: str) -> bool:
        return name in TREES and self.soup.find(id="outline") is not None

    @property
    def leads(self) -> bool:
        own = self.soup.find(id=f"seat-{self.seat.code}")
        return own is not None and own["data-role"] == "lead"

    def swap(self, html: str) -> None:
        for fresh in BeautifulSoup(html, "html.parser").find_all(recursive=False):
            old = self.soup.find(id=fresh["id"])
            if old is None:
                home = self.soup.find(id=fresh.get("data-into") or "nowhere")
                if home is not None:
                    home.append(fresh)
                continue
            kept = {tag["id"]: tag for tag in old.select("[data-slot][id]")}
            for slot in fresh.select("[data-slot][id]"):
                if not slot.contents and slot["id"] in kept:
                    slot.replace_with(copy.copy(kept[slot["id"]]))
            old.replace_with(fresh)

    def draw(self) -> None:
        """Make room for one's own words on every asking of the rail, from the page's templates."""
        if self.soup.find(id="dock") is None:
            return
        for row in self.soup.select("#asked-list [data-asked]"):
            asked = row["data-asked"]
            if self.soup.find(id=f"my-note-{asked}") is None:
                note = self._clone("t-note", {"id": f"my-note-{asked}", "data-of": asked, "data-version": "0"})
                note.textarea["data-note"] = asked
                self.soup.select_one(".dock__notes").append(note)
            for kind in ("evidence", "reason"):
                if self.soup.find(id=f"my-{kind}-{asked}") is None:
                    statements = self._clone("t-statements", {"id": f"my-{kind}-{asked}", "data-of": asked})
                    self.soup.select_one(".evid").append(statements)

    def _clone(self, template: str, attributes: dict[str, str]) -> Tag:
        made = copy.copy(self.soup.find("template", id=template).find(recursive=False))
        made.attrs |= attributes
        return made

    def apply(self, frame: dict[str, Any]) -> None:
        """What an event says holds over what was saved: by field, ratings by aim."""
        kind = frame["name"].partition(".")[0]
        data = frame["data"]
        item = f"{kind}:{_key(kind, {**data, 'id': data.get(kind)})}"
        if frame["name"].endswith(".remove"):
            self.saved.pop(item, None)
            return
        before = self.saved.get(item, {})
        ratings = {**before.get("ratings", {}), **data.get("ratings", {})}
        self.saved[item] = {**before, **data, "ratings": ratings}


def _items(state: dict[str, list[dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    return {f"{word}:{_key(word, one)}": one for kind, word in KINDS.items() for one in state[kind]}


def _key(kind: str, one: dict[str, Any]) -> str:
    if kind in {"evidence", "reason"}:
        return str(one["id"])
    return str(one["tree"] if kind == "boundary" else one.get("asked"))


def said(saved: dict[str, dict[str, Any]], like: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """What is saved, in the fields that the page's own JSON has; what is empty or null is not said."""
    return {
        item: {name: value for name in like.get(item, one) if (value := _plain(one.get(name))) and name != "id"}
        for item, one in saved.items()
    }


def _plain(value: Any) -> Any:
    return {key: one for key, one in value.items() if one is not None} if isinstance(value, dict) else value


def browser(seat: Seat, language: str) -> Client:
    """A browser in which the seat's person is signed in, or which the candidate's link let in."""
    client = Client()
    if seat.person is not None:
        client.cookies[settings.SESSION_COOKIE_NAME] = session_of(seat.person)
    else:
        link = seat.links.get(revoked_at__isnull=True)
        client.cookies[settings.SESSION_COOKIE_NAME] = session_of_candidate(seat, link)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    return client


def open_pages(seats: Iterable[Seat], language: str) -> list[Page]:
    pages = []
    for seat in seats:
        code = seat.interview.code
        address = f"/interviews/{code}/room/" if seat.person else f"/c/room/{code}/"
        pages.append(Page(browser(seat, language), address, seat))
    return pages
