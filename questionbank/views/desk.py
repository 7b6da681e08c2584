"""What waits for this person in the bank, and the ways on from its first page."""

from __future__ import annotations

from typing import Any

from people.models import Person
from questionbank.rules import may_write
from questionbank.versions import awaiting


def desk(person: Person) -> dict[str, Any]:
    """Return the context of questionbank/desk.html. One query, for those who review."""
    writer = may_write(person.roles)
    return {"writer": writer, "administrator": person.is_administrator, "awaiting": awaiting(person) if writer else []}
