"""Questions of the lead's own, and what an interview changes of its pinned trees for itself alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from interviews.enums import Aim, InterviewStatus, ProbeKind, TextKind, TreeOp
from interviews.log import ALL, PANEL, Ack, NewEvent
from interviews.models import AdHocProbe, Interview, Text, TreeEdit
from interviews.queries.own_trees import level_below, name_of, own_question, siblings_of, tree_here
from interviews.queries.pinned import ProbeSays, TreeSays
from interviews.services.acting import Act
from interviews.services.conduct import add_asking, begin_asking, question_named
from interviews.services.refusal import Code, Refusal
from interviews.services.suggesting import suggest_what_was_new
from interviews.services.texts import new_text, rewrite
from interviews.services.unchanged import UNCHANGED, Unchanged
from questionbank.edits.fields import clean
from questionbank.limits import PROMPT, says_something
from questionbank.models import Probe


def ask_own(
    act: Act, *, text: str, parent: str, kind: ProbeKind, aims: Sequence[Aim], language: str | Unchanged = UNCHANGED
) -> Ack:
    """Ask a question that no tree has. The command's id is the question's and the asking's.

    It stands below `parent` from now on and can be asked again by its name. Late as probe.ask may be.
    """
    late = begin_asking(act, "probe.adhoc")
    _require_place(act)
    words = _prompt(text)
    above = question_named(act.interview, parent)
    own = _own(act, parent, above, words, kind=kind, aims=aims, language=language, planned=False)
    name = name_of(parent.partition("/")[0], own.pk)
    said = {"probe": name, "parent": parent, **_says(own)}
    ack = add_asking(act, "probe.adhoc", said, own, late=late)
    _keep(act, ack, TreeOp.ADD, name, own=own)
    if act.interview.status == InterviewStatus.ENDED:
        suggest_what_was_new(act.interview)
    return ack


def edit_tree(
    act: Act,
    *,
    tree: str,
    op: TreeOp,
    probe: str | Unchanged = UNCHANGED,
    parent: str | Unchanged = UNCHANGED,
    after: str | Unchanged | None = UNCHANGED,
    kind: ProbeKind | Unchanged = UNCHANGED,
    aims: Sequence[Aim] | Unchanged = UNCHANGED,
    text: str | Unchanged = UNCHANGED,
    language: str | Unchanged = UNCHANGED,
) -> Ack:
    """Change a pinned tree for this interview: the wording of a probe, one more follow-up, or their order.

    Under the room's lock the last one holds. Refused where the position's plan is locked.
    """
    act.lock()
    act.guard("tree.edit")
    plan = act.interview.application.position.plan
    if plan is not None and plan.locked:
        raise Refusal(Code.NO_RIGHT, _("This position keeps to its plan: its trees are not changed in the room."))
    _require_place(act)
    says = tree_here(act.interview, tree)
    if says is None:
        raise Refusal(Code.BAD_FIELD, _("This interview has no tree %(tree)s.") % {"tree": tree[:80]})
    if op == TreeOp.TEXT:
        return _word(act, says, _given(probe, "probe"), _given(text, "text"), language)
    if op == TreeOp.ADD:
        wanted = _given(kind, "kind"), _given(aims, "aims")
        return _add(act, says, _given(parent, "parent"), _given(text, "text"), *wanted, language)
    return _move(act, says, _given(probe, "probe"), parent, None if isinstance(after, Unchanged) else after)


MOST_EDITS = 500
"""Own questions and changes of trees in one interview."""

Value = TypeVar("Value")


def _require_place(act: Act) -> None:
    """Each of them is done anew whenever the room is read."""
    if act.interview.has_own and act.interview.tree_edits.count() >= MOST_EDITS:
        raise Refusal(
            Code.BAD_FIELD,
            _("This interview has %(n)d questions and changes of its own already; it takes no more.")
            % {"n": MOST_EDITS},
        )


def _given(value: Value | Unchanged, field: str) -> Value:
    if isinstance(value, Unchanged):
        raise Refusal(Code.BAD_FIELD, _("tree.edit needs the field %(field)s for this op.") % {"field": field})
    return value


def _in_tree(says: TreeSays, name: str) -> ProbeSays:
    full = name if "/" in name else name_of(says.key, name)
    found = next((probe for probe in says.probes if probe.id == full), None)
    if found is None:
        raise Refusal(Code.BAD_FIELD, _("The tree has no probe %(name)s.") % {"name": name[:80]})
    return found


# --- its words --------------------------------------------------------------------------------------------------------


def _word(act: Act, says: TreeSays, name: str, text: str, language: str | Unchanged) -> Ack:
    probe, words = _in_tree(says, name), _prompt(text)
    own = own_question(act.interview, probe.id) if probe.own else None
    tag = own.language if own else _tag(language)
    if own is not None:
        row = Text.objects.get(pk=own.text_id)
        rewrite(row, words)
    else:
        row = new_text(act.seat, TextKind.AD_HOC, words)
    said = {"tree": says.key, "op": TreeOp.TEXT.value, "probe": probe.id, "language": tag, "text": row.pk}
    events = [NewEvent(PANEL, "tree.edit", said)]
    shared = act.interview.shared
    if shared is not None and probe.source == shared.source:
        # The candidate reads the corrected words as well.
        events.append(NewEvent(ALL, "prompt.share", {"asked": str(shared.pk)}))
    ack = act.append(*events)
    if own is None:
        _keep(act, ack, TreeOp.TEXT, probe.id, language=tag, text=row)
    return ack


def _prompt(text: str) -> str:
    """The words of a question as the bank keeps them."""
    words = clean(text)
    if not says_something(words):
        raise Refusal(Code.BAD_FIELD, _("A question needs words."))
    if len(words) > PROMPT:
        limit = {"limit": PROMPT, "n": len(words)}
        raise Refusal(Code.TOO_LARGE, _("A question may have %(limit)d characters; this one has %(n)d.") % limit)
    return words


def _tag(language: str | Unchanged) -> str:
    """The bank's tag of a language; the sender's own where none is said."""
    if not isinstance(language, Unchanged):
        return language
    base, *more = (get_language() or "en").split("-")
    return "-".join([base, *(part.title() if len(part) == 4 else part.upper() for part in more)])


# --- one more ---------------------------------------------------------------------------------------------------------


def _add(
    act: Act,
    says: TreeSays,
    parent: str,
    text: str,
    kind: ProbeKind,
    aims: Sequence[Aim],
    language: str | Unchanged,
) -> Ack:
    above, words = _in_tree(says, parent), _prompt(text)
    question = question_named(act.interview, above.id)
    own = _own(act, above.id, question, words, kind=kind, aims=aims, language=language, planned=True)
    name = name_of(says.key, own.pk)
    said = {"tree": says.key, "op": TreeOp.ADD.value, "probe": name, "parent": above.id, **_says(own)}
    ack = act.append(NewEvent(PANEL, "tree.edit", said))
    _keep(act, ack, TreeOp.ADD, name, own=own)
    return ack


def _own(
    act: Act,
    parent: str,
    above: Probe | AdHocProbe,
    words: str,
    *,
    kind: ProbeKind,
    aims: Sequence[Aim],
    language: str | Unchanged,
    planned: bool,
) -> AdHocProbe:
    own: AdHocProbe = AdHocProbe.objects.create(
        id=act.cause.command,
        interview=act.interview,
        parent=above.parent if isinstance(above, AdHocProbe) else above,
        under=above if isinstance(above, AdHocProbe) else None,
        kind=kind.value,
        aims=[aim.value for aim in aims],
        level=level_below(above.level, kind),
        text=new_text(act.seat, TextKind.AD_HOC, words),
        language=_tag(language),
        planned=planned,
    )
    return own


def _says(own: AdHocProbe) -> dict[str, object]:
    """What an event says of an own question; its words are read when the frame is drawn."""
    return {
        "kind": own.kind,
        "aims": list(own.aims),
        "level": own.level,
        "language": own.language,
        "text": own.text_id,
    }


def _keep(act: Act, ack: Ack, op: TreeOp, probe: str, **more: object) -> None:
    TreeEdit.objects.create(
        id=act.cause.command,
        interview=act.interview,
        by=act.seat,
        seq=ack.seq,
        op=op.value,
        probe=probe,
        **more,
    )
    if not act.interview.has_own:
        Interview.objects.filter(pk=act.interview.pk).update(has_own=True)
        act.interview.has_own = True


# --- their order ------------------------------------------------------------------------------------------------------


def _move(act: Act, says: TreeSays, name: str, parent: str | Unchanged, after: str | None) -> Ack:
    probe = _in_tree(says, name)
    if not probe.parent:
        raise Refusal(Code.BAD_FIELD, _("The root of a tree stays where it is."))
    here = _in_tree(says, probe.parent)
    above = here if isinstance(parent, Unchanged) else _in_tree(says, parent)
    if above.level != here.level:
        raise Refusal(Code.BAD_FIELD, _("A follow-up stays on its level: move it below a probe of the same level."))
    if above.id == probe.id or above.id in _below(says, probe.id):
        raise Refusal(Code.BAD_FIELD, _("A follow-up can't stand below itself."))
    before = None if after is None else _in_tree(says, after)
    if before is not None and (before.id == probe.id or before not in siblings_of(says, above.id)):
        raise Refusal(Code.BAD_FIELD, _("The probe to stand after is no follow-up of the same probe."))
    place = before.id if before else ""
    said = {"tree": says.key, "op": TreeOp.MOVE.value, "probe": probe.id, "parent": above.id, "after": place or None}
    ack = act.append(NewEvent(PANEL, "tree.edit", said))
    _keep(act, ack, TreeOp.MOVE, probe.id, parent=above.id, after=place)
    return ack


def _below(says: TreeSays, name: str) -> set[str]:
    found = {name}
    for probe in says.probes:  # each stands before its follow-ups
        if probe.parent in found:
            found.add(probe.id)
    return found
