"""What can be wrong with a file or a tree, in words: one place for the message and the remedy of every code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from questionbank.enums import Aim, SignalKind
from questionbank.lint import Finding, Severity
from questionbank.wording import AIMS, SIGNALS

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to say: where it stands, what is wrong, what helps. `line` counts from 1; 0 is a whole file.

    What a reader says stops an import. What the linter says names its tree and probe, too, and may only ask for a look.
    """

    file: str
    line: int
    place: str
    code: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    severity: Severity = Severity.STOPS
    tree: str = ""
    probe: str = ""

    @classmethod
    def of(cls, finding: Finding) -> Problem:
        """Make a finding one that can be said; `at` gives it a place in a file."""
        place = ".".join(filter(None, [finding.probe, finding.place]))
        return cls("", 0, place, finding.code, finding.values, finding.severity, finding.tree, finding.probe)

    def at(self, file: str, line: int) -> Problem:
        return replace(self, file=file, line=line)

    @property
    def message(self) -> str:
        return self._said(WORDS[self.code][0])

    @property
    def remedy(self) -> str:
        return self._said(WORDS[self.code][1])

    def _said(self, words: _StrPromise) -> str:
        return str(words) % {**self.values, **_names(self.values)}

    def __str__(self) -> str:
        where = self.file or self.tree
        where = f"{where}:{self.line}:" if self.line else where and f"{where}:"
        return " ".join(filter(None, [where, self.place and f"{self.place}:", self.message, self.remedy]))

    def as_json(self) -> dict[str, str | int]:
        return {
            "file": self.file,
            "line": self.line,
            "tree": self.tree,
            "probe": self.probe,
            "key": self.place,
            "code": self.code,
            "severity": self.severity.value,
            "message": self.message,
            "remedy": self.remedy,
        }


MOST_PROBLEMS: Final = 100
"""Told of one file. A file with more is another kind of file, or has one slip over and over."""


def capped(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems of one file in order of lines, those past the limit as a number."""
    ordered = sorted(problems, key=lambda problem: problem.line)
    told, rest = ordered[:MOST_PROBLEMS], ordered[MOST_PROBLEMS:]
    if rest:
        told.append(Problem(rest[0].file, rest[0].line, "", "more_problems", {"count": len(rest)}))
    return tuple(told)


def _names(values: Mapping[str, str | int]) -> dict[str, str]:
    """Return what people call an aim and signals, beside the words that a file has for them."""
    names: dict[str, str] = {}
    if "aim" in values:
        names["aim_name"] = str(AIMS[Aim(str(values["aim"]))])
    if "kinds" in values:
        kinds = (SignalKind(kind) for kind in str(values["kinds"]).split(", "))
        names["kind_names"] = gettext(", ").join(str(SIGNALS[kind]) for kind in kinds)
    return names


WORDS: Final[dict[str, tuple[_StrPromise, _StrPromise]]] = {
    # the file itself
    "unreadable": (_("The file can't be read: %(reason)s."), _("Check the path and its rights.")),
    "no_files": (_("No file ending with %(endings)s is here."), _("Name a file, or a folder that holds some.")),
    "unknown_ending": (_("Files like `%(ending)s` are not read."), _("Known endings are: %(known)s.")),
    "too_large": (
        _("The file has %(size)d bytes; %(limit)d are allowed."),
        _("Split it; a tree has a file of its own."),
    ),
    "not_utf8": (
        _("The file is not UTF-8: byte %(offset)d can't be read."),
        _("Save it with the encoding UTF-8."),
    ),
    "control_character": (
        _("The character U+%(point)s can't stand in a text."),
        _("Remove it; it is invisible in most editors."),
    ),
    "syntax": (_("This is no YAML: %(reason)s."), _("Check quotes, colons and indentation around this line.")),
    "too_deep": (
        _("More than %(limit)d levels of nesting."),
        _("List probes one after another and link with `after`."),
    ),
    "anchor": (_("YAML anchors, aliases and tags are not read."), _("Write the value out.")),
    "second_document": (_("A second document begins here."), _("Keep one tree in a file and remove the line `---`.")),
    "empty_file": (_("The file is empty."), _("See docs/tree-format.md for an example.")),
    "unknown_file": (
        _("This is neither a tree nor a plan."),
        _("Begin with `tree:` or `plan:` and its key; see docs/tree-format.md."),
    ),
    "more_problems": (
        _("And %(count)d more problems in this file."),
        _("Mend those above first."),
    ),
    # shapes
    "not_mapping": (_("Names with values are expected here."), _("Write `name: value` lines, indented.")),
    "not_list": (_("A list is expected here."), _("Begin each entry with `- `.")),
    "not_text": (_("A text is expected here."), _("Write one text, in quotes if it holds a colon.")),
    "name_not_text": (_("A name must be a plain word."), _("Write `name: value`.")),
    "unknown_key": (_("`%(key)s` is unknown here."), _("Known are: %(known)s.")),
    "unknown_key_close": (_("`%(key)s` is unknown here."), _("Did you mean `%(close)s`?")),
    "more_unknown": (_("And %(count)d more names that are unknown here."), _("Known are: %(known)s.")),
    "key_repeated": (
        _("`%(key)s` stands here twice, first in line %(first)d."),
        _("Keep one of the two."),
    ),
    "missing": (_("`%(key)s` is missing."), _("Add it; see docs/tree-format.md.")),
    "empty": (_("There is nothing here."), _("Write a value or remove the name.")),
    "no_letter": (_("Nobody can read this: there is no letter or digit in it."), _("Write it in words.")),
    "too_many": (_("%(count)d entries; at most %(limit)d are allowed."), _("Split or shorten the list.")),
    "too_long": (_("%(count)d characters; at most %(limit)d are allowed."), _("Shorten the text.")),
    # values
    "unknown_format": (_("Format `%(value)s` is not known."), _("Write `format: 1`.")),
    "not_integer": (
        _("`%(value)s` is no whole number from %(low)d to %(high)d."),
        _("Write the digits without quotes."),
    ),
    "not_boolean": (_("`%(value)s` is neither true nor false."), _("Write `true` or `false`, without quotes.")),
    "not_choice": (_("`%(value)s` is not one of the values allowed."), _("Allowed are: %(known)s.")),
    "value_repeated": (_("`%(value)s` stands in the list twice."), _("Keep one of the two.")),
    "bad_key": (
        _("`%(value)s` can't be a key."),
        _("Use small letters, digits and single hyphens, at most %(limit)d characters, a letter first."),
    ),
    "key_reserved": (
        _("`%(value)s` can't be the key of a plan: the address of another page has it."),
        _("Choose another key, such as `%(value)s-plan`."),
    ),
    "bad_language": (_("`%(value)s` is no language tag."), _("Write a tag such as en, zh-Hans or pt-BR.")),
    "language_missing": (
        _("The text is missing in %(language)s."),
        _("Add it, or take the language out of `languages`."),
    ),
    # the tree
    "bad_level": (
        _("Level %(stated)d is stated; by its place the probe has level %(level)d."),
        _("Correct `level`, `after`, `kind` or `same_level`; leaving `level` out is allowed."),
    ),
    "no_root": (_("No probe is the root."), _("Exactly one probe must have no `after`.")),
    "second_root": (_("The tree has a root already: `%(root)s`."), _("Add `after:` with the key of a parent.")),
    "key_twice": (_("The key `%(key)s` belongs to another probe."), _("Give each probe a key of its own.")),
    "unknown_parent": (
        _("No probe of this file has the key `%(parent)s`."),
        _("Name the probe that this one follows."),
    ),
    "circle": (_("These probes follow each other in a circle: %(ring)s."), _("Let one of them follow another probe.")),
    "too_far_down": (
        _("More than %(limit)d probes stand one below the other."),
        _("Let this one follow a probe nearer to the root, or make a tree of its own."),
    ),
    "root_rescue": (_("The root can't be a rescue."), _("Make it a check.")),
    "same_level_of_what": (
        _("Only a check that follows another probe can keep its level."),
        _("Remove `same_level`, or make the probe a check."),
    ),
    "anchors_without_aim": (
        _("There are anchors for `%(aim)s`, which is not among the aims."),
        _("Add the aim or remove its anchors."),
    ),
    "branch_without_parent": (
        _("`%(key)s` says when a follow-up is asked; this probe follows none."),
        _("Add `after`, or remove it."),
    ),
    # what publishing needs
    "no_words": (_("There are no words yet."), _("Write it; a tree without can't be published.")),
    "no_signals": (
        _("Signals are missing: %(kind_names)s."),
        _("Say what such an answer contains; a tree without can't be published."),
    ),
    "no_anchors": (
        _("Anchors for %(aim_name)s are missing: %(ratings)s."),
        _("Describe each rating from 0 to 4; a tree without can't be published."),
    ),
    "aim_not_asked": (
        _("No scored probe of this boundary tree asks for %(aim_name)s."),
        _("Add one; a tree without can't be published."),
    ),
    # what may be meant
    "level_gap": (
        _("Nothing on level %(level)d is scored."),
        _("Add a scored probe there: no boundary is found on a level without."),
    ),
    "one_level": (
        _("A boundary tree of one level has no boundary to find."),
        _("Add a follow-up, or make the tree one for breadth."),
    ),
    "minutes_over": (
        _("The way down to this probe takes %(minutes)d minutes; the tree has %(limit)d."),
        _("Give the tree more minutes, or the probes fewer."),
    ),
    "sustained_ends": (
        _("Deeper follow-ups are here, but none after a sustained answer."),
        _("Let one of them follow on `sustained`."),
    ),
    "rescue_after_sustained": (
        _("This rescue is asked only after a sustained answer, which needs none."),
        _("Choose other outcomes, or make it a check."),
    ),
    "deeper_after_miss": (
        _("This goes one level deeper only after an answer that was not sustained."),
        _("Choose other outcomes, or make it a rescue."),
    ),
    "no_translation": (
        _("Not written in %(language)s: %(count)d of the texts here."),
        _("Translate them, or take the language out of the tree."),
    ),
    "two_questions": (
        _("The prompt asks two things at once."),
        _("Keep one, and make a follow-up of the other."),
    ),
    "near_duplicate": (
        _("Nearly the same prompt as `%(other)s` of the tree `%(other_tree)s`: %(percent)d%% alike in %(language)s."),
        _("Merge the two, or ask something else."),
    ),
    "left_open": (_("The text isn't finished: it says %(word)s."), _("Write it out.")),
    "anchors_alike": (
        _("The same words earn %(lower)d and %(higher)d for %(aim_name)s."),
        _("Say what the higher one has that the lower one lacks."),
    ),
    # the bank
    "tree_twice": (_("The tree `%(key)s` stands in %(other)s too."), _("Keep one file for each tree.")),
    "topic_differs": (
        _("The topic `%(key)s` has another title in %(other)s."),
        _("Write the same title in both files."),
    ),
    "unknown_tree": (_("No tree has the key `%(key)s`."), _("Import the tree first, or together with the plan.")),
    "open_version": (
        _("Version %(n)d of `%(key)s` is open. The import makes version %(next)d beside it."),
        _("Publish or discard version %(n)d first, or compare the two afterwards."),
    ),
    "open_version_by": (
        _("Version %(n)d of `%(key)s` is open, begun by %(name)s. The import makes version %(next)d beside it."),
        _("Talk to each other, or compare the two afterwards."),
    ),
    # outlines, tables and maps that people bring
    "outline_unknown": (_("The ending of the file says nothing that we read."), _("Name the format: %(known)s.")),
    "outline_too_large": (_("The file has %(size)d bytes; %(limit)d are allowed."), _("Split it.")),
    "outline_empty": (_("The file is empty."), _("See docs/importing.md for what is read.")),
    "outline_encoding": (
        _("The text is neither UTF-8 nor GB18030: byte %(offset)d can't be read."),
        _("Save it with the encoding UTF-8."),
    ),
    "outline_binary": (_("This is no text."), _("Name the right format, or save the file as text in UTF-8.")),
    "outline_zip": (_("The archive can't be unpacked: %(reason)s."), _("Save it anew from its program.")),
    "outline_zip_size": (
        _("Unpacked, the file would have more than %(limit)d bytes."),
        _("Split it, or save it as CSV."),
    ),
    "outline_part": (_("The archive has no %(name)s."), _("Save it anew from its program.")),
    "outline_xml": (_("This is no XML: %(reason)s."), _("Save it anew from its program.")),
    "outline_xml_entities": (_("The file declares entities, which are not read."), _("Save it without a DTD.")),
    "outline_kind": (
        _("A %(expected)s file is expected; this one begins with `%(found)s`."),
        _("Name the right format."),
    ),
    "outline_json": (_("This is no JSON: %(reason)s."), _("Check quotes, commas and brackets around this line.")),
    "outline_json_deep": (_("The JSON nests too deep."), _("Save it with fewer levels.")),
    "outline_json_empty": (
        _("The file holds neither a list nor an object."),
        _("Write a list of questions; see docs/importing.md."),
    ),
    "outline_table": (_("The table can't be read: %(reason)s."), _("Check the quotes around this line.")),
    "outline_unread": (_("Nothing reads `%(name)s`."), _("It may stay; say what it holds if it should be read.")),
    "outline_columns": (
        _("A row has %(count)d columns; at most %(limit)d are read."),
        _("Check the delimiter, or remove columns."),
    ),
    "outline_cells": (
        _("There are more than %(limit)d cells, counting empty ones and one more for each row."),
        _("Remove empty rows and columns, or split it into several files."),
    ),
    "outline_workbook": (
        _("The workbook can't be read: %(reason)s."),
        _("Save it anew as .xlsx, or as CSV."),
    ),
    "row_id_twice": (_("The id `%(id)s` stands in another row too."), _("Give each row an id of its own.")),
    "row_parent_unknown": (
        _("`%(id)s` leads to no row that could be placed."),
        _("Name the id of the question that this row follows."),
    ),
    "row_circle": (_("Rows follow each other in a circle, through `%(id)s`."), _("Let one of them follow none.")),
}
