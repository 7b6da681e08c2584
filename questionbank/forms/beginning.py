"""The form of a new tree."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from people.fields import words_in
from questionbank.forms.words import ReadableField
from questionbank.limits import TITLE
from questionbank.models import Topic
from questionbank.wording import language_name

TAGS = {"zh-hans": "zh-Hans"}
"""The bank writes language tags as BCP 47 does, the pages as Django does."""


class NewTreeForm(forms.Form):
    """A title in the languages of the pages, one of them at least, and a topic that is there or is made with it."""

    topic = forms.ModelChoiceField(
        Topic.objects.all(), label=_("Topic"), required=False, to_field_name="key", empty_label=_("a new one:")
    )
    new_topic = ReadableField(label=_("Title of the new topic"), required=False, max_length=TITLE)

    def __init__(self, *args: Any, language: str, **options: Any) -> None:
        """`language`: the reader's, in which the title of a new topic is."""
        super().__init__(*args, **options)
        self.language = TAGS.get(language, language)
        self.fields["topic"].label_from_instance = lambda topic: words_in(topic.title)[0]  # type: ignore[attr-defined]
        self.tags = [TAGS.get(code, code) for code, _name in settings.LANGUAGES]
        for tag in self.tags:
            label = _("Title, %(language)s") % {"language": language_name(tag)}
            self.fields[f"title-{tag}"] = ReadableField(label=label, required=False, max_length=TITLE)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not any(cleaned.get(f"title-{tag}") for tag in self.tags) and not self.errors:
            self.add_error(f"title-{self.tags[0]}", _("Give the title in at least one language."))
        if not cleaned.get("topic") and not cleaned.get("new_topic") and "topic" not in self.errors:
            self.add_error("topic", _("Choose a topic, or write the title of a new one."))
        return cleaned

    @property
    def title(self) -> dict[str, str]:
        return {tag: words for tag in self.tags if (words := self.cleaned_data[f"title-{tag}"])}

    @property
    def topic_title(self) -> dict[str, str]:
        return {self.language: self.cleaned_data["new_topic"]}
