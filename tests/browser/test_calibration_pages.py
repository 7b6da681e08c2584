"""The switch to raw from the keyboard, and the calibration's page as axe and narrow screens see it."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from interviews.enums import InterviewStatus
from scoring.services.panels import compile_application
from tests.browser.looks import LOOKS, faults
from tests.cast import make_cast
from tests.support.calibrations import make_run
from tests.support.compared import calibrate
from tests.support.factories import make_scene
from tests.support.judging import judged_scene, submit
from tests.support.web import Web, session_of

pytestmark = pytest.mark.browser


def test_values_are_switched_by_key_and_the_calibration_is_drawn_without_fault(
    page: Page, context: BrowserContext, web: Web
) -> None:
    cast = make_cast()
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    judged_scene(scene)
    for seat in (scene.ana, scene.bo, scene.chen):
        submit(seat)
    compile_application(scene.application.pk)
    calibrate(scene.application, depth=(3.14, 2.6, 3.6))
    make_run([cast.ana, cast.bo, cast.chen, cast.dee, cast.sam, cast.fay], candidates=40)
    context.add_cookies([{"name": "sessionid", "value": session_of(cast.mara), "url": web.url}])
    page.goto(f"{web.url}/applications/{scene.application.code}/panel/")
    values = page.get_by_role("navigation", name="Which values are shown")
    expect(values.get_by_role("link", name="Raw")).to_be_visible()

    page.keyboard.press("v")
    page.wait_for_url("**/panel/?values=raw")  # and for its scripts
    expect(values.get_by_role("link", name="Calibrated")).to_be_visible()
    expect(page.locator("main")).not_to_contain_text("3.14")
    page.keyboard.press("v")
    expect(page.locator("main")).to_contain_text("3.14")

    page.goto(f"{web.url}/calibration/")
    for details in page.locator("main details").all():
        details.evaluate("details => { details.open = true; }")
    for look in LOOKS:
        assert faults(page, look) == [], look
