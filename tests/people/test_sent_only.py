"""An address that only takes what is sent to it leads who comes there by a link to the page that it belongs to."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from django.conf import settings

from tests.cast import Cast
from tests.support.factories import make_scene
from tests.support.pages import as_

pytestmark = pytest.mark.db


@pytest.mark.parametrize(("language", "words"), [("en", "To the page"), ("zh-hans", "返回该页面")])
def test_who_reloads_a_refused_form_is_led_back_in_their_language(cast: Cast, language: str, words: str) -> None:
    bo = as_(cast.bo)
    bo.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    card = f"/cards/{make_scene(cast).bo.code}/"

    answer = bo.get(f"{card}submit")

    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    link = BeautifulSoup(answer.content, "html.parser").select_one("main a.button")
    assert link is not None
    assert (link["href"], link.get_text()) == (card, words)


def test_the_way_back_skips_addresses_that_are_none(cast: Cast) -> None:
    answer = as_(cast.bo).get("/language/")

    assert answer.status_code == 405
    assert b'href="/"' in answer.content


def test_programs_are_told_nothing_more_than_what_is_allowed(cast: Cast) -> None:
    answer = as_(cast.bo).delete(f"/cards/{make_scene(cast).bo.code}/submit")

    assert (answer.status_code, answer.content) == (405, b"")
