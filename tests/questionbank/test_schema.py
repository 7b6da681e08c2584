"""The JSON Schema beside the documentation says of a file's shape what the reader says."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from questionbank.enums import Aim, BranchOutcome, ProbeKind, Purpose, Scoring, SignalKind
from questionbank.exchange.write import dump, write
from questionbank.exchange.yaml import read
from questionbank.limits import (
    KEY,
    KEY_LENGTH,
    LANGUAGE,
    MOST_LANGUAGES,
    MOST_PROBES,
    MOST_SIGNALS,
    PART,
    PROMPT,
    TITLE,
)
from questionbank.outline import OutlineTree
from tests.questionbank.outlines import SOURCE, trees
from tests.questionbank.test_starter_bank import BANK, examples

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "tree-format.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
SHAPE = {
    "bad_key", "bad_language", "branch_without_parent", "empty", "missing", "more_unknown", "not_boolean", "not_choice",
    "not_integer", "not_list", "not_mapping", "not_text", "root_rescue", "same_level_of_what", "too_long", "too_many",
    "unknown_format", "unknown_key", "unknown_key_close", "value_repeated",
}  # fmt: skip
PLAN = {
    "format": 1,
    "plan": "a-plan",
    "name": "A plan",
    "required_aims": ["why"],
    "trees": [{"tree": "one", "minutes": 10}, {"tree": "two", "minutes": 5, "required": False}],
}


def values(text: str) -> Any:
    """Return a file as JSON has it: names are texts there."""
    return json.loads(json.dumps(YAML(typ="safe", pure=True).load(text), default=str))


def errors(content: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}"[:300] for error in VALIDATOR.iter_errors(content)]


def test_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", sorted(BANK.glob("*.yaml")), ids=lambda path: path.stem)
def test_files_of_the_starter_bank_have_its_shape(path: Path) -> None:
    assert errors(values(path.read_text(encoding="utf-8"))) == []


def test_documented_examples_have_its_shape() -> None:
    for reading in examples():
        assert errors(values(reading.source)) == []


def test_schema_has_the_lists_and_limits_of_the_reader() -> None:
    defined = SCHEMA["$defs"]
    probe = defined["probe"]["properties"]

    assert defined["aim"]["enum"] == list(Aim)
    assert defined["outcome"]["enum"] == list(BranchOutcome)
    assert probe["kind"]["enum"] == list(ProbeKind)
    assert probe["scoring"]["enum"] == list(Scoring)
    assert list(probe["signals"]["properties"]) == list(SignalKind)
    assert list(probe["anchors"]["properties"]) == list(Aim)
    assert defined["tree"]["properties"]["purpose"]["enum"] == list(Purpose)
    assert defined["tree"]["properties"]["probes"]["maxItems"] == MOST_PROBES
    assert defined["said"]["maxItems"] == MOST_SIGNALS
    assert (defined["key"]["pattern"], defined["key"]["maxLength"]) == (f"^{KEY}$", KEY_LENGTH)
    languages = defined["tree"]["properties"]["languages"]
    assert (languages["items"]["pattern"], languages["maxItems"]) == (f"^{LANGUAGE}$", MOST_LANGUAGES)
    lengths = {name: defined[name]["additionalProperties"]["maxLength"] for name in ("title", "prompt", "words")}
    assert lengths == {"title": TITLE, "prompt": PROMPT, "words": PART}


@settings(deadline=None, max_examples=60)
@given(trees())
def test_any_tree_that_is_written_has_its_shape(any_tree: OutlineTree) -> None:
    assert errors(values(write(any_tree))) == []


# --- the reader and the schema refuse the same


VALUES = st.sampled_from(
    [
        None,
        0,
        -1,
        2,
        10**6,
        "x",
        "a-key",
        "Bad Key!",
        " ",
        "x" * 3000,
        [],
        {},
        ["x"],
        ["depth"],
        {"x": 1},
        {"en": 1},
        False,
    ]
)


def places(content: Any) -> list[tuple[Any, Any]]:
    """Return (holder, name or number) of everything inside."""
    found: list[tuple[Any, Any]] = []
    names = list(content) if isinstance(content, dict) else range(len(content)) if isinstance(content, list) else ()
    for name in names:
        found += [(content, name), *places(content[name])]
    return found


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_reader_and_schema_refuse_the_same_shapes(data: st.DataObject) -> None:
    content = copy.deepcopy(data.draw(st.sampled_from([values(SOURCE), PLAN])))
    for _ in range(data.draw(st.integers(1, 2))):
        holder, name = data.draw(st.sampled_from(places(content)))
        slip = data.draw(st.sampled_from(["other", "gone", "renamed", "twice"]))
        if slip == "other":
            holder[name] = copy.deepcopy(data.draw(VALUES))  # or the next slip would change the sample itself
        elif slip == "gone":
            del holder[name]
        elif slip == "renamed" and isinstance(holder, dict):
            holder["colour"] = holder.pop(name)
        elif slip == "twice" and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[name]))

    found = read(dump(content).encode(), file="x").problems
    problems = {problem.code for problem in found if not problem.place.endswith("].tree")}  # a plan names a tree twice
    # Where words are meant, the reader keeps a plain `false` as the word that it is; other readers of YAML don't.
    refused = [one for one in errors(content) if not one.endswith("False is not of type 'string'")]

    # What only the whole file shows - a parent, a language - is beyond a schema; all else it says as the reader does.
    if problems & SHAPE:
        assert refused, problems
    if refused:
        assert found, refused
