"""Reading texts that exist in several languages.

{{ probe.prompt|text }} is the text for the reader; {{ probe.prompt|text_lang }} the language it is in, for `lang`.
"""

from __future__ import annotations

from django import template

from people.fields import words_in

register = template.Library()


@register.filter
def text(texts: dict[str, str] | None) -> str:
    return words_in(texts)[0] if texts else ""


@register.filter
def text_lang(texts: dict[str, str] | None) -> str:
    return words_in(texts)[1] if texts else "en"
