"""Free text about a candidate, in one table, so that erasing an application's words is one statement."""

from __future__ import annotations

import hashlib
import secrets

from django.db import models
from django.utils import timezone

from interviews.enums import TextKind
from people.fields import enum_field, one_of


def new_salt() -> str:
    return secrets.token_hex(16)


def text_digest(salt: str, body: str) -> str:
    """Return the salted SHA-256 by which digests of inputs know a text without containing it."""
    return hashlib.sha256(f"{salt}\n{body}".encode()).hexdigest()


class Text(models.Model):
    """One piece of free text. `body` NULL = erased; the salted digest stays, so that rebuilds still verify.

    Texts of a submitted revision are `frozen`: the one change a trigger lets through is body to NULL with erased_at.
    """

    # No way back from an application or a seat: its words would be read past the seal.
    application = models.ForeignKey("interviews.Application", on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey("interviews.Seat", on_delete=models.PROTECT, null=True, related_name="+")
    kind = enum_field(TextKind)
    body = models.TextField(null=True, max_length=20_000)  # noqa: DJ001 - NULL is "erased", "" is "nothing written"
    salt = models.CharField(max_length=32, default=new_salt)
    digest = models.CharField(max_length=64)
    frozen = models.BooleanField(default=False)
    written_at = models.DateTimeField(default=timezone.now)
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            one_of("kind", TextKind, table="text"),
            models.CheckConstraint(
                condition=models.Q(body__isnull=False, erased_at__isnull=True)
                | models.Q(body__isnull=True, erased_at__isnull=False),
                name="text_body_or_erased",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    def write(self, body: str) -> None:
        """Replace the words (the caller saves)."""
        self.body = body
        self.digest = text_digest(self.salt, body)
        self.written_at = timezone.now()
