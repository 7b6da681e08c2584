"""Who may open a room's socket: the checks before the first frame.

A wrong or missing Origin is answered with HTTP 403. Every other refusal accepts first and closes with its code, because
a close before the accept reaches a page as a plain 403 that tells it nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils import translation

from interviews.live.kinds import RoomKind
from interviews.queries.links import SESSION_KEY
from interviews.queries.standing import Guest, Standing
from interviews.rules.browsers import browser_name
from people.models import Person

PROTOCOL = 1

SPOKEN_NOT = 4400
SIGN_IN = 4401
NO_SEAT = 4403
NO_ROOM = 4404
SILENCE = 4408
TOO_FAST = 4429
TRY_AGAIN = 1011


class WrongOrigin(Exception):
    """The page that opens the socket is not one of ours."""


class Closed(Exception):
    """The socket is accepted and closed at once with `code`."""

    def __init__(self, code: int) -> None:
        super().__init__(str(code))
        self.code = code


@dataclass(frozen=True, slots=True)
class Welcome:
    """What a socket that may stay starts from."""

    code: UUID  # the room's, as in its address
    standing: Standing
    language: str
    browser: str | None
    session_key: str | None
    epoch: int | None
    cursors: dict[str, int]
    name: str = ""  # of the browser, for its owner


def check_origin(scope: dict[str, Any]) -> None:
    """Compare scheme, host and port of the Origin with the address the socket came to. Raises WrongOrigin."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    host = headers.get(b"host", "")
    scheme = "https" if scope.get("scheme") == "wss" or settings.HTTPS else "http"
    known = validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS)
    if not known or headers.get(b"origin") != f"{scheme}://{host}":
        raise WrongOrigin


def cursors_in(query: str) -> tuple[dict[str, list[str]], dict[str, int], int | None]:
    """Read the address: (all parameters, cursors by stream, epoch). Raises Closed 4400 on anything unreadable."""
    given = parse_qs(query, keep_blank_values=True)
    if given.get("v") != [str(PROTOCOL)]:
        raise Closed(SPOKEN_NOT)
    cursors: dict[str, int] = {}
    for name in ("epoch", "all", "panel", "mine"):
        text = given.get(name, ["0"])[0] or "0"
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            raise Closed(SPOKEN_NOT)
        cursors[name] = int(text)
    epoch = cursors.pop("epoch") or None
    return given, cursors, epoch


def knock(scope: dict[str, Any], kind: RoomKind, code: UUID) -> Welcome:
    """Find the guest's seat in the room. Raises Closed with 4400, 4401, 4403 or 4404. Runs on a database thread."""
    given, cursors, epoch = cursors_in(scope["query_string"].decode("latin-1"))
    session = scope["session"]
    user = scope["user"]
    guest = Guest(
        person=user if isinstance(user, Person) and user.is_active else None,
        session_key=session.session_key,
        candidate=session.get(SESSION_KEY) or {},
    )
    if guest.person is None and not guest.candidate:
        raise Closed(SIGN_IN)
    if not kind.exists(code):
        raise Closed(NO_ROOM)
    standing = kind.seated(guest, code, given.get("as") == ["candidate"])
    # A page names the seat it was drawn for: under another person's session it would speak as them.
    if standing is None or given.get("seat", [standing.code]) != [standing.code]:
        raise Closed(NO_SEAT)
    by_link = standing.browser is not None
    return Welcome(
        code=code,
        standing=standing,
        language=_language(scope, None if by_link else guest.person),
        browser=guest.candidate.get(str(code), {}).get("browser") if by_link else None,
        session_key=guest.session_key,
        epoch=epoch,
        cursors=cursors,
        name=browser_name(dict(scope["headers"]).get(b"user-agent", b"").decode("latin-1")),
    )


def _language(scope: dict[str, Any], person: Person | None) -> str:
    chosen = scope["cookies"].get(settings.LANGUAGE_COOKIE_NAME)  # as Channels read them, which takes any header
    wanted = chosen or (person.language if person else "")
    try:
        return translation.get_supported_language_variant(wanted or settings.LANGUAGE_CODE)
    except LookupError:
        return settings.LANGUAGE_CODE
