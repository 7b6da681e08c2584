"""Writing down who did what. Ids, enumerations and numbers only: words about a person are never copied here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from django.db.models import Model

from people.models import AuditEntry, Person

Data: TypeAlias = Mapping[str, int | str | bool | None]


def record(actor: Person | None, action: str, on: Model, **data: int | str | bool | None) -> AuditEntry:
    """Add an entry such as record(manager, "seat.excused", seat, interview=7)."""
    return AuditEntry.objects.create(
        actor=actor, action=action, object_kind=on._meta.label_lower, object_id=str(on.pk), data=data
    )


def record_all(actor: Person | None, action: str, on: Iterable[tuple[Model, Data]]) -> None:
    """Add an entry for each of many things that were done at once, with what is said of it."""
    AuditEntry.objects.bulk_create(
        AuditEntry(
            actor=actor, action=action, object_kind=one._meta.label_lower, object_id=str(one.pk), data=dict(data)
        )
        for one, data in on
    )


def did(actor: Person, action: str, on: Model) -> bool:
    """Whether it was this person who did this to it."""
    return AuditEntry.objects.filter(
        actor=actor, action=action, object_kind=on._meta.label_lower, object_id=str(on.pk)
    ).exists()
