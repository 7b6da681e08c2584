"""{% key "A" %}: the letter that presses what A presses by default, as the reader chose it."""

from __future__ import annotations

from django import template

from people.keys import letter

register = template.Library()


@register.simple_tag(name="key")
def key_tag(key: str) -> str:
    return letter(key)


@register.filter(name="letter")
def letter_filter(key: str) -> str:
    """The same for a key that a template was given: {{ key|letter }}."""
    return letter(key)
