"""Finding probes by words and by what they are; each reader in what they may read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from people.models import Person
from questionbank.enums import Aim, LastUsed, ProbeKind, SignalKind, VersionState
from questionbank.models import Probe, ProbeFigures, Signal, Topic, Tree, TreeVersion
from questionbank.queries.find import NOBODY, PER_PAGE, Search, choices, find
from tests.cast import Cast
from tests.support.factories import make_plan, make_probe, make_tree

pytestmark = pytest.mark.db


def keys(person: Person, page: int = 1, **asked: object) -> list[str]:
    """What a person finds, as "tree/probe"."""
    found = find(person, Search(**asked), page)  # type: ignore[arg-type]
    return [f"{probe.version.tree.key}/{probe.key}" for probe in found.probes]


def write(version: TreeVersion, probe: str, signals: Iterable[dict[str, str]] = (), **prompt: str) -> Probe:
    row: Probe = version.probes.get(key=probe)
    row.prompt = {tag.replace("_", "-"): words for tag, words in prompt.items()}
    row.title = {"en": "Title"}
    row.save()
    row.signals.all().delete()
    Signal.objects.bulk_create(Signal(probe=row, kind=SignalKind.STRONG, text=text) for text in signals)
    return row


def publish(version: TreeVersion) -> None:
    version.status.state, version.status.published_at = VersionState.PUBLISHED, timezone.now()
    version.status.save()


@pytest.fixture
def tree(cast: Cast) -> TreeVersion:
    """A published tree on sharding: a root, l2 and l3, l2-again and root-rescue."""
    version = make_tree("sharding", depth=3, state=VersionState.DRAFT, title={"en": "Optimizer states"})
    write(version, "root", en="How does NCCL move gradients?", zh_Hans="NCCL 怎样传输梯度？")
    write(version, "l2", en="Why shard the states?", zh_Hans="为什么切分优化器状态？", signals=[{"en": "Names ZeRO-3"}])
    write(version, "l3", en="What did the all-reduce cost?", signals=[{"zh-Hans": "说出数据并行的带宽"}])
    write(version, "l2-again", en="And on one card?")
    write(version, "root-rescue", en="In other words?")
    publish(version)
    return version


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("nccl", ["root"]),
        ("NCCL 梯度", ["root"]),
        ("梯度", ["root"]),
        ("梯", ["root"]),
        ("优化器", ["l2"]),
        ("数据", ["l3"]),
        ("数据 带宽", ["l3"]),
        ("zero", ["l2"]),
        ("ze", ["l2"]),
        ("ＺＥＲＯ", ["l2"]),
        ("ero", ["l2"]),
        ("er", []),
        ("all-reduce", ["l3"]),
        ("cost did", ["l3"]),
        ("度梯", []),
        ("nccl card", []),
        ("optimizer", ["root"]),
        ("100%", []),
        ("_", []),
        ("?", ["root", "l2", "l2-again", "l3", "root-rescue"]),
        ("\\", []),
        ("\0nccl", ["root"]),
    ],
)
def test_words_find_probes_in_both_languages(cast: Cast, tree: TreeVersion, words: str, found: list[str]) -> None:
    assert sorted(keys(cast.ana, q=words)) == sorted(f"sharding/{key}" for key in found)


def test_prompts_come_before_signals_and_then_the_order_of_the_bank(cast: Cast) -> None:
    for key in ("alpha", "beta"):
        version = make_tree(key, depth=3, state=VersionState.DRAFT)
        write(version, "root", en="What else?", signals=[{"en": "Mentions sharding"}])
        write(version, "l2", en="Why sharding?")
        publish(version)

    assert keys(cast.ana, q="shard") == ["alpha/l2", "beta/l2", "alpha/root", "beta/root"]


def test_readers_find_in_what_is_published_and_curators_in_drafts_too(cast: Cast, tree: TreeVersion) -> None:
    draft = make_tree("sharding", number=2, state=VersionState.DRAFT)
    write(draft, "root", en="How does Gloo move gradients?")
    make_tree("secret", state=VersionState.DRAFT)

    assert keys(cast.ana, q="nccl") == ["sharding/root"]
    assert keys(cast.ana, q="gloo") == []
    assert keys(cast.ana, q="secret") == []
    assert keys(cast.cora, q="nccl") == []
    assert keys(cast.cora, q="gloo") == ["sharding/root"]
    assert len(keys(cast.cora, q="secret")) == 6
    with pytest.raises(PermissionDenied):
        find(cast.eli, Search(q="nccl"))


def test_filters_narrow_what_is_found(cast: Cast, tree: TreeVersion) -> None:
    other = make_tree("queues", depth=2)
    topic = Topic.objects.create(key="systems", title={"en": "Systems"})
    Tree.objects.filter(key="queues").update(topic=topic, owner=cast.cora)
    plan = make_plan(other)

    systems = ["queues/root", "queues/l2", "queues/l2-again", "queues/root-rescue"]
    assert sorted(keys(cast.ana, topic="systems")) == sorted(systems)
    assert sorted(keys(cast.ana, plan=plan.key)) == sorted(systems)
    assert sorted(keys(cast.ana, owner=str(cast.cora.code))) == sorted(systems)
    assert {key.split("/")[0] for key in keys(cast.ana, owner=NOBODY)} == {"sharding"}
    assert keys(cast.ana, topic="systems", level=2, q="again") == ["queues/l2-again"]
    assert sorted(keys(cast.ana, aim=Aim.HANDS_ON)) == ["sharding/l3"]
    assert sorted(keys(cast.ana, language="zh-Hans", topic="training")) == ["sharding/l2", "sharding/root"]
    assert keys(cast.cora, state=VersionState.DRAFT) == []
    assert len(keys(cast.cora, state=VersionState.PUBLISHED)) == 9


def test_last_use_is_what_the_figures_say(cast: Cast, tree: TreeVersion) -> None:
    today = timezone.localdate()
    for key, days in (("root", 20), ("l2", 200), ("l3", 700)):
        ProbeFigures.objects.create(
            tree=tree.tree, probe_key=key, content_hash=key, last_used_on=today - timedelta(days=days)
        )

    assert keys(cast.ana, used=LastUsed.QUARTER) == ["sharding/root"]
    assert sorted(keys(cast.ana, used=LastUsed.YEAR)) == ["sharding/l2", "sharding/root"]
    assert sorted(keys(cast.ana, used=LastUsed.NOT_YEAR)) == [
        "sharding/l2-again", "sharding/l3", "sharding/root-rescue",
    ]  # fmt: skip
    assert sorted(keys(cast.ana, used=LastUsed.NEVER)) == ["sharding/l2-again", "sharding/root-rescue"]


def test_pages_hold_all_once(cast: Cast) -> None:
    version = make_tree("long", depth=2, state=VersionState.DRAFT)
    root = version.probes.get(key="root")
    for number in range(PER_PAGE * 2):
        make_probe(version, f"more-{number}", level=2, parent=root, kind=ProbeKind.PROBE, position=20 + number)

    first = find(cast.cora, Search(q="what about"))
    seen = [key for page in (1, 2, 3) for key in keys(cast.cora, page, q="what about")]

    assert (first.total, first.pages, len(first.probes)) == (54, 3, PER_PAGE)
    assert len(seen) == len(set(seen)) == 54
    beyond = find(cast.cora, Search(q="what about"), 99)
    assert (beyond.page, beyond.total, len(beyond.probes)) == (3, 54, 4)
    assert find(cast.cora, Search(q="nothing like it"), 7).total == 0


def test_choices_lead_only_to_what_may_be_read(cast: Cast, tree: TreeVersion) -> None:
    hidden = make_tree("secret", state=VersionState.DRAFT)
    hidden.tree.topic = Topic.objects.create(key="hidden", title={"en": "Hidden"})
    hidden.tree.owner = cast.cora
    hidden.tree.save()
    write(hidden, "root", pt_BR="Onde está?")

    assert [topic.key for topic in choices(cast.ana).topics] == ["training"]
    assert {topic.key for topic in choices(cast.cora).topics} == {"training", "hidden"}
    assert choices(cast.ana).languages == ("en", "zh-Hans")
    assert choices(cast.ana).owners == ()
    assert choices(cast.cora).languages == ("en", "pt-BR", "zh-Hans")
    assert choices(cast.cora).owners == (cast.cora,)


def test_status_finds_what_is_published_beside_an_open_draft(cast: Cast, tree: TreeVersion) -> None:
    draft = make_tree("sharding", number=2, state=VersionState.DRAFT)
    write(draft, "root", en="How does Gloo move gradients?")

    found = find(cast.cora, Search(state=VersionState.PUBLISHED, q="nccl")).probes
    assert [(probe.key, probe.version.number) for probe in found] == [("root", 1)]
    assert keys(cast.cora, state=VersionState.DRAFT, q="gloo") == ["sharding/root"]
    assert keys(cast.cora, state=VersionState.DRAFT, q="nccl") == []
    assert keys(cast.ana, state=VersionState.DRAFT, q="gloo") == []
    assert keys(cast.ana, state=VersionState.PUBLISHED, q="nccl") == ["sharding/root"]
    assert keys(cast.cora, state=VersionState.RETIRED) == []
