"""Wording from live rooms: nothing leads back to the interview, and nothing is taken up unread."""

from __future__ import annotations

from datetime import date
from uuid import UUID

import pytest
from django.db import IntegrityError
from django.utils import timezone

from people.models import AuditEntry
from people.refusal import Refused
from questionbank.enums import Aim, ProbeKind, Scoring, SuggestionKind, SuggestionState, VersionState
from questionbank.models import Probe, Suggestion, TreeVersion
from questionbank.services.drafting import NotADraft
from questionbank.services.suggestions import Decided, accept, decline, release, suggest
from questionbank.suggestion_reads import decided, suggestion_line, waiting
from tests.cast import Cast
from tests.support.factories import make_tree

pytestmark = [pytest.mark.db, pytest.mark.django_db]

EDIT, FOLLOW_UP = SuggestionKind.EDIT, SuggestionKind.FOLLOW_UP
TONIGHT = date(2026, 11, 30)
WORDS = {"en": "What did l2 cost you?"}


@pytest.fixture
def version() -> TreeVersion:
    return make_tree()


def probe(version: TreeVersion, key: str = "l2") -> Probe:
    return version.probes.get(key=key)


def arrived(version: TreeVersion, kind: SuggestionKind = EDIT, key: str = "l2", **more: object) -> Suggestion:
    """Suggest and let the night pass."""
    suggest(probe(version, key), kind, WORDS, **more)  # type: ignore[arg-type]
    release(TONIGHT)
    return Suggestion.objects.get()


def take(suggestion: Suggestion, cast: Cast, text: dict[str, str] = WORDS, *, checked: bool = True) -> TreeVersion:
    was = Probe.objects.filter(version__tree=suggestion.tree, key=suggestion.probe_key).first()
    return accept(suggestion.pk, by=cast.cora, text=text, was=was.prompt if was else {}, checked=checked)


# --- from the room


def test_room_leaves_a_copy_that_tells_nothing_of_it(version: TreeVersion) -> None:
    suggest(probe(version), EDIT, {"en": "  What did l2 cost you?\r\n", "zh-Hans": " "})

    found = Suggestion.objects.get()
    assert (found.tree, found.probe_key, found.text) == (version.tree, "l2", WORDS)
    assert found.month == timezone.now().date().replace(day=1)
    assert isinstance(found.pk, UUID)  # a number would tell the order
    assert found.pk.version == 4  # and so would an id made of the time
    # No table of interviews, and no moment: what isn't there can't be joined.
    related = {field.related_model.__name__ for field in Suggestion._meta.fields if field.related_model}
    assert related == {"Tree", "Person"}
    moments = {field.name for field in Suggestion._meta.fields if field.get_internal_type() == "DateTimeField"}
    assert moments == {"decided_at"}
    assert (found.decided_by, found.decided_at) == (None, None)
    assert not AuditEntry.objects.exists()


def test_database_refuses_a_day(version: TreeVersion) -> None:
    with pytest.raises(IntegrityError, match="suggestion_tells_the_month_only"):
        Suggestion.objects.create(tree=version.tree, probe_key="l2", kind=EDIT, text=WORDS, month=date(2026, 11, 2))


def test_words_that_say_nothing_new_are_left_out(version: TreeVersion) -> None:
    suggest(probe(version), EDIT, {"en": f" {probe(version).prompt['en']} "})
    assert not Suggestion.objects.exists()

    for _ in range(2):
        suggest(probe(version), EDIT, WORDS)
        suggest(probe(version), FOLLOW_UP, WORDS, aims=[Aim.WHY])
    assert Suggestion.objects.count() == 2


@pytest.mark.parametrize("text", [{}, {"en": " \n"}, {"en": "x" * 2001}])
def test_no_words_and_too_many_are_refused(version: TreeVersion, text: dict[str, str]) -> None:
    with pytest.raises(Refused):
        suggest(probe(version), EDIT, text)


def test_curators_see_nothing_before_the_night_is_over(version: TreeVersion, cast: Cast) -> None:
    suggest(probe(version), EDIT, WORDS)
    code = Suggestion.objects.get().pk

    assert waiting() == []
    for refused in (
        lambda: suggestion_line(code),
        lambda: take(Suggestion.objects.get(), cast),
        lambda: decline(code, by=cast.cora, reason="No"),
    ):
        with pytest.raises(Suggestion.DoesNotExist):
            refused()

    assert release(TONIGHT) == 1
    assert release(TONIGHT) == 0
    assert [line.suggestion.pk for line in waiting()] == [code]


def test_what_nobody_decides_on_is_erased_after_six_months(version: TreeVersion) -> None:
    for month, words in ((date(2026, 4, 1), "old"), (date(2026, 5, 1), "newer")):
        Suggestion.objects.create(
            tree=version.tree, probe_key="l2", kind=EDIT, text={"en": words}, month=month, released=True
        )

    release(TONIGHT)

    old, newer = Suggestion.objects.order_by("month")
    assert (old.state, old.text, old.decided_by) == (SuggestionState.DECLINED, {}, None)
    assert (newer.state, newer.text) == (SuggestionState.OPEN, {"en": "newer"})


# --- taking up


def test_edit_goes_into_a_new_draft(version: TreeVersion, cast: Cast) -> None:
    suggestion = arrived(version)

    draft = take(suggestion, cast)

    suggestion.refresh_from_db()
    assert (draft.number, draft.status.state) == (2, VersionState.DRAFT)
    assert probe(draft).prompt == {**probe(version).prompt, **WORDS}
    assert (suggestion.state, suggestion.decided_by, suggestion.personal_data_checked) == ("accepted", cast.cora, True)
    (entry,) = AuditEntry.objects.filter(action="suggestion.accepted")
    assert (entry.actor, entry.object_id, entry.data) == (cast.cora, str(suggestion.pk), {"version": draft.pk})


def test_edit_goes_into_the_draft_that_is_there(version: TreeVersion, cast: Cast) -> None:
    draft = make_tree(number=2, state=VersionState.DRAFT)

    assert take(arrived(version), cast) == draft
    assert probe(draft).prompt["en"] == WORDS["en"]


def test_follow_up_goes_behind_its_siblings_on_trial(version: TreeVersion, cast: Cast) -> None:
    suggestion = arrived(version, FOLLOW_UP, aims=[Aim.HANDS_ON, Aim.WHY], probe_kind=ProbeKind.CHECK)

    draft = take(suggestion, cast)

    added = draft.probes.exclude(key__in=version.probes.values("key")).get()
    assert (added.parent, added.prompt, added.kind, added.aims) == (probe(draft), WORDS, "check", ["why", "hands_on"])
    assert added.scoring == Scoring.TRIAL
    assert [one.key for one in probe(draft).follow_ups.order_by("position")][-1] == added.key


def test_other_words_are_kept_as_what_was_taken_up(version: TreeVersion, cast: Cast) -> None:
    suggestion = arrived(version)

    draft = take(suggestion, cast, {"en": "What does l2 cost?", "zh-Hans": "l2 要付出什么代价？"})

    suggestion.refresh_from_db()
    assert suggestion.state == SuggestionState.CHANGED
    assert suggestion.text == probe(draft).prompt == {"en": "What does l2 cost?", "zh-Hans": "l2 要付出什么代价？"}
    assert AuditEntry.objects.filter(action="suggestion.changed").exists()


def test_a_translation_beside_the_same_words_is_no_change(version: TreeVersion, cast: Cast) -> None:
    suggestion = arrived(version)

    take(suggestion, cast, {**WORDS, "zh-Hans": "l2 花了多少？"})

    suggestion.refresh_from_db()
    assert suggestion.state == SuggestionState.ACCEPTED


def test_nothing_is_taken_up_unread(version: TreeVersion, cast: Cast) -> None:
    suggestion = arrived(version)

    with pytest.raises(Refused) as refused:
        take(suggestion, cast, checked=False)

    assert refused.value.field == "personal_data_checked"
    assert TreeVersion.objects.count() == 1
    with pytest.raises(IntegrityError, match="suggestion_taken_up_is_checked"):
        Suggestion.objects.update(state=SuggestionState.ACCEPTED, decided_by=cast.cora, decided_at=timezone.now())


def test_what_somebody_else_wrote_meanwhile_is_not_written_over(version: TreeVersion, cast: Cast) -> None:
    suggestion = arrived(version)
    draft = make_tree(number=2, state=VersionState.DRAFT)
    draft.probes.filter(key="l2").update(prompt={"en": "Chen's words"})

    with pytest.raises(Refused, match="says something else by now: “Chen's words”"):
        accept(suggestion.pk, by=cast.cora, text=WORDS, was={"en": "What about l2 in data-parallel?"}, checked=True)

    suggestion.refresh_from_db()
    assert (suggestion.state, probe(draft).prompt) == (SuggestionState.OPEN, {"en": "Chen's words"})


@pytest.mark.parametrize("kind", SuggestionKind)
def test_probe_that_is_gone_takes_up_nothing(version: TreeVersion, cast: Cast, kind: SuggestionKind) -> None:
    suggestion = arrived(version, kind, "l4")
    make_tree(number=2, state=VersionState.DRAFT, depth=3)

    with pytest.raises(Refused, match="doesn't have this probe any more"):
        take(suggestion, cast)

    assert suggestion_line(suggestion.pk).probe is None


def test_version_in_review_waits(version: TreeVersion, cast: Cast) -> None:
    suggestion = arrived(version)
    make_tree(number=2, state=VersionState.IN_REVIEW)

    with pytest.raises(NotADraft, match="in review"):
        take(suggestion, cast)


# --- declining


def test_declined_words_are_erased_and_the_reason_stays(version: TreeVersion, cast: Cast) -> None:
    suggestion = arrived(version)

    decline(suggestion.pk, by=cast.cora, reason=" Names an employer ")

    suggestion.refresh_from_db()
    assert (suggestion.state, suggestion.text, suggestion.reason) == ("declined", {}, "Names an employer")
    assert [line.suggestion for line in decided()] == [suggestion]
    assert waiting() == []
    assert AuditEntry.objects.get(action="suggestion.declined").data == {}


def test_declining_needs_a_reason(version: TreeVersion, cast: Cast) -> None:
    with pytest.raises(Refused) as refused:
        decline(arrived(version).pk, by=cast.cora, reason=" ")

    assert refused.value.field == "reason"


def test_decision_is_made_once(version: TreeVersion, cast: Cast) -> None:
    suggestion = arrived(version)
    take(suggestion, cast)

    with pytest.raises(Decided):
        decline(suggestion.pk, by=cast.ada, reason="Late")
    with pytest.raises(Decided):
        take(suggestion, cast)
