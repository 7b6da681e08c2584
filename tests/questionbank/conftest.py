"""One tree on its way: a draft of Cora's that lacks nothing, sent to Ada, published by her."""

from __future__ import annotations

import pytest

from questionbank.exchange.yaml import read
from questionbank.models import TreeVersion
from questionbank.services.importing import import_readings
from questionbank.services.publishing import publish, send_for_review
from tests.cast import Cast
from tests.questionbank.outlines import SOURCE


@pytest.fixture
def draft(cast: Cast) -> TreeVersion:
    import_readings([read(SOURCE.encode(), file="clocks.yaml")], by=cast.cora)
    return TreeVersion.objects.select_related("tree", "status").get()


@pytest.fixture
def sent(cast: Cast, draft: TreeVersion) -> TreeVersion:
    send_for_review(draft, reviewer=cast.ada, by=cast.cora)
    return draft


@pytest.fixture
def published(cast: Cast, sent: TreeVersion) -> TreeVersion:
    publish(sent, by=cast.ada)
    return sent
