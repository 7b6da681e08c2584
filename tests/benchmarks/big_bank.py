"""A bank as large as one that many people kept for years: made up, the same each time, in English and Chinese."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

from django.utils import timezone

from people.models import Person
from questionbank.enums import Aim, ProbeKind, SignalKind, VersionState
from questionbank.models import (
    Plan,
    PlanTree,
    Probe,
    ProbeFigures,
    Signal,
    Topic,
    Tree,
    TreeVersion,
    VersionStatus,
)

THINGS = {
    "data parallel training": "数据并行训练", "gradient checkpointing": "梯度检查点", "tensor parallelism": "张量并行",
    "the NCCL all-reduce": "NCCL 全规约", "a KV cache": "KV 缓存", "mixed precision": "混合精度",
    "the learning rate schedule": "学习率调度", "a message queue": "消息队列", "the primary key index": "主键索引",
    "a deadlock": "死锁", "the garbage collector": "垃圾回收器", "a load balancer": "负载均衡器",
    "consistent hashing": "一致性哈希", "two-phase commit": "两阶段提交", "the TCP handshake": "TCP 握手",
    "an LSM tree": "LSM 树", "write amplification": "写放大", "the page cache": "页缓存", "a race condition": "竞态条件",
    "back-pressure": "背压", "the evaluation set": "评测集", "data leakage": "数据泄漏", "a vector index": "向量索引",
    "retrieval recall": "召回率", "the tokenizer": "分词器", "LoRA adapters": "LoRA 适配器", "reward hacking": "奖励作弊",
    "a canary release": "金丝雀发布", "the error budget": "错误预算", "a memory leak": "内存泄漏", "the scheduler": "调度器",
    "a circuit breaker": "熔断器", "idempotency keys": "幂等键", "the replication lag": "复制延迟", "a hot shard": "热点分片",
    "optimistic locking": "乐观锁", "the query planner": "查询规划器", "a bloom filter": "布隆过滤器", "the GPU kernel": "GPU 内核",
    "speculative decoding": "推测解码", "a feature store": "特征库", "the confusion matrix": "混淆矩阵", "class imbalance": "类别不平衡",
    "a service mesh": "服务网格", "the container runtime": "容器运行时", "clock skew": "时钟偏移", "a raft election": "Raft 选举",
}  # fmt: skip
WHERE = {
    "in a cluster of eight machines": "在八台机器的集群里", "when traffic triples overnight": "流量一夜翻三倍时",
    "on a single card with 24 GB": "在一张 24 GB 的卡上", "during a rolling upgrade": "滚动升级期间",
    "if the network drops two percent of packets": "网络丢包百分之二时", "for a team of three": "对一个三人小组",
    "after six months in production": "上线六个月之后", "under a budget that was just halved": "预算刚刚减半时",
    "while the disk is nearly full": "磁盘快满时", "with customers in four time zones": "客户分布在四个时区时",
    "when the batch size doubles": "批大小翻倍时", "before the first user arrives": "第一个用户到来之前",
    "in the last project you worked on": "在你最近做的项目里", "if nobody reads the dashboard": "没有人看监控面板时",
}  # fmt: skip
FORMS = {
    "What is {thing} for, {where}?": "{where}，{thing}用来做什么？",
    "Why would you choose {thing} {where}, and what would you give up?": "{where}，为什么选择{thing}？要放弃什么？",
    "Tell me how {thing} fails {where}.": "讲讲{where}{thing}会怎样失败。",
    "Which number told you that {thing} was the bottleneck {where}?": "{where}，哪个数字说明{thing}是瓶颈？",
    "How did you debug {thing} {where}?": "{where}，你是怎样调试{thing}的？",
    "What happens to {thing} when {other} comes into play {where}?": "{where}，遇到{other}时{thing}会怎样？",
    "Compare {thing} with {other} {where}.": "{where}，比较{thing}和{other}。",
    "Where is the limit of {thing}, and how would you measure it {where}?": "{thing}的极限在哪里？{where}怎样测量？",
    "Walk me through setting up {thing} {where}.": "带我走一遍{where}搭建{thing}的过程。",
    "What did you get wrong about {thing} the first time, {where}?": "{where}，第一次做{thing}时哪里错了？",
    "Which alternative to {thing} did you drop, and why, {where}?": "{where}，你放弃了{thing}的哪种替代方案？为什么？",
}
SAID = {
    SignalKind.STRONG: ("names the trade-off between {thing} and {other} with a figure", "用数字说出{thing}与{other}的取舍"),
    SignalKind.RECITED: ("repeats the textbook definition of {thing}", "复述{thing}的教科书定义"),
    SignalKind.WEAK: ("confuses {thing} with {other}", "把{thing}和{other}混为一谈"),
}  # fmt: skip
PROBES_PER_TREE = 12.5


def texts(random: Random, number: int) -> tuple[dict[str, str], dict[str, str]]:
    """Return what one question is about, by the names of the forms' gaps, in English and in Chinese."""
    thing, other = random.sample(list(THINGS), 2)
    where = random.choice(list(WHERE))
    # Real banks differ in details: versions, sizes, names. So does this one, or every question would have a twin.
    detail = f"{random.choice('BCDFGKLMNPRSTVZ')}{random.choice('aeiou')}{random.choice('klmnrst')}-{number % 997}"
    english = {"thing": thing, "other": other, "where": f"{where} ({detail})"}
    chinese = {"thing": THINGS[thing], "other": THINGS[other], "where": f"{WHERE[where]}（{detail}）"}
    return english, chinese


def make_big_bank(probes: int) -> None:
    """Make a bank of about so many probes, 12 or 13 to a tree; a tree in four has an older version, one in nine a draft."""
    random = Random(20_000)
    owners = Person.objects.bulk_create(
        Person(email=f"curator-{number}@sounding.example", name=f"Curator {number}", roles=["curator"])
        for number in range(5)
    )
    topics = Topic.objects.bulk_create(
        Topic(key=f"topic-{number}", title={"en": f"Topic {number}", "zh-Hans": f"主题 {number}"}, position=number)
        for number in range(40)
    )
    trees = Tree.objects.bulk_create(
        Tree(key=f"tree-{number}", topic=topics[number % 40], position=number, owner=random.choice([*owners, None]))
        for number in range(max(1, round(probes / PROBES_PER_TREE)))
    )
    versions = TreeVersion.objects.bulk_create(_versions(trees, random))
    states = {version.pk: VersionState.PUBLISHED for version in versions}
    newest = {version.tree_id: version for version in versions}
    states |= {
        version.pk: VersionState.DRAFT for place, version in enumerate(newest.values()) if place % 9 == 0
    }
    now = timezone.now()
    made = list(_probes(versions))
    Probe.objects.bulk_create(probe for probe, _ in made if probe.parent is None)
    for start in range(0, len(made), 2000):
        Probe.objects.bulk_create(probe for probe, _ in made[start : start + 2000] if probe.parent)
        Signal.objects.bulk_create(signal for _, signals in made[start : start + 2000] for signal in signals)
    VersionStatus.objects.bulk_create(
        VersionStatus(version_id=pk, state=state, published_at=now if state == VersionState.PUBLISHED else None)
        for pk, state in states.items()
    )
    ProbeFigures.objects.bulk_create(
        ProbeFigures(
            tree_id=probe.version.tree_id, probe_key=probe.key, content_hash=probe.content_hash, asked=9,
            last_used_on=date(2026, 1, 1) + timedelta(days=random.randrange(300)),
        )
        for probe, _ in made
        if probe.version.number == 1 and random.random() < 0.5
    )  # fmt: skip
    for number in range(6):
        plan = Plan.objects.create(key=f"plan-{number}", name=f"Plan {number}")
        PlanTree.objects.bulk_create(
            PlanTree(plan=plan, tree=tree, position=place) for place, tree in enumerate(trees[number::200])
        )


def _versions(trees: list[Tree], random: Random) -> Iterator[TreeVersion]:
    for place, tree in enumerate(trees):
        english, chinese = texts(random, place)
        for number in range(1, 3 if place % 4 == 0 else 2):
            title = {"en": english["thing"].capitalize(), "zh-Hans": chinese["thing"]}
            yield TreeVersion(tree=tree, number=number, title=title, content_hash=_digest(tree.key, number))


def _probes(versions: list[TreeVersion]) -> Iterator[tuple[Probe, list[Signal]]]:
    for place, version in enumerate(versions):
        own = Random(version.tree.key)  # both versions of a tree ask the same
        root = None
        for number in range(12 + place % 2):
            english, chinese = texts(own, place * 13 + number)
            form = own.choice(list(FORMS))
            level = 1 + number // 3
            probe = Probe(
                version=version,
                key=f"q{number}",
                # A flat tree: what is found does not depend on who stands below whom.
                parent=root,
                level=level if root else 1,
                position=number,
                kind=ProbeKind.PROBE if root else ProbeKind.CHECK,
                aims=[[Aim.DEPTH, Aim.WHY, Aim.HANDS_ON][number % 3].value],
                title={"en": english["thing"].capitalize(), "zh-Hans": chinese["thing"]},
                prompt={"en": form.format(**english), "zh-Hans": FORMS[form].format(**chinese)},
                content_hash=_digest(version.tree.key, number),
            )
            root = root or probe
            yield probe, [
                Signal(probe=probe, kind=kind, text={"en": en.format(**english), "zh-Hans": zh.format(**chinese)})
                for kind, (en, zh) in SAID.items()
            ]


def _digest(key: str, number: int) -> str:
    return hashlib.sha256(f"{key} {number}".encode()).hexdigest()
