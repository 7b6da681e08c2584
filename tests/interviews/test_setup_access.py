"""Who reaches which page of set-up: role x route x method, as one table.

Mara manages, Ada administers, Nils manages another position, Ana leads, Eli listens, Sam has no part, None visits.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from people.models import AuditEntry
from tests.cast import Cast
from tests.support.factories import Scene, make_position, make_scene

pytestmark = pytest.mark.db

WHO = ("mara", "ada", "nils", "ana", "eli", "sam", "cora", None)
Target = Callable[[Scene], list[object]]


def position(scene: Scene) -> list[object]:
    return [scene.position.code]


def application(scene: Scene) -> list[object]:
    return [scene.application.code]


def interview(scene: Scene) -> list[object]:
    return [scene.interview.code]


def seat(scene: Scene) -> list[object]:
    return [scene.bo.code]


def nothing(_scene: Scene) -> list[object]:
    return []


ALL = (200, 200, 200, 200, 200, 200, 200, 302)
MANAGERS = (200, 200, 200, 403, 403, 403, 403, 302)
OWN = (200, 200, 404, 403, 403, 404, 404, 302)
SEATED = (200, 200, 404, 200, 200, 404, 404, 302)
PREPARING = (200, 200, 404, 200, 403, 404, 404, 302)
# Posting: what the right is, the rest as for reading. Empty forms of those with the right are refused, not obeyed.
ROWS: list[tuple[str, Target, str, tuple[int, ...]]] = [
    ("position-list", nothing, "get", MANAGERS),
    ("position-create", nothing, "get", MANAGERS),
    ("position-create", nothing, "post", (422, 422, 422, 403, 403, 403, 403, 302)),
    ("position-detail", position, "get", OWN),
    ("position-edit", position, "get", OWN),
    ("position-edit", position, "post", (422, 422, 404, 403, 403, 404, 404, 302)),
    ("application-create", position, "get", OWN),
    ("application-create", position, "post", (422, 422, 404, 403, 403, 404, 404, 302)),
    ("application-detail", application, "get", OWN),
    ("application-edit", application, "get", OWN),
    ("application-edit", application, "post", (422, 422, 404, 403, 403, 404, 404, 302)),
    ("application-loop", application, "post", (400, 400, 404, 403, 403, 404, 404, 302)),
    ("interview-create", application, "get", OWN),
    ("interview-create", application, "post", (422, 422, 404, 403, 403, 404, 404, 302)),
    ("interview-list", nothing, "get", ALL),
    ("interview-detail", interview, "get", SEATED),
    ("preparation", interview, "get", PREPARING),
    ("interview-move", interview, "get", OWN),
    ("interview-move", interview, "post", (422, 422, 404, 403, 403, 404, 404, 302)),
    ("interview-cancel", interview, "get", OWN),
    ("interview-cancel", interview, "post", (422, 422, 404, 403, 403, 404, 404, 302)),
    ("interview-no-show", interview, "get", OWN),
    ("interview-no-show", interview, "post", (422, 422, 404, 403, 403, 404, 404, 302)),
    ("seat-add", interview, "get", OWN),
    ("seat-add", interview, "post", (422, 422, 404, 403, 403, 404, 404, 302)),
    ("seat-replace", seat, "get", OWN),
    ("seat-replace", seat, "post", (422, 422, 404, 403, 403, 404, 404, 302)),
    ("seat-remove", seat, "get", (405, 405, 405, 405, 405, 405, 405, 302)),
    ("card-excuse", seat, "get", OWN),
    ("card-excuse", seat, "post", (422, 422, 404, 403, 403, 404, 404, 302)),
]


@pytest.mark.parametrize(
    ("name", "target", "method", "expected"), ROWS, ids=lambda value: getattr(value, "__name__", str(value))
)
def test_access(cast: Cast, name: str, target: Target, method: str, expected: tuple[int, ...]) -> None:
    scene = make_scene(cast)
    make_position(cast.nils, title="Another")
    url = reverse(f"interviews:{name}", args=target(scene))

    statuses = []
    for who in WHO:
        client = Client()
        if who:
            client.force_login(getattr(cast, who))
        statuses.append(getattr(client, method)(url).status_code)

    assert tuple(statuses) == expected
    assert not AuditEntry.objects.exists()


def test_the_candidates_seat_has_no_page(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    client.force_login(cast.mara)

    assert client.get(reverse("interviews:seat-replace", args=[scene.candidate.code])).status_code == 404
    assert client.post(reverse("interviews:seat-remove", args=[scene.candidate.code])).status_code == 404


def test_a_manager_whose_role_was_taken_away_reaches_nothing(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    cast.mara.roles = ["observer"]
    cast.mara.save(update_fields=["roles"])
    client.force_login(cast.mara)

    assert client.get(reverse("interviews:position-detail", args=[scene.position.code])).status_code == 404


def test_who_was_replaced_and_owes_nothing_no_longer_reaches_the_interview(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    scene.bo.removed_at = scene.bo.added_at
    scene.bo.save(update_fields=["removed_at"])
    client.force_login(cast.bo)
    url = reverse("interviews:interview-detail", args=[scene.interview.code])

    assert client.get(url).status_code == 404
    scene.bo.card_owed = True
    scene.bo.save(update_fields=["card_owed"])
    assert client.get(url).status_code == 200
