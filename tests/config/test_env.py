"""Variables are read as what they are meant to be, or refused with a remedy that holds no secret."""

from __future__ import annotations

import pytest

from config import env

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("url", "host", "port", "tls", "ssl"),
    [
        ("smtp+tls://sounding:p%40ss%3A@mail.example", "mail.example", 587, True, False),
        ("smtps://sounding:p%40ss%3A@mail.example:4650", "mail.example", 4650, False, True),
        ("smtp://sounding:p%40ss%3A@[::1]", "::1", 25, False, False),
    ],
)
def test_mail_server_is_read_from_its_address(url: str, host: str, port: int, tls: bool, ssl: bool) -> None:
    found = env.mail(url)

    assert (found["EMAIL_HOST"], found["EMAIL_PORT"]) == (host, port)
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (tls, ssl)
    assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("sounding", "p@ss:")


@pytest.mark.parametrize(
    "url", ["mail.example", "http://u:secret@mail.example", "smtp://", "smtps://u:secret@h:no", "smtp://h:99999"]
)
def test_what_is_no_mail_server_is_refused_without_telling_the_password(url: str) -> None:
    with pytest.raises(env.BadEnvironment, match=r"EMAIL_URL.*smtp\+tls://") as refused:
        env.mail(url)

    assert "secret" not in str(refused.value)
