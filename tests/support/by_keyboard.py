"""A person at a page of the site who has no mouse."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import BrowserContext, Page

from people.models import Person
from tests.support.web import Web, session_of


def become(context: BrowserContext, web: Web, person: Person, language: str = "en") -> None:
    context.add_cookies(
        [
            {"name": "sessionid", "value": session_of(person), "url": web.url},
            {"name": "django_language", "value": language, "url": web.url},
        ]
    )


def press(page: Page, name: str, role: Any = "button") -> None:
    """Press what is called so as the keyboard does: focused, then Enter."""
    page.get_by_role(role, name=name, exact=True).first.press("Enter")
