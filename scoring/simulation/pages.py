"""The pages that a simulation goes through: signing in, making an interview, joining, cards, the panel card."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from scoring.simulation.browser import JSON, Browser, Form, NoSuchForm, Page, Unsure
from scoring.simulation.script import Card, Making

CODE: Final = "00000000-0000-0000-0000-000000000000"
NO_SUMMARY = "The script gives no summary."
"""A card needs one; a script may have nothing to say of it."""
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class CannotPlay(Exception):
    """The simulation can't go on; the text says where and why."""


@dataclass(frozen=True, slots=True)
class Places:
    """Paths of the site; CODE stands where an interview's, a position's or an application's code belongs."""

    sign_in: str
    preferences: str
    position_create: str
    application_create: str
    interview_create: str
    interview: str
    link_reissue: str
    my_card: str
    panel: str
    socket: str


def at(path: str, code: str) -> str:
    return path.replace(CODE, code)


def sign_in(browser: Browser, places: Places, *, email: str, password: str) -> str:
    """Sign in through the form; return the person's name. Raises CannotPlay."""
    page = browser.open(places.sign_in)
    answer = _send(browser, page, page.form("login", "password"), {"login": email, "password": password})
    if urlsplit(answer.url).path == places.sign_in:
        raise CannotPlay(f"{email} could not sign in: {answer.complaints()}")
    own = browser.open(places.preferences)
    found = re.search(rf"<p>([^<]*), {re.escape(email)}</p>", unescape(own.text), re.IGNORECASE)
    if found is None:
        raise CannotPlay(f"{email} is signed in, but {places.preferences} does not say who that is")
    return found[1]


def _send(browser: Browser, page: Page, form: Form, values: dict[str, str | Sequence[str]]) -> Page:
    """Send a form that does the same when it is sent twice; so a broken line is no reason to give up."""
    until = time.monotonic() + browser.patience
    while True:
        try:
            return browser.send(page, form, values)
        except Unsure as error:
            if time.monotonic() > until:
                raise CannotPlay(f"{form.action or page.path}: {error}") from None
            browser.open(page.url)  # waits until somebody answers again


# --- making the interview


@dataclass(frozen=True, slots=True)
class Made:
    """An interview to play. `link` is the candidate's, "" where it is not known."""

    code: str
    application: str
    link: str


def make_interview(browser: Browser, places: Places, making: Making, *, names: Mapping[str, str], file: str) -> Made:
    """Make position, candidate, application and interview as a manager does. `names`: person of the script -> name."""
    where = f"{file}:{making.line}: interview"
    page = browser.open(places.position_create)
    form = _form(page, "title", "sealing")
    values: dict[str, str | Sequence[str]] = {"title": making.position, "sealing": making.sealing}
    if making.plan:
        values["plan"] = _choice(form, "plan", making.plan, where, "plan")
    position = _made(_send(browser, page, form, values), where)

    page = browser.open(at(places.application_create, position))
    form = _form(page, "name", "claims")
    values = {"name": making.candidate, "language": making.language, "claims": "\n".join(making.claims)}
    application = _made(_send(browser, page, form, values), where)

    page = browser.open(at(places.interview_create, application))
    form = _form(page, "lead", "day")
    answer = _send(browser, page, form, _interview_values(form, making, names, where))
    if answer.status != 200:
        raise CannotPlay(f"{where}: {answer.complaints()}")
    code = next(field.value for field in form.fields if field.name == "code")
    return Made(code, application, answer.value_of("candidate-link") or "")


def _form(page: Page, *names: str) -> Form:
    try:
        return page.form(*names)
    except NoSuchForm as error:
        raise CannotPlay(f"{error}: {page.complaints()}") from None


def _made(answer: Page, where: str) -> str:
    """The code of what was made: a page that made something answers with that thing's page."""
    codes = _UUID.findall(answer.path)
    if answer.status != 200 or not codes or answer.path.endswith("/new/"):
        raise CannotPlay(f"{where}: {answer.complaints()}")
    return str(UUID(codes[-1]))


def _interview_values(
    form: Form, making: Making, names: Mapping[str, str], where: str
) -> dict[str, str | Sequence[str]]:
    try:
        now = datetime.now(ZoneInfo(making.zone))
    except (ZoneInfoNotFoundError, ValueError):
        raise CannotPlay(f"{where}.zone: {making.zone} is no time zone we know; write it like Europe/Berlin") from None
    values: dict[str, str | Sequence[str]] = {
        "day": f"{now:%Y-%m-%d}",
        "at": f"{now:%H:%M}",
        "time_zone": making.zone,
        "minutes": str(making.minutes),
        "lead": _choice(form, "lead", names[making.lead], where, "lead"),
    }
    for field, people in (
        ("interviewers", making.interviewers), ("shadows", making.shadows), ("observers", making.observers),
    ):  # fmt: skip
        values[field] = [_choice(form, field, names[name], where, field) for name in people]
    offered = {one.name.removesuffix("-use") for one in form.fields if one.name.endswith("-use")}
    for tree in making.trees:
        if f"tree-{tree}" not in offered:
            known = ", ".join(sorted(name.removeprefix("tree-") for name in offered))
            raise CannotPlay(f"{where}.trees: the bank offers no tree {tree}; it offers {known or 'none'}")
    for name in offered:
        values[f"{name}-use"] = ["on"] if name.removeprefix("tree-") in making.trees else []
    return values


def _choice(form: Form, field: str, wanted: str, where: str, key: str) -> str:
    value = form.option(field, wanted)
    if value is None:
        offered = sorted({words for one in form.fields if one.name == field for _value, words in one.options if words})
        raise CannotPlay(
            f"{where}.{key}: there is not exactly one “{wanted}” to choose; offered are {', '.join(offered)}"
        )
    return value


def find_interview(browser: Browser, places: Places, code: str) -> Made:
    """Find an interview that is there already, by somebody who may see its page. Raises CannotPlay."""
    page = browser.open(f"{at(places.interview, code)}?format=json", accept=JSON)
    if page.status != 200 or page.kind != JSON:
        raise CannotPlay(f"interview {code}: HTTP {page.status}; it does not exist, or this person may not see it")
    return Made(code, page.json()["application"], "")


def new_link(browser: Browser, places: Places, code: str) -> str:
    """Let a manager make a new link for the candidate; the one before is withdrawn."""
    page = browser.open(at(places.interview, code))
    try:
        form = page.form_to(at(places.link_reissue, code))
    except NoSuchForm as error:
        raise CannotPlay(f"no link for the candidate: {error}") from None
    answer = _send(browser, page, form, {})
    link = answer.value_of("candidate-link")
    if not link:
        raise CannotPlay(f"no link for the candidate: {answer.complaints()}")
    return link


def join(browser: Browser, link: str) -> None:
    """Open the candidate's link, accept the notice and join. Raises CannotPlay."""
    page = browser.open(link)
    if page.status != 200:
        raise CannotPlay(f"the candidate's link does not open: {page.complaints()}")
    form = _form(page, "accept")
    notice = next(field.value for field in form.fields if field.name == "accept")
    answer = _send(browser, page, form, {"accept": notice})
    if answer.url == page.url and answer.status != 200:
        raise CannotPlay(f"the candidate could not join: {answer.complaints()}")


# --- afterwards


def hand_in(browser: Browser, places: Places, code: str, card: Card) -> dict[str, Any]:
    """Submit one's card, and return it as JSON. What broke on the way is looked up, not sent blindly again."""
    until = time.monotonic() + browser.patience
    complaint = ""
    while True:
        page = browser.open(at(places.my_card, code))
        if page.status != 200:
            raise CannotPlay(f"there is no card to hand in: HTTP {page.status} from {page.path}")
        read = browser.open(f"{page.path}?format=json", accept=JSON)
        found: dict[str, Any] = read.json()
        if found["state"] == "submitted":
            return found
        if complaint or time.monotonic() > until:
            raise CannotPlay(f"the card was not taken: {complaint}")
        said = {
            "recommendation": card.recommendation.value,
            "summary": card.summary or NO_SUMMARY,
            "reason": card.reason,
        }
        try:
            answer = browser.send(page, _form(page, "recommendation", "version"), dict(said))
        except Unsure:
            continue
        complaint = answer.complaints() if answer.status != 200 else ""


def panel_card(browser: Browser, places: Places, application: str) -> tuple[int, dict[str, Any]]:
    """The panel card as it stands, with the HTTP status; {} where the page is not for this person."""
    page = browser.open(f"{at(places.panel, application)}?format=json", accept=JSON)
    return page.status, page.json() if page.kind == JSON else {}
