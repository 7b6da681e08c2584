"""A room drawn from sample data: the context that interviews.rendering gives, written by hand for tests of the page."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

NOW = datetime(2026, 3, 12, 9, 24, 18, tzinfo=UTC)
STARTED = datetime(2026, 3, 12, 9, 0, 0, tzinfo=UTC)
ROOM = "5d3c8a54-2b63-4c0e-9a51-0f6c6b1f0a01"
SEATS = {
    "lead": "11111111-1111-4111-8111-111111111111",
    "interviewer": "22222222-2222-4222-8222-222222222222",
    "shadow": "33333333-3333-4333-8333-333333333333",
    "observer": "44444444-4444-4444-8444-444444444444",
    "candidate": "55555555-5555-4555-8555-555555555555",
}
NAMES = {"lead": "Ana", "interviewer": "Bo", "shadow": "Chen", "observer": "Dee", "candidate": "Candidate 7"}
ASKED = ["aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002"]


def words(text: str, lang: str = "en") -> dict[str, str]:
    return {"lang": lang, "text": text}


def probe(
    key: str,
    level: int,
    title: str,
    prompt: str,
    *,
    parent: str = "",
    kind: str = "probe",
    aims: list[str],
    **more: Any,
) -> dict[str, Any]:
    return {
        "id": f"zero/{key}",
        "parent": f"zero/{parent}" if parent else "",
        "tree": "zero",
        "tree_title": "ZeRO’s three stages",
        "tree_lang": "en",
        "deepest": 4,
        "level": level,
        "kind": kind,
        "aims": aims,
        "scored": True,
        "title": title,
        "lang": "en",
        "prompts": [words(prompt), words("与普通数据并行相比，阶段 3 在通信上要付出什么代价？", "zh-Hans")],
        "signals": {
            "strong": [words("Parameters gathered twice: forward and backward"), words("About 1.5× the volume")],
            "recited": [words("“It trades memory for communication”")],
            "weak": [words("Says it is free"), words("Knows all-reduce only")],
        },
        "anchors": [
            {"aim": aim, "rating": n, **words(text)}
            for aim in aims
            for n, text in enumerate(
                [
                    "No cost named",
                    "“More”, no count",
                    "Names the gathers",
                    "Counts it: about 1.5×",
                    "Counts and hides it",
                ]
            )
        ],
        "follow": {
            "probe": f"zero/{key}",
            "level": level,
            "kind": kind,
            "aims": aims,
            "minutes": 3,
            "prompt": prompt,
            "lang": "en",
            "outcomes": more.get("outcomes", []),
            "heard": more.get("heard", ""),
            "heard_lang": "en",
        },
    }


PROBES = [
    probe("split", 1, "What each stage splits", "What does each ZeRO stage split?", kind="check", aims=["depth"]),
    probe(
        "cost",
        2,
        "What stage 3 costs",
        "Compared with plain data parallelism, what does stage 3 cost in communication?",
        parent="split",
        kind="check",
        aims=["depth", "why"],
    ),
    probe(
        "share",
        3,
        "Share of time, profiled",
        "What share of a step went into communication, and how did you measure it?",
        parent="cost",
        aims=["hands_on"],
        outcomes=["sustained"],
        heard="names a run of their own",
    ),
    probe(
        "carry",
        2,
        "Which messages",
        "Which messages carry one parameter each step?",
        parent="cost",
        kind="rescue",
        aims=["depth"],
        outcomes=["partial", "not_sustained"],
    ),
    probe("hybrid", 4, "Why a hybrid layout", "Why a hybrid layout?", parent="share", aims=["why"]),
]
BY_ID = {one["id"]: one for one in PROBES}


def asking(index: int, probe_id: str, *, current: bool = False, mark: dict[str, Any] | None = None) -> dict[str, Any]:
    one = BY_ID[probe_id]
    return {
        "id": ASKED[index],
        "tree": probe_id.partition("/")[0],
        "probe": probe_id,
        "seq": index + 2,
        "by": SEATS["lead"],
        "level": one["level"],
        "title": one["title"],
        "lang": "en",
        "scored": True,
        "made_at": datetime(2026, 3, 12, 9, 10 + 6 * index, 0, tzinfo=UTC),
        "current": current,
        "retracted": False,
        "late": False,
        "mark": mark,
    }


def tree(key: str, title: str, *, asked: list[dict[str, Any]], minutes: int = 12, **more: Any) -> dict[str, Any]:
    return {
        "key": key,
        "title": title,
        "lang": "en",
        "minutes": minutes,
        "top_level": 4,
        "misses_to_end": 2,
        "retry_unclear": True,
        "optional": more.get("optional", False),
        "probes": more.get("probes", 5),
        "asker": more.get("asker", ""),
        "current": any(one["current"] for one in asked),
        "asked": asked,
    }


MARK = {
    "asked": ASKED[0],
    "outcome": "sustained",
    "aid": "clarified",
    "ratings": {"depth": 3},
    "confidence": None,
    "version": 2,
}
HAND = {"probe": "zero/hybrid", "title": "Why a hybrid layout", "lang": "en"}
LINE = {
    "id": ASKED[0],
    "seq": 4,
    "seat": SEATS["observer"],
    "name": "Dee",
    "made_at": NOW,
    "text": "Shall we ask about the layout?",
}


def context(role: str = "lead", *, status: str = "live") -> dict[str, Any]:
    """Return what room.html reads, for a seat of this role: two probes asked, the first one marked."""
    judges = role in {"lead", "interviewer", "shadow"}
    current = copy.deepcopy(BY_ID["zero/cost"])
    asked = [
        asking(0, "zero/split", mark=dict(MARK) if judges else None),
        asking(1, "zero/cost", current=True),
    ]
    follow_ups = [one["follow"] for one in PROBES if one["parent"] == "zero/cost"]
    return {
        "room": {
            "code": ROOM,
            "epoch": 1,
            "heads": {"all": 1, "panel": 3, "mine": 2},
            "socket": f"/ws/interviews/{ROOM}/",
            "controls": f"/interviews/{ROOM}/controls/",
            "now": NOW,
            "leave": "/",
            "prepare": "/prepare/",
        },
        "seat": {"id": SEATS[role], "role": role, "name": NAMES[role]},
        "person": "7",
        "candidate_name": "Candidate 7",
        "position_title": "Research engineer, training systems",
        "status": {
            "status": status,
            "started_at": STARTED,
            "paused_at": None,
            "paused_seconds": 0,
            "pauses": [],
            "ended_at": None,
            "minutes": 60,
            "ended_by_itself": False,
        },
        "trees": [
            tree("zero", "ZeRO’s three stages", asked=asked),
            tree("evaluation", "Designing an evaluation", asked=[], minutes=15, asker="Bo"),
            tree("rag", "Fine-tuning or RAG", asked=[], minutes=8),
            tree("a2a", "A2A", asked=[], minutes=4, optional=True),
        ],
        "current": {
            "asked": ASKED[1],
            "made_at": datetime(2026, 3, 12, 9, 22, 26, tzinfo=UTC),
            "tree_title": "ZeRO’s three stages",
            "tree_lang": "en",
            "top_level": 4,
            "probe": current,
        },
        "seats": [
            {
                "seat": SEATS[one],
                "name": NAMES[one],
                "role": one,
                "admitted": one != "candidate",
                "consented": True,
                "hand": HAND if one == "interviewer" else None,
            }
            for one in SEATS
        ],
        "shared": None,
        "may_judge": judges,
        "may_lead": role == "lead",
        "may_edit": role == "lead",
        "every_anchor": [
            {"aim": aim, "rating": n, **words(f"Anchor {n} of {aim}")}
            for aim in ("depth", "why", "hands_on")
            for n in range(5)
        ],
        "lead_name": "Ana",
        "hand_to": [{"seat": SEATS["interviewer"], "name": "Bo"}],
        "offers": [
            {"seat": SEATS["interviewer"], "name": "Bo", "may_lead": True, "hand": HAND, "tree": "", "tree_lang": ""}
        ]
        if role == "lead"
        else [],
        "may_reopen": role == "lead",
        "chat": {"on": True, "lines": [LINE, {**LINE, "id": ASKED[1], "seq": 5, "text": None}]},
        "next_for": "zero/cost",
        "follow_ups": follow_ups,
        "probes": copy.deepcopy(PROBES) if role != "observer" else [],
        "outline": [
            {
                "key": "zero",
                "title": "ZeRO’s three stages",
                "lang": "en",
                "minutes": 12,
                "asker": "Ana",
                "probes": [{**one, "earlier": one["id"] == "zero/carry", "after": ""} for one in PROBES],
            }
        ]
        if judges
        else [],
        "dock": {
            "note": {"asked": None, "text": "", "version": 0},
            "askings": [
                {
                    "asked": one["id"],
                    "evidence": [],
                    "reasons": [],
                    "note": {"asked": one["id"], "text": "", "version": 0},
                }
                for one in asked
            ],
            "boundaries": [
                {"tree": key, "ended": None, "override": None, "version": 0}
                for key in ("zero", "evaluation", "rag", "a2a")
            ],
        },
        "mine": {
            "marks": [MARK] if judges else [],
            "boundaries": [],
            "evidence": [],
            "reasons": [],
            "notes": [],
        },
        "card_url": "/card/",
        "opened": ["rag"],
        "extra_percent": 25 if judges else 0,
        "retention_days": 180,
        "prepared": {
            "claims": ["Trained a 70B model"],
            "accommodations": "A break each 20 minutes",
            "note": "Ask about the switch",
        }
        if judges
        else None,
        "connected": [["2026-03-12T08:55:00.000Z", "2026-03-12T09:24:00.000Z"]],
    }


def draw(template: str, given: dict[str, Any], *, language: str = "en", path: str = "/room") -> str:
    """Render a template of the project as a signed-out visitor's request would."""
    request = RequestFactory().get(path)
    request.user = AnonymousUser()
    with translation.override(language):
        return render_to_string(template, given, request)


def candidate_context(*, admitted: bool = True, status: str = "live") -> dict[str, Any]:
    """Return what candidate_room.html reads."""
    given = context("candidate", status=status)
    return {
        "room": {**given["room"], "heads": {"all": 1} if admitted else {}},
        "status": given["status"],
        "shared": None,
        "admitted": admitted,
        "position_title": given["position_title"],
        "meeting_link": "",
        "agenda": [{"title": "Training", "lang": "en", "minutes": 20}] if admitted else [],
        "extra_percent": 0,
        "name": NAMES["candidate"],
        "starts_at": STARTED,
        "time_zone": "Europe/Berlin",
    }


def notice_context(*, problem: str = "") -> dict[str, Any]:
    """Return what candidate_notice.html reads."""
    return {
        "interview": {"starts_at": STARTED, "time_zone": "Europe/Berlin", "minutes": 60},
        "position": {"title": "Research engineer, training systems"},
        "name": NAMES["candidate"],
        "retention_days": 180,
        "notice": "1",
        "problem": problem,
        "meeting_link": "",
    }
