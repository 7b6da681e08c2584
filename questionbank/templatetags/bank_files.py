"""The ways in and out of the bank, for whoever may go them."""

from __future__ import annotations

from typing import Any

from django import template

from people.models import Person
from questionbank.rules import may_write

register = template.Library()


@register.inclusion_tag("questionbank/bank_files.html", takes_context=True)
def bank_files(context: dict[str, Any]) -> dict[str, bool]:
    """Draw the links to bring files in and to take the bank along."""
    user = context.get("user")
    return {"writes": isinstance(user, Person) and may_write(user.roles)}
