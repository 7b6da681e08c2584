"""As much of a browser as a script needs: cookies, redirects, forms filled in and sent. Standard library only."""

from __future__ import annotations

import http.client
import ipaddress
import json
import time
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, OpenerDirector, ProxyHandler, Request, build_opener

TIMEOUT: Final = 20.0
AWAY: Final = frozenset({429, 502, 503, 504})
"""Answers after which a browser's user tries again in a moment."""
JSON: Final = "application/json"

FIRST_PATIENCE = 3.0  # seconds that a server which never answered is waited for


class Unreachable(Exception):
    """Nothing answers there, for as long as we were patient."""


class Unsure(Exception):
    """The line broke while a form was on its way: it may or may not have arrived."""


class NoSuchForm(Exception):
    """The page is not the one that was expected."""


@dataclass(slots=True)
class Field:
    name: str
    kind: str
    value: str
    chosen: bool = True
    options: list[tuple[str, str]] = field(default_factory=list)  # (value, words): a select's, or one's own label


@dataclass(slots=True)
class Form:
    """A form as drawn. `filled` gives what a browser would send after somebody filled it in."""

    id: str
    action: str
    method: str
    multipart: bool
    fields: list[Field] = field(default_factory=list)

    def names(self) -> set[str]:
        return {one.name for one in self.fields}

    def filled(self, values: dict[str, str | Sequence[str]]) -> list[tuple[str, str]]:
        """Return (name, value) pairs: what stands in the form, and `values` in its place where they name a field."""
        sent: list[tuple[str, str]] = []
        left = (one for one in self.fields if one.name not in values and one.kind not in {"submit", "file"})
        sent += [(one.name, one.value) for one in left if one.chosen]
        for name, value in values.items():
            sent += [(name, value)] if isinstance(value, str) else [(name, each) for each in value]
        return sent

    def option(self, name: str, wanted: str) -> str | None:
        """Return the value of the one choice of `name` that is called `wanted`; None if there is none, or several."""
        choices = {choice for one in self.fields if one.name == name for choice in one.options}
        found = {value for value, words in choices if value and wanted in {value, words}}
        return found.pop() if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class Page:
    """An answer. `url` is the one that answered, after redirects."""

    status: int
    url: str
    kind: str
    text: str

    @property
    def path(self) -> str:
        return urlsplit(self.url).path

    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def parsed(self) -> _Reader:
        reader = _Reader()
        reader.feed(self.text)
        reader.close()
        return reader

    def form(self, *names: str) -> Form:
        """Return the first form that has all these fields. Raises NoSuchForm."""
        for form in self.parsed.forms:
            if form.names() >= set(names):
                return form
        raise NoSuchForm(f"{self.path} (HTTP {self.status}) shows no form with {', '.join(names)}")

    def form_to(self, ending: str) -> Form:
        """Return the form whose action ends like that. Raises NoSuchForm."""
        for form in self.parsed.forms:
            if form.action.endswith(ending):
                return form
        raise NoSuchForm(f"{self.path} (HTTP {self.status}) shows no form to ...{ending}")

    def complaints(self) -> str:
        """What a form said was wrong, in one line."""
        said = [words for words in self.parsed.complaints if words]
        return "; ".join(said) or f"HTTP {self.status} from {self.path}"

    def value_of(self, id: str) -> str | None:
        """The value of an input, by its id."""
        return self.parsed.values.get(id)


class Browser:
    """One person's browser at one site. Blocking: call it from a thread of its own."""

    def __init__(self, site: str, *, patience: float = 60.0) -> None:
        self.site = site.rstrip("/")
        self.patience = patience
        self.met = False
        self.cookies = CookieJar()
        # A server on this machine is never behind a proxy, whatever the environment says.
        direct = [ProxyHandler({})] if is_loopback(self.site) else []
        self._opener: OpenerDirector = build_opener(HTTPCookieProcessor(self.cookies), *direct)

    def cookie_header(self) -> str:
        """The Cookie header for the site's sockets."""
        request = Request(f"{self.site}/")  # noqa: S310 - an address that the user gave
        self.cookies.add_cookie_header(request)
        return request.get_header("Cookie") or ""

    def open(self, path: str, *, accept: str = "text/html") -> Page:
        """Fetch a page, again and again while nothing answers. Raises Unreachable."""
        request = self._request(path, accept=accept)
        return self._patiently(lambda: self._ask(request, lost=URLError), path)

    def send(self, page: Page, form: Form, values: dict[str, str | Sequence[str]]) -> Page:
        """Fill in a page's form and send it. Raises Unreachable, and Unsure if it may have arrived."""
        pairs = form.filled(values)
        body, kind = _multipart(pairs) if form.multipart else (urlencode(pairs).encode(), _URLENCODED)
        request = self._request(urljoin(page.url, form.action), accept="text/html", body=body, referer=page.url)
        request.add_header("Content-Type", kind)
        return self._patiently(lambda: self._ask(request, lost=Unsure), request.full_url)

    def _request(self, path: str, *, accept: str, body: bytes | None = None, referer: str = "") -> Request:
        headers = {"Accept": accept, "Accept-Language": "en", "User-Agent": "sounding-simulate"}
        if body is not None:
            headers |= {"Origin": self.site, "Referer": referer}
        return Request(urljoin(f"{self.site}/", path), data=body, headers=headers)  # noqa: S310 - the user's address

    def _ask(self, request: Request, *, lost: type[Exception]) -> Page:
        try:
            with self._opener.open(request, timeout=TIMEOUT) as answer:
                return _page(answer)
        except HTTPError as error:
            with error:
                return _page(error)
        except (ConnectionResetError, BrokenPipeError, TimeoutError, http.client.HTTPException) as error:
            raise lost(str(error)) from error
        except URLError as error:
            if isinstance(error.reason, ConnectionRefusedError) or lost is URLError:
                raise
            raise lost(str(error.reason)) from error

    def _patiently(self, ask: Any, where: str) -> Page:
        # A server that answered once may be away for a while; one that never did is probably not there.
        until = time.monotonic() + (self.patience if self.met else min(self.patience, FIRST_PATIENCE))
        pause = 0.2
        while True:
            try:
                page: Page = ask()
                self.met = True
                if page.status not in AWAY or time.monotonic() > until:
                    return page
            except URLError as error:
                if time.monotonic() > until:
                    page_asked = urljoin(f"{self.site}/", where)
                    raise Unreachable(
                        f"{page_asked} does not answer: {error.reason}. Name another server with --url."
                    ) from None
            time.sleep(pause)  # between tries at a server that is away
            pause = min(pause * 1.5, 3.0)


def is_loopback(site: str) -> bool:
    host = urlsplit(site).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


_URLENCODED: Final = "application/x-www-form-urlencoded"


def _page(answer: Any) -> Page:
    charset = answer.headers.get_content_charset() or "utf-8"
    return Page(answer.status, answer.url, answer.headers.get_content_type(), answer.read().decode(charset, "replace"))


def _multipart(pairs: Iterable[tuple[str, str]]) -> tuple[bytes, str]:
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in pairs
    ]
    return ("".join(parts) + f"--{boundary}--\r\n").encode(), f"multipart/form-data; boundary={boundary}"


class _Reader(HTMLParser):
    """Collects forms, values and complaints from a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        self.values: dict[str, str] = {}
        self.complaints: list[str] = []
        self._form: Form | None = None
        self._select: Field | None = None
        self._multiple = False
        self._words: list[str] | None = None
        self._area: Field | None = None
        self._option: str | None = None
        self._labelled: list[Field] | None = None
        self._complaining = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if self._complaining:
            self._complaining += tag not in _VOID
        elif _COMPLAINT & set(said.get("class", "").split()):
            self._complaining, self._words = 1, []
        if tag == "input" and "id" in said:
            self.values[said["id"]] = said.get("value", "")
        if tag == "form":
            multipart = said.get("enctype") == "multipart/form-data"
            self._form = Form(said.get("id", ""), said.get("action", ""), said.get("method", "get"), multipart)
            self.forms.append(self._form)
        elif self._form is not None:
            self._in_form(self._form, tag, said)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def _in_form(self, form: Form, tag: str, said: dict[str, str]) -> None:
        name = said.get("name", "")
        if tag in {"input", "button"} and name:
            kind = said.get("type", "text" if tag == "input" else "submit")
            value = said.get("value", "on" if kind in {"checkbox", "radio"} else "")
            form.fields.append(Field(name, kind, value, chosen=kind not in _TICKED or "checked" in said))
            if self._labelled is not None:
                self._labelled.append(form.fields[-1])
        elif tag == "label":
            self._labelled, self._words = [], []
        elif tag == "select" and name:
            self._select = Field(name, tag, "", chosen="multiple" not in said)
            form.fields.append(self._select)
        elif tag == "textarea" and name:
            self._area, self._words = Field(name, tag, ""), []
            form.fields.append(self._area)
        elif tag == "option" and self._select is not None:
            self._option, self._words = said.get("value", ""), []
            if "selected" in said or (not self._select.options and self._select.chosen):
                self._select.value, self._select.chosen = self._option, True

    def handle_endtag(self, tag: str) -> None:
        words = "".join(self._words or [])
        if self._complaining:
            self._complaining -= 1
            if not self._complaining:
                self.complaints.append(" ".join(words.split()))
        elif tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None
        elif tag == "label" and self._labelled is not None:
            for one in self._labelled:
                one.options.append((one.value, " ".join(words.split())))
            self._labelled = self._words = None
        elif tag == "textarea" and self._area is not None:
            self._area.value = words.removeprefix("\n")
            self._area = self._words = None
        elif tag == "option" and self._select is not None and self._option is not None:
            self._select.options.append((self._option, " ".join(words.split())))
            self._option = self._words = None

    def handle_data(self, data: str) -> None:
        if self._words is not None:
            self._words.append(data)


_TICKED: Final = frozenset({"checkbox", "radio"})
_VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr"})
_COMPLAINT: Final = frozenset({"form__errors", "field__errors", "notice--bad"})
