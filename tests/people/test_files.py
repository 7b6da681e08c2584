"""Names of files that people send."""

from __future__ import annotations

import pytest

from people.files import clean_name

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd.pdf", "passwd.pdf"),
        ("C:\\Users\\kim\\cv.pdf", "cv.pdf"),
        ('a"b\r\nSet-Cookie: x.pdf', "a'b Set-Cookie: x.pdf"),
        ("cv\u202efdp.exe.pdf", "cv fdp.exe.pdf"),
        (".hidden.pdf", "hidden.pdf"),
        ("简历.pdf", "简历.pdf"),
        ("", "file"),
    ],
)
def test_clean_name_keeps_only_a_name(given: str, kept: str) -> None:
    assert clean_name(given) == kept


def test_clean_name_keeps_the_ending_of_a_long_one() -> None:
    name = clean_name("x" * 400 + ".pdf")

    assert len(name) == 160
    assert name.endswith("x.pdf")
