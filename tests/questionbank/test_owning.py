"""Who looks after a tree: said on its page, changed by curators, taken by who begins it."""

from __future__ import annotations

import pytest
from django.test import Client

from people.models import AuditEntry
from people.refusal import Refused
from questionbank.exchange.yaml import read
from questionbank.models import Topic, Tree
from questionbank.services.drafting import new_tree
from questionbank.services.importing import import_readings
from questionbank.services.owning import possible_owners, set_owner
from tests.cast import Cast
from tests.questionbank.outlines import SOURCE
from tests.support.factories import make_tree

pytestmark = [pytest.mark.db, pytest.mark.django_db]


def test_curators_and_administrators_can_look_after_a_tree(cast: Cast) -> None:
    tree = make_tree("data-parallel").tree

    assert list(possible_owners()) == [cast.ada, cast.cora]
    with pytest.raises(Refused, match="Ana is neither curator nor administrator"):
        set_owner(tree, cast.ana, by=cast.cora)
    set_owner(tree, cast.cora, by=cast.ada)
    tree.refresh_from_db()
    assert tree.owner == cast.cora
    assert AuditEntry.objects.get(action="tree.owned").data == {"owner": cast.cora.pk}


def test_who_begins_or_imports_a_tree_looks_after_it(cast: Cast) -> None:
    topic = Topic.objects.create(key="topic", title={"en": "Topic"})
    assert new_tree(topic, {"en": "Begun"}, cast.cora).tree.owner == cast.cora

    import_readings([read(SOURCE.encode(), file="x")], by=cast.ada)
    imported = Tree.objects.exclude(key="begun").get()
    assert imported.owner == cast.ada

    set_owner(imported, cast.cora, by=cast.ada)
    import_readings([read(SOURCE.replace("Drift", "Drifting").encode(), file="x")], by=cast.ada)
    imported.refresh_from_db()
    assert imported.owner == cast.cora


def test_the_owner_is_changed_on_a_page(cast: Cast, client: Client) -> None:
    make_tree("data-parallel")
    client.force_login(cast.cora)
    path = "/bank/trees/data-parallel/owner/"

    assert client.post(path, {"owner": str(cast.ana.code)}).status_code == 422
    assert client.post(path, {"owner": "x"}).status_code == 422
    assert client.post(path, {"owner": str(cast.cora.code)}).status_code == 302
    assert "Looked after by Cora." in client.get("/bank/trees/data-parallel/").content.decode()
    assert client.get("/bank/trees/none/owner/").status_code == 404
    client.post(path, {"owner": ""})
    assert "Nobody looks after it." in client.get("/bank/trees/data-parallel/").content.decode()
