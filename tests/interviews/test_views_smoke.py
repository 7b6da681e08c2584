from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.cast import Cast
from tests.support.factories import make_scene

pytestmark = pytest.mark.db


def test_pages_are_drawn(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    client.force_login(cast.mara)
    for name, args in [
        ("position-list", []),
        ("position-create", []),
        ("position-detail", [scene.position.code]),
        ("position-edit", [scene.position.code]),
        ("application-create", [scene.position.code]),
        ("application-detail", [scene.application.code]),
        ("application-edit", [scene.application.code]),
        ("interview-create", [scene.application.code]),
        ("interview-list", []),
        ("interview-detail", [scene.interview.code]),
        ("preparation", [scene.interview.code]),
        ("interview-move", [scene.interview.code]),
        ("interview-cancel", [scene.interview.code]),
        ("interview-no-show", [scene.interview.code]),
        ("seat-add", [scene.interview.code]),
        ("seat-replace", [scene.bo.code]),
        ("card-excuse", [scene.bo.code]),
    ]:
        assert client.get(reverse(f"interviews:{name}", args=args)).status_code == 200, name
    assert client.get("/").status_code == 200
