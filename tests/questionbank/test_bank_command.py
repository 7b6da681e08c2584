"""`manage.py bank`: what it prints, what it writes, how it refuses."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from questionbank.exchange.files import read_bytes, read_paths
from questionbank.models import Probe, TreeVersion
from questionbank.outline import OutlineTree
from questionbank.services.importing import ImportRefused, import_readings
from tests.cast import Cast
from tests.questionbank.outlines import SOURCE
from tests.support.factories import make_tree

pytestmark = [pytest.mark.db, pytest.mark.django_db]

BANK = Path(__file__).resolve().parents[2] / "questionbank" / "bank"


def bank(*words: object) -> tuple[str, str]:
    """Run the command; return what it printed on standard output and on standard error."""
    out, err = io.StringIO(), io.StringIO()
    call_command("bank", *map(str, words), stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def starter_trees() -> list[OutlineTree]:
    return [reading.tree for reading in read_paths([BANK]) if reading.tree]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "clocks.yaml"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_import_prints_the_counts(file: Path) -> None:
    out, _err = bank("import", file)

    assert out.splitlines() == [
        f"{file}: clocks: version 1",
        "topics 1, trees 1, probes 2: added 2, changed 0, left 0, not placed 0",
    ]
    out, _err = bank("import", file)
    assert out.splitlines() == [
        f"{file}: clocks: version 1 left as it is",
        "topics 1, trees 1, probes 2: added 0, changed 0, left 2, not placed 0",
    ]


def test_import_of_the_starter_bank_twice() -> None:
    first, _err = bank("import", BANK, "--publish")
    second, _err = bank("import", BANK, "--publish")

    trees = starter_trees()
    topics, probes = len({tree.topic.key for tree in trees}), sum(len(tree.probes) for tree in trees)
    whole = f"topics {topics}, trees {len(trees)}, probes {probes}"
    assert first.splitlines()[-1] == f"{whole}: added {probes}, changed 0, left 0, not placed 0"
    assert second.splitlines()[-1] == f"{whole}: added 0, changed 0, left {probes}, not placed 0"
    assert "plan training-systems: left" in second


def test_import_names_what_changed(file: Path) -> None:
    bank("import", file)
    file.write_text(SOURCE.replace("minutes: 4", "minutes: 5"), encoding="utf-8")

    out, _err = bank("import", file, "--dry-run", "--publish")

    assert out.splitlines() == [
        f"{file}: clocks: version 2; changed clock-next; published",
        f"{file}:2: Version 1 of `clocks` is open. The import makes version 2 beside it. "
        "Publish or discard version 1 first, or compare the two afterwards. [look: open_version]",
        "topics 1, trees 1, probes 2: added 0, changed 1, left 1, not placed 0",
        "Dry run: nothing was written.",
    ]
    assert TreeVersion.objects.count() == 1


def test_import_refuses_with_every_error(file: Path) -> None:
    file.write_text(SOURCE.replace("kind: probe", "kind: x").replace("minutes: 12", "minutes: 0"), encoding="utf-8")

    with pytest.raises(CommandError) as refused:
        bank("import", file, BANK)

    lines = str(refused.value).splitlines()
    assert [line.split(": ")[1] for line in lines[:2]] == ["minutes", "clock-next.kind"]
    assert lines[0].startswith(f"{file}:8: ")
    assert lines[2] == "2 problems; nothing was changed."
    assert TreeVersion.objects.count() == 0


def test_import_writes_json_beside_the_words(file: Path, tmp_path: Path) -> None:
    bank("import", file, "--json", tmp_path / "report.json")

    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (report["topics"], report["trees"], report["probes"], report["added"]) == (1, 1, 2, 2)
    assert report["changes"][0]["tree"] == "clocks"
    assert report["problems"] == []


def test_json_on_standard_output_stands_alone(file: Path) -> None:
    out, err = bank("import", file, "--json", "-")

    assert json.loads(out)["probes"] == 2
    assert err.splitlines()[-1].startswith("topics 1, trees 1, probes 2")


def test_json_holds_the_problems(file: Path, tmp_path: Path) -> None:
    file.write_text(SOURCE.replace("kind: probe", "kind: x"), encoding="utf-8")

    with pytest.raises(CommandError):
        bank("import", file, "--json", tmp_path / "report.json")

    [problem] = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["problems"]
    assert (problem["code"], problem["key"], problem["file"]) == ("not_choice", "clock-next.kind", str(file))
    assert problem["line"] > 1


def test_json_that_can_not_be_written_is_said_plainly(file: Path, tmp_path: Path) -> None:
    (tmp_path / "circle.json").symlink_to(tmp_path / "circle.json")
    for path, words in (
        (tmp_path / "absent" / "report.json", "No such file or directory. Nothing was done."),
        (file / "report.json", "Not a directory"),
        (tmp_path, "Is a directory"),
        (tmp_path / ("x" * 300), "File name too long"),
        (tmp_path / "circle.json", "Too many levels of symbolic links"),
    ):
        with pytest.raises(CommandError, match=words):
            bank("import", file, "--json", path)
        assert TreeVersion.objects.count() == 0, path


@pytest.mark.parametrize(
    ("email", "words"),
    [
        ("nobody@sounding.example", "Nobody active"),
        ("fay@sounding.example", "Nobody active"),
        ("ana@sounding.example", "neither curator nor administrator"),
    ],
)
def test_import_as_wants_a_curator(cast: Cast, file: Path, email: str, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        bank("import", file, "--as", email)

    assert TreeVersion.objects.count() == 0


def test_import_as_a_curator_names_the_author(cast: Cast, file: Path) -> None:
    bank("import", file, "--as", "CORA@sounding.example")

    assert TreeVersion.objects.get().created_by == cast.cora


def test_export_gives_back_the_files_with_their_comments(tmp_path: Path) -> None:
    bank("import", BANK, "--publish")

    out, _err = bank("export", tmp_path / "out")

    trees = starter_trees()
    topics, probes = {tree.topic.key for tree in trees}, sum(len(tree.probes) for tree in trees)
    assert out.splitlines()[-1] == (
        f"topics {len(topics)}, trees {len(trees)}, probes {probes}: added {probes}, changed 0, left 0, not placed 0"
    )
    for file in sorted((tmp_path / "out").iterdir()):
        assert file.read_text(encoding="utf-8") == (BANK / file.name).read_text(encoding="utf-8")


def test_export_writes_trees_that_came_from_no_file(tmp_path: Path) -> None:
    make_tree("by-hand", title={"en": "By hand", "zh-Hans": "手写"})
    before = TreeVersion.objects.get()

    bank("export", tmp_path)
    out, _err = bank("import", tmp_path)

    # The factory's hash is invented, so this is a new version, whose probes are all as they were.
    assert out.splitlines()[-1] == "topics 1, trees 1, probes 6: added 0, changed 0, left 6, not placed 0"
    assert TreeVersion.objects.exclude(pk=before.pk).get().title == before.title


def test_export_after_a_renamed_topic_carries_the_new_title(file: Path, tmp_path: Path) -> None:
    bank("import", file)
    other = SOURCE.replace("tree: clocks", "tree: watches").replace("{en: Time}", "{en: Hours}")
    file.write_text(other, encoding="utf-8")
    bank("import", file)

    bank("export", tmp_path / "out")
    out, _err = bank("import", tmp_path / "out")

    assert "new title" not in out
    assert out.splitlines()[-1] == "topics 1, trees 2, probes 4: added 0, changed 0, left 4, not placed 0"


def test_export_changes_the_lines_that_were_edited_and_no_others(file: Path, tmp_path: Path) -> None:
    written = SOURCE.replace("languages: [en]", "# Ours.\nlanguages: [en]").replace(
        "  - key: clock-next", "  # B\n  - key: clock-next"
    )
    file.write_text(written, encoding="utf-8")
    bank("import", file)
    # As the editor leaves a draft: its cells changed, the file that it came from as it was.
    Probe.objects.filter(key="clock-next").update(minutes=9)

    bank("export", tmp_path / "out")

    assert (tmp_path / "out" / "clocks.yaml").read_text("utf-8") == written.replace("minutes: 4", "minutes: 9")


def test_export_says_what_it_changes_in_the_folder(file: Path, tmp_path: Path) -> None:
    bank("import", file)
    bank("export", tmp_path / "out")
    Probe.objects.filter(key="clock-next").update(minutes=9)

    out, _err = bank("export", tmp_path / "out", "--json", tmp_path / "report.json")

    assert out.splitlines() == [
        "clocks.yaml: clocks: version 1",
        "topics 1, trees 1, probes 2: added 0, changed 1, left 1, not placed 0",
    ]
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (report["trees"], report["changed"], report["files"][0]["changed"]) == (1, 1, ["clock-next"])


def test_export_chooses_trees_and_versions(file: Path, tmp_path: Path) -> None:
    bank("import", file, "--publish")
    file.write_text(SOURCE.replace("minutes: 4", "minutes: 5"), encoding="utf-8")
    bank("import", file)
    make_tree("by-hand")

    def minutes(*words: str) -> list[str]:
        folder = tmp_path / "-".join(words)
        bank("export", folder, *words)
        return [line.strip() for line in (folder / "clocks.yaml").read_text("utf-8").splitlines()][-6:]

    assert "minutes: 5" in minutes("clocks")
    assert "minutes: 4" in minutes("--published")
    assert "minutes: 4" in minutes("clocks", "--number", "1")
    assert [one.name for one in (tmp_path / "clocks").iterdir()] == ["clocks.yaml"]
    with pytest.raises(CommandError, match=r"No such version of: clocks, nothing\. Nothing was written"):
        bank("export", tmp_path / "none", "clocks", "nothing", "--number", "7")
    assert not (tmp_path / "none").exists()


def test_export_then_import_changes_nothing(tmp_path: Path) -> None:
    bank("import", BANK, "--publish")
    bank("export", tmp_path)

    out, _err = bank("import", tmp_path, "--publish")

    probes = sum(len(tree.probes) for tree in starter_trees())
    assert out.splitlines()[-1].endswith(f"probes {probes}: added 0, changed 0, left {probes}, not placed 0")


def test_import_prints_the_findings_of_drafts(file: Path, tmp_path: Path) -> None:
    follow_ups = "".join(
        f"  - {{key: k-{n}, after: clock-root, kind: check, same_level: true, aims: [depth], title: {{en: T}}, "
        f"prompt: {{en: Number {n}}}}}\n"
        for n in range(8)
    )
    file.write_text(SOURCE + follow_ups, encoding="utf-8")

    out, _err = bank("import", file, "--json", tmp_path / "report.json")

    assert f"{file}:{SOURCE.count(chr(10)) + 1}: k-0.signals: Signals are missing: Strong, Recited, Weak." in out
    assert "3 more like these: no_signals" in out
    assert "3 more like these: no_anchors" in out
    findings = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["findings"]
    assert len([one for one in findings if one["code"] == "no_signals"]) == 8


def test_import_of_an_unknown_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.docx").write_text("x", encoding="utf-8")

    with pytest.raises(CommandError, match=r"Files like `\.docx` are not read"):
        bank("import", tmp_path / "notes.docx")

    (tmp_path / "notes.docx").write_text(SOURCE, encoding="utf-8")
    out, _err = bank("import", tmp_path / "notes.docx", "--format", "yaml", "--dry-run")
    assert "added 2" in out


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200) | st.text(max_size=60).map(lambda text: f"{SOURCE}{text}".encode()))
def test_import_of_arbitrary_bytes_never_raises_or_writes_what_was_refused(data: bytes) -> None:
    before = TreeVersion.objects.count()
    reading = read_bytes(data, name="x.yaml")

    try:
        import_readings([reading])
    except ImportRefused:
        assert TreeVersion.objects.count() == before
    else:
        assert reading.problems == ()


def test_export_says_where_it_can_not_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(CommandError, match="can't be written"):
        bank("export", tmp_path / "file")


def test_export_stays_in_its_folder(file: Path, tmp_path: Path) -> None:
    bank("import", file)
    outside, folder = tmp_path / "outside.yaml", tmp_path / "out"
    outside.write_text("mine", encoding="utf-8")
    folder.mkdir()
    (folder / "clocks.yaml").symlink_to(outside)

    bank("export", folder)

    assert outside.read_text("utf-8") == "mine"
    assert [(one.name, one.is_symlink()) for one in folder.iterdir()] == [("clocks.yaml", False)]
    assert (folder / "clocks.yaml").read_text("utf-8") == SOURCE


def test_export_says_what_it_wrote_and_what_not(file: Path, tmp_path: Path) -> None:
    bank("import", file)
    make_tree("by-hand")
    folder = tmp_path / "out"
    (folder / "clocks.yaml").mkdir(parents=True)
    out = io.StringIO()

    with pytest.raises(CommandError, match=r"^clocks\.yaml: .*\n1 file was not written"):
        call_command("bank", "export", str(folder), stdout=out)

    assert "by-hand.yaml: by-hand: version 1" in out.getvalue().splitlines()
    assert sorted(one.name for one in folder.iterdir()) == ["by-hand.yaml", "clocks.yaml"]


@pytest.mark.parametrize("action", ["export", "import", "lint"])
def test_empty_path_is_refused(action: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        bank(action, "")

    assert "an empty path" in capsys.readouterr().err
