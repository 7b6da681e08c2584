"""The word beside the seats: what would tell most of how strict interviewers are, in words, from the stored run."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from django.urls import reverse

from interviews.models import Application, Interview
from scoring.services.calibration import calibrate_closed
from tests.cast import Cast
from tests.scoring.test_calibration_runs import Shop
from tests.support.factories import make_application, make_interview
from tests.support.pages import as_

pytestmark = pytest.mark.db


def said(cast: Cast, address: str, **sent: object) -> str:
    client = as_(cast.mara)
    page = client.post(address, sent) if sent else client.get(address)
    section = BeautifulSoup(page.content, "html.parser").find(id="pairing")
    assert section is not None
    assert section.parent is not None
    return " ".join(section.parent.get_text(" ").split())


def new(application: Application) -> str:
    return reverse("interviews:interview-create", kwargs={"application": application.code})


def test_before_there_is_a_calibration_the_page_says_so(cast: Cast) -> None:
    shop = Shop(cast)

    assert "Nothing can be told yet." in said(cast, new(make_application(shop.position)))


def test_the_manager_is_told_whom_to_seat_and_why(cast: Cast) -> None:
    shop = Shop(cast)
    for _ in range(5):
        shop.apply()
    assert calibrate_closed() is not None
    application = make_application(shop.position)

    # Whoever has no closed interview is known least, beside somebody who has.
    nobody_yet = said(cast, new(application))
    picked = said(cast, new(application), lead=str(cast.ana.code), interviewers=[str(cast.bo.code)])
    interview: Interview = make_interview(application, lead=cast.ana, versions=[shop.version])
    seat = said(cast, reverse("interviews:seat-add", kwargs={"code": interview.code}))

    for words in (nobody_yet, picked, seat):
        assert "as interviewer tells how strict they are" in words
        assert "it says nothing of this candidate" in words
    assert "beside Ana" in picked
    assert "and Bo" in picked
    assert "beside Ana" in seat
