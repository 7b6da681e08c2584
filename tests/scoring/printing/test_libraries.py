"""What PDF needs of the system, said in the names that help; and that nobody pays for it who asked for no PDF."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from scoring.printing import libraries
from scoring.printing.child import OurFilesOnly
from scoring.printing.fonts import subset
from scoring.printing.libraries import NoPango, missing_packages
from scoring.printing.style import with_drawing_style

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[3]


def test_nothing_is_missing_where_tests_run() -> None:
    assert missing_packages() == ()


def test_what_is_missing_is_named_once_for_each_package(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = {"libnowhere-1.so.0": "libpango-1.0-0", "libnowhere-2.so.0": "libpango-1.0-0", "libc.so.6": "libc6"}
    monkeypatch.setattr(libraries, "LIBRARIES", lacking)

    assert missing_packages() == ("libpango-1.0-0",)
    assert NoPango(missing_packages()).command == "apt-get install libpango-1.0-0"


def test_starting_loads_neither_weasyprint_nor_the_parts_of_scipy() -> None:
    """The whole site with every address: what draws PDFs comes in when one is asked for, in a process of its own, and
    what solves equations with the first ones. They would be half of every process's start."""
    start = (
        "import sys, django; django.setup()\n"
        "from django.urls import get_resolver; import scoring.views.prints; get_resolver().url_patterns\n"
        "late = ('weasyprint', 'fontTools', 'scipy.stats', 'scipy.optimize', 'scipy.linalg', 'scipy.sparse')\n"
        "sys.exit(' '.join(name for name in late if name in sys.modules) or 0)"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}

    done = subprocess.run([sys.executable, "-c", start], cwd=ROOT, env=environment, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")


def test_a_document_reads_no_address_but_our_own_files() -> None:
    fetcher = OurFilesOnly(allowed_protocols={"file"})

    for url in ("http://127.0.0.1/", "file:///etc/passwd", f"{ROOT.as_uri()}/config/settings.py"):
        with pytest.raises(ValueError, match="not ours"):
            fetcher.fetch(url)


def test_every_drawing_brings_its_style() -> None:
    html = with_drawing_style('<svg class="a" viewBox="0 0 1 1"><g/></svg><p><svg><g/></svg>')

    assert html.count("<style>") == 2
    assert html.startswith('<svg class="a" viewBox="0 0 1 1"><style>text {')


def test_the_face_is_small_holds_every_hanzi_of_gbk_and_says_its_licence() -> None:
    with TTFont(subset.FACE, lazy=True) as face:
        known = set(face.getBestCmap())
        names = {number: face["name"].getDebugName(number) for number in (0, 1, 13)}
    hanzi = {point for point in range(0x4E00, 0x9FA6) if chr(point).encode("gbk")}

    assert subset.FACE.stat().st_size < 6_000_000
    assert len(hanzi) == 20_902
    assert hanzi - known == set()
    assert {ord(letter) for letter in "AZaz09àßøǎΩЖ—“”，。《》…·"} - known == set()
    assert names[1] == subset.FAMILY
    assert "Adobe" in str(names[0])
    assert "SIL Open Font License" in str(names[13])
    assert "SIL OPEN FONT LICENSE Version 1.1" in subset.FACE.with_name("OFL.txt").read_text(encoding="utf-8")
