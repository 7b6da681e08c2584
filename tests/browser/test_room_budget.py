"""How much script the room's page loads, as it comes over the line."""

from __future__ import annotations

import pytest
from django.conf import settings

from tests.browser.rooms import OpenPage, enter_room
from tests.cast import Cast
from tests.support.factories import make_scene
from tests.support.web import Web

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OURS = 60 * 1024
VENDORED = 26 * 1024
LOADED = """() => performance.getEntriesByType("resource")
  .map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])
  .filter(([path]) => path.endsWith(".js"))"""


def test_room_loads_no_more_script_than_it_may(pages: OpenPage, web: Web, cast: Cast) -> None:
    room = enter_room(pages, web, make_scene(cast).interview, cast.ana)

    loaded = {path.removeprefix(settings.STATIC_URL): size for path, size in room.evaluate(LOADED)}

    ours = {name: size for name, size in loaded.items() if name.startswith("js/")}
    vendored = {name: size for name, size in loaded.items() if name.startswith("vendor/")}
    assert len(ours) > 20
    assert sum(ours.values()) <= OURS, sorted(ours.items(), key=lambda one: -one[1])
    assert sum(vendored.values()) <= VENDORED
