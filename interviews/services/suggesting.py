"""What the lead made of the bank's questions, handed to curators when an interview ends: words without a way back."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import Exists, OuterRef

from interviews.enums import ProbeKind, TreeOp
from interviews.models import AdHocProbe, Asked, Interview, TreeEdit
from interviews.queries.own_trees import name_of
from people.refusal import Refused
from questionbank.enums import Aim, SuggestionKind
from questionbank.models import Probe
from questionbank.services.suggestions import suggest


def suggest_what_was_new(interview: Interview) -> None:
    """Suggest to curators what was worded anew, added or asked ad hoc, each once, however often the interview ends.

    In the transaction that ends it: a job would keep the minute. An own question that was taken back is left out; an
    order that was changed concerns this interview alone.
    """
    if not interview.has_own:
        return
    asked = Asked.objects.filter(adhoc=OuterRef("own"), retracted_at__isnull=True)
    rows = TreeEdit.objects.filter(interview=interview, suggested=False, op__in=[TreeOp.TEXT, TreeOp.ADD])
    rows = rows.annotate(stands=Exists(asked)).select_related("text", "own__text", "own__parent__version")
    new = [row for row in rows.order_by("seq") if row.own is None or row.own.planned or row.stands]
    if not new:
        return
    TreeEdit.objects.filter(pk__in=[row.pk for row in new]).update(suggested=True)
    for row in new:
        if row.own is not None and row.own.text.body:
            _suggest_follow_up(row.own, row.own.text.body)
    _suggest_wordings(interview, [row for row in new if row.op == TreeOp.TEXT])


def _suggest_follow_up(own: AdHocProbe, words: str) -> None:
    _send(
        own.parent,
        SuggestionKind.FOLLOW_UP,
        {own.language: words},
        aims=[Aim(aim) for aim in own.aims],
        probe_kind=ProbeKind(own.kind),
    )


def _suggest_wordings(interview: Interview, rows: Iterable[TreeEdit]) -> None:
    """The last wording of each language, all languages of a probe in one suggestion."""
    said: dict[str, dict[str, str]] = {}
    for row in rows:
        if row.text is not None and row.text.body:
            said.setdefault(row.probe, {})[row.language] = row.text.body
    if not said:
        return
    pinned = Probe.objects.filter(version__in=interview.pinned.values("version")).select_related("version__tree")
    keys = {name.partition("/")[2] for name in said}
    for probe in pinned.filter(key__in=keys):
        name = name_of(probe.version.tree.key, probe.key)
        if name in said:
            _send(probe, SuggestionKind.EDIT, said[name])


def _send(
    probe: Probe,
    kind: SuggestionKind,
    text: dict[str, str],
    *,
    aims: Collection[Aim] = (),
    probe_kind: ProbeKind | None = None,
) -> None:
    try:
        suggest(probe, kind, text, aims=aims, probe_kind=probe_kind)
    except Refused:
        # Words that the bank would not take are no reason for an interview not to end.
        return
