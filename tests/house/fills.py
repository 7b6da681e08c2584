"""How an address is filled in from a scene. Bo's card is the one that card addresses name, Chen's seat the one that is
replaced or removed.
"""

from __future__ import annotations

from typing import Any

from questionbank.enums import UploadState
from questionbank.models import Upload
from scoring.models import Judge
from tests.house.answers import Fill
from tests.support.factories import Scene


def position(scene: Scene) -> dict[str, Any]:
    return {"code": scene.position.code}


def application(scene: Scene) -> dict[str, Any]:
    return {"code": scene.application.code}


def candidate(scene: Scene) -> dict[str, Any]:
    return {"code": scene.application.candidate.code}


def interview(scene: Scene) -> dict[str, Any]:
    return {"code": scene.interview.code}


def seat(scene: Scene) -> dict[str, Any]:
    return {"code": scene.chen.code}


def card(scene: Scene) -> dict[str, Any]:
    return {"seat": scene.bo.code}


def person(scene: Scene) -> dict[str, Any]:
    return {"code": scene.cast.sam.code}


def judge(scene: Scene) -> dict[str, Any]:
    return {"code": Judge.objects.filter(created_by=scene.cast.mara).first().code}


def tree(scene: Scene) -> dict[str, Any]:
    return {"key": scene.versions[0].tree.key}


def probe(scene: Scene) -> dict[str, Any]:
    return {**tree(scene), "probe": "l2"}


def plan(scene: Scene) -> dict[str, Any]:
    return {"key": scene.plan.key}


def suggestion(scene: Scene) -> dict[str, Any]:
    return {"code": scene.versions[0].tree.suggestions.first().pk}


def upload(scene: Scene) -> dict[str, Any]:
    return {"code": Upload.objects.get(by=scene.cast.cora, state=UploadState.PREVIEW).code}


def numbered(fill: Fill) -> Fill:
    return lambda scene: {**fill(scene), "number": 1}
