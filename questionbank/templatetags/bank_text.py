"""Texts of the bank on a page: in the reader's language where there is one, always marked with their language."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from people.fields import words_in
from questionbank.exchange.outlines.trees import language_of
from questionbank.models import TreeVersion

register = template.Library()


@register.filter
def words(text: Mapping[str, str]) -> SafeString:
    """Draw a text as <span lang="...">...</span>. Without the mark, Han text on an English page gets a wrong face."""
    chosen, tag = words_in(dict(text))
    return format_html('<span lang="{}">{}</span>', tag, chosen)


@register.filter
def plain_words(text: Mapping[str, str]) -> str:
    """Return the words alone, for a title or an attribute."""
    return words_in(dict(text))[0]


@register.filter
def other_languages(text: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return (tag, words) of the languages that `words` doesn't show."""
    shown = words_in(dict(text))[1]
    return sorted((tag, said) for tag, said in text.items() if tag != shown)


@register.filter
def likely_language(text: str) -> str:
    """Return the tag for words of a file that doesn't say in which language it is written, as its import guesses it."""
    return language_of([text])


@register.simple_tag
def bank_url(version: TreeVersion, number: int | None, probe: str = "") -> str:
    """Return the address of a tree or of one of its probes; with a number, of exactly that version."""
    where: dict[str, str | int] = {"key": version.tree.key}
    if number is not None:
        where["number"] = number
    if probe:
        return reverse("questionbank:bank-probe", kwargs={**where, "probe": probe})
    return reverse("questionbank:bank-tree", kwargs=where)
