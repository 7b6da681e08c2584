"""Model fields that several apps share."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

LANGUAGE_TAG = re.compile(r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")


def enum_field(enum: type[StrEnum], **options: Any) -> models.CharField[Any, Any]:
    """A text column that holds one of an enum's values. The check constraint is `one_of` in the model's Meta."""
    return models.CharField(max_length=24, choices=[(item.value, item.name) for item in enum], **options)


def enum_array(enum: type[StrEnum], **options: Any) -> ArrayField[Any, Any]:
    """A PostgreSQL array of an enum's values."""
    base: models.CharField[Any, Any] = models.CharField(
        max_length=24, choices=[(item.value, item.name) for item in enum]
    )
    return ArrayField(base, **options)


def one_of(column: str, enum: type[StrEnum], *, table: str, null: bool = False) -> models.CheckConstraint:
    """Hold a column to an enum's values in the database, not only in forms."""
    condition = models.Q(**{f"{column}__in": [item.value for item in enum]})
    if null:
        condition |= models.Q(**{f"{column}__isnull": True})
    return models.CheckConstraint(condition=condition, name=f"{table}_{column}_known")


def validate_language_map(value: object) -> None:
    """Accept {"en": "text", "zh-Hans": "text"}: language tags to words, at least one."""
    if not isinstance(value, dict) or not value:
        raise ValidationError(_("Give the text in at least one language."))
    for tag, words in value.items():
        if not isinstance(tag, str) or not LANGUAGE_TAG.match(tag) or not isinstance(words, str):
            raise ValidationError(_("Each text needs a language tag such as en or zh-Hans."))


def words_in(texts: dict[str, str], language: str | None = None) -> tuple[str, str]:
    """Pick (text, language tag) for a reader: their language, else its base, else English, else the first there is."""
    wanted = (language or get_language() or "en").lower()
    by_tag = {tag.lower(): (words, tag) for tag, words in texts.items()}
    base = wanted.split("-")[0]
    for candidate in (wanted, base, *(tag for tag in by_tag if tag.split("-")[0] == base), "en"):
        if candidate in by_tag:
            return by_tag[candidate]
    return next(iter(by_tag.values()), ("", "en"))


class LanguageMap(models.JSONField):
    """Words by language tag: {"en": "...", "zh-Hans": "..."}."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("validators", [validate_language_map])
        super().__init__(*args, **options)
