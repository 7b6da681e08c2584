"""Pages of accounts, for administrators; preferences, for everyone."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from people.models import Person
from tests.cast import PASSWORD, Cast

pytestmark = pytest.mark.db

NEW = {
    "name": "New",
    "email": "new@sounding.example",
    "roles": ["interviewer", "observer"],
    "language": "en",
    "time_zone": "Europe/Paris",
}


def pages(cast: Cast) -> list[str]:
    return [
        reverse("people:person-list"),
        reverse("people:person-create"),
        reverse("people:person-edit", args=[cast.bo.code]),
    ]


def test_people_pages_are_for_administrators(client: Client, cast: Cast) -> None:
    for person in (cast.mara, cast.cora, cast.bo, cast.sam):
        client.force_login(person)
        assert [client.get(page).status_code for page in pages(cast)] == [403, 403, 403]
        assert client.post(pages(cast)[1], NEW).status_code == 403

    assert not Person.objects.filter(email=NEW["email"]).exists()


def test_people_pages_send_a_visitor_to_sign_in(client: Client, cast: Cast) -> None:
    for page in [*pages(cast), reverse("people:preferences")]:
        assert client.get(page).status_code == 302
        assert client.get(page)["Location"].startswith(reverse("account_login"))


@pytest.mark.parametrize("extra", [1, 3])
def test_person_list_asks_the_same_for_few_and_many(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, extra: int
) -> None:
    for number in range(extra):
        Person.objects.create_user(f"more{number}@sounding.example", name=f"More {number}", roles=["observer"])
    client.force_login(cast.ada)

    with django_assert_num_queries(3):  # session, person, people
        page = client.get(reverse("people:person-list"))

    assert len(BeautifulSoup(page.content, "html.parser").select("tbody tr")) == 11 + extra


def test_person_list_finds_by_part_of_the_address(client: Client, cast: Cast) -> None:
    client.force_login(cast.ada)

    page = client.get(reverse("people:person-list"), {"q": "chen@"})

    assert [row.th.a.text for row in BeautifulSoup(page.content, "html.parser").select("tbody tr")] == ["Chen"]


def test_person_list_bears_any_question(client: Client, cast: Cast) -> None:
    client.force_login(cast.ada)

    page = client.get(reverse("people:person-list"), {"q": "\x00 % ' 好"})

    assert page.status_code == 200
    assert "Nobody is called that." in page.content.decode()


def test_person_create_shows_a_link_by_which_the_new_person_signs_in(client: Client, cast: Cast) -> None:
    client.force_login(cast.ada)

    made = client.post(reverse("people:person-create"), NEW)

    assert made.status_code == 200
    assert "no-store" in made["Cache-Control"]
    link = BeautifulSoup(made.content, "html.parser").select_one("#link")["value"]
    visitor = Client()
    form = visitor.get(link.removeprefix("http://testserver"), follow=True)
    assert form.status_code == 200
    visitor.post(form.redirect_chain[-1][0], {"password1": PASSWORD, "password2": PASSWORD})
    signed_in = visitor.post(reverse("account_login"), {"login": NEW["email"], "password": PASSWORD})
    assert signed_in.status_code == 302
    assert Person.objects.get(email=NEW["email"]).roles == ["interviewer", "observer"]


def test_person_create_says_what_is_wrong_and_changes_nothing(client: Client, cast: Cast) -> None:
    client.force_login(cast.ada)

    page = client.post(reverse("people:person-create"), {**NEW, "time_zone": "Berlin", "roles": ["king"]})

    assert page.status_code == 422
    assert "no time zone we know" in page.content.decode()
    assert not Person.objects.filter(email=NEW["email"]).exists()


def test_person_edit_changes_and_closes_an_account(client: Client, cast: Cast) -> None:
    browser = Client()
    browser.force_login(cast.bo)
    client.force_login(cast.ada)
    url = reverse("people:person-edit", args=[cast.bo.code])

    done = client.post(url, {**NEW, "email": cast.bo.email, "name": "Bo B."})

    assert done.status_code == 302
    cast.bo.refresh_from_db()
    assert (cast.bo.name, cast.bo.is_active) == ("Bo B.", False)
    assert browser.get("/").status_code == 302  # signed out by it


def test_person_edit_shows_what_the_service_refuses_beside_the_field(client: Client, cast: Cast) -> None:
    client.force_login(cast.ada)

    page = client.post(
        reverse("people:person-edit", args=[cast.bo.code]), {**NEW, "email": cast.ana.email, "is_active": "on"}
    )

    assert page.status_code == 422
    error = BeautifulSoup(page.content, "html.parser").select_one("#id_email_error")
    assert error.get_text(strip=True) == "Ana has an account with this address."


def test_person_link_is_made_by_post_only(client: Client, cast: Cast) -> None:
    client.force_login(cast.ada)
    url = reverse("people:person-link", args=[cast.bo.code])

    assert client.get(url).status_code == 405
    assert b'id="link"' in client.post(url).content


def test_preferences_win_over_what_this_browser_chose_before(client: Client, cast: Cast) -> None:
    client.force_login(cast.bo)
    client.post(reverse("people:language"), {"language": "en", "next": "/"})
    client.post(reverse("people:theme"), {"theme": "light", "next": "/"})

    done = client.post(
        reverse("people:preferences"), {"language": "zh-hans", "time_zone": "Asia/Shanghai", "theme": "dark"}
    )
    for name in [name for name, cookie in done.cookies.items() if cookie["max-age"] == 0]:
        del client.cookies[name]  # as browsers do, and Django's test client does not

    page = client.get(reverse("people:preferences"))
    html = BeautifulSoup(page.content, "html.parser").html
    assert (html["lang"], html["data-theme"]) == ("zh-Hans", "dark")


def test_preferences_refuse_an_unknown_zone(client: Client, cast: Cast) -> None:
    client.force_login(cast.bo)
    sent: dict[str, Any] = {"language": "en", "time_zone": "Mars/Base", "theme": "dark"}

    page = client.post(reverse("people:preferences"), sent)

    assert page.status_code == 422
    cast.bo.refresh_from_db()
    assert cast.bo.time_zone == "Europe/Berlin"


def test_sign_in_by_address_whatever_its_case_and_sign_out(client: Client, cast: Cast) -> None:
    done = client.post(reverse("account_login"), {"login": "Mara@Sounding.Example", "password": PASSWORD})
    assert done.status_code == 302
    assert client.get("/").status_code == 200

    client.post(reverse("account_logout"))

    assert client.get("/").status_code == 302


def test_sign_in_is_refused_for_a_closed_account(client: Client, cast: Cast) -> None:
    client.post(reverse("account_login"), {"login": cast.fay.email, "password": PASSWORD})

    assert client.get("/").status_code == 302


def test_signing_up_is_closed(client: Client, cast: Cast) -> None:
    client.post(
        reverse("account_signup"), {"email": "x@sounding.example", "password1": PASSWORD, "password2": PASSWORD}
    )

    assert Person.objects.count() == 11


def test_entrance_says_e_mail_and_names_the_way_to_a_new_password_once(client: Client) -> None:
    door = client.get(reverse("account_login")).content.decode()
    lost = client.get(reverse("account_reset_password")).content.decode()

    assert door.count(f'href="{reverse("account_reset_password")}"') == 1
    for page in (door, lost):
        assert "E-mail" in page
        assert "Email" not in page
