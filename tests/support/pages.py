"""Fetching pages as somebody, and reading them as a person would."""

from __future__ import annotations

from typing import Any

from bs4 import BeautifulSoup
from django.test import Client

from people.models import Person


def as_(person: Person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def words(response: Any) -> str:
    return " ".join(BeautifulSoup(response.content, "html.parser").main.get_text(" ").split())  # type: ignore[union-attr]
