"""Rules of the house that no linter knows. Each is also tried on a sample that breaks it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from django.apps import apps
from django.db import models

from interviews.models import (
    Asked,
    Attendance,
    CandidateLink,
    ChatLine,
    Command,
    Consent,
    Event,
    PlannedSeat,
    PreparationNote,
    Reveal,
    Seat,
    Text,
    TreeEdit,
)
from interviews.sealed import LiveManager, PrivateManager, SealedManager
from scoring.models import Reminder
from tests.house.source import (
    APPS,
    ROOT,
    Source,
    decorators,
    imports_any,
    in_folder,
    sources,
    sources_of_tests,
    statements_in,
    swallows_everything,
)

pytestmark = pytest.mark.unit

WEB = ("django.http", "django.template", "django.shortcuts", "channels")

# Who may see judgements whole. Their results are sealed themselves, or are the author's own.
UNSEALED = {
    "scoring/queries/figures.py:load_heard",
    "scoring/queries/interviewer_figures.py:load_sat",  # the nightly snapshot
    "scoring/models/blind.py:BlindManager.unsealed_for_compiling",
    "scoring/queries/blind.py:markable_interviews",  # whether there is anything to mark
    "scoring/queries/blind.py:_said",  # what was written down, without names, for whom `open_to` lets
    "scoring/demo/cards.py:write_cards",  # written only, and simulated
    "scoring/services/blind_marking.py:_write",
    "scoring/services/blind_marking.py:compare",  # agreement, which stands on no page
    "interviews/services/owing.py:open_cards_owed",  # who marked something owes a card
    "scoring/queries/panel.py:load_inputs",  # compiling
    "scoring/queries/aside.py:load_shadows",  # the nightly calibration
    "scoring/models/judge.py:JudgedManager.unsealed_for_compiling",
    "scoring/queries/judges.py:load_judged",  # the nightly calibration
    "scoring/queries/judges.py:load_counting",  # compiling
    "scoring/services/judging.py:_Batch._kept",  # what the same judge said before
    "scoring/services/judging.py:_keep",
    "scoring/queries/ledger.py:_cards",  # when revisions came in, and nothing of what they say
    "scoring/services/debrief_acts.py:_keep_first_votes",  # copied, and shown when the round is closed
    "scoring/queries/revisions.py:last_independent",  # which there are
    "scoring/queries/revisions.py:load_revisions",  # parts of revisions that were fetched through the seal
    "interviews/sealed.py:SealedManager.unsealed_for_compiling",
}

# Where a seat's own judgements are read without asking who reads: marking, submitting, the author's own pages.
AUTHORS_OWN = {
    "interviews/live/frames.py",
    "interviews/queries/hints.py",
    "interviews/queries/preparation.py",
    "interviews/queries/room.py",
    "interviews/rendering/meters.py",
    "interviews/sealed.py",
    "interviews/services/marking.py",
    "interviews/services/preparing.py",
    "interviews/services/statements.py",
    "scoring/queries/card_page.py",
    "scoring/queries/cards.py",
    "scoring/queries/debriefs.py",
    "scoring/queries/revisions.py",
    "scoring/services/copying.py",
    "scoring/services/amendments.py",
    "scoring/services/scorecards.py",
}

# Where rooms' logs are read: to append, to hand on, to know when something happened.
READERS_OF_THE_LOG = (
    "interviews/log.py",
    "interviews/queries/",
    "interviews/services/",
    "interviews/live/",
    "scoring/queries/",
)

# Tables that name a seat and hold no judgement: what was asked, who was there, how they came in, the log.
NO_JUDGEMENT = {
    *(
        Asked,
        Attendance,
        CandidateLink,
        ChatLine,
        Command,
        Consent,
        Event,
        PlannedSeat,
        Reminder,
        Reveal,
        Seat,
        Text,
        TreeEdit,
    ),
}

METHODS = ("require_GET", "require_POST", "require_safe", "require_http_methods")


# --- layers -----------------------------------------------------------------------------------------------------------


def test_services_know_no_request_and_no_template() -> None:
    services = in_folder("services")

    assert services
    assert {source.path: found for source in services if (found := imports_any(source, *WEB))} == {}
    assert imports_any(Source.of("x", "from django.shortcuts import render"), *WEB)
    assert imports_any(Source.of("x", "def f():\n    import channels.layers"), *WEB)


def test_only_the_bus_and_the_sockets_know_redis() -> None:
    users = {source.path for source in sources() if imports_any(source, "redis", "valkey")}

    allowed = {path for path in users if path == "interviews/bus.py" or path.startswith("interviews/live/")}
    assert {path for path in users if path.startswith("interviews/")} == allowed
    # Besides the rooms: whether the bus answers, and the embedded server itself.
    assert users - allowed <= {"people/services/health.py", "people/doctor.py", "config/embedded/valkey.py"}


def test_only_tasks_the_job_outbox_and_config_know_celery() -> None:
    users = {source.path for source in sources() if imports_any(source, "celery", "kombu")}

    assert {"people/jobs.py", "config/celery.py"} <= users
    strangers = {path for path in users if not path.startswith("config/") and not path.endswith("/tasks.py")}
    assert strangers == {"people/jobs.py"}


# --- the seal ---------------------------------------------------------------------------------------------------------


def test_judgements_are_unsealed_in_named_places_only() -> None:
    users = set().union(*(source.users_of("unsealed_for_compiling") for source in sources()))

    assert users <= UNSEALED
    sample = Source.of("x.py", "class A:\n    def f(self): Mark.objects.unsealed_for_compiling()")
    assert sample.users_of("unsealed_for_compiling") == {"x.py:A.f"}


def test_judgements_are_read_as_their_authors_own_in_named_files_only() -> None:
    users = {source.path for source in sources() if source.users_of("written_by")}

    assert users <= AUTHORS_OWN


def test_no_code_goes_round_a_manager() -> None:
    """`_base_manager`, a hand-made QuerySet or SQL of one's own would read sealed rows unasked."""
    tables = sorted(model._meta.db_table for model in judgements())
    round_it = {source.path for source in sources() if source.users_of("_base_manager")}
    hand_made = {source.path for source in sources() if "models.QuerySet(" in source.text}
    sql = {source.path for source in sources() if any(f"{table} " in source.text for table in tables)}

    assert (round_it, hand_made) == (set(), {"interviews/sealed.py"})
    assert sql <= {"interviews/services/marking.py"}


def test_the_log_is_read_in_named_places_only() -> None:
    """Streams of single seats hold what they judged; a page or a report has no business there."""
    readers = {source.path for source in sources() if reads_log(source)}

    assert {path for path in readers if not path.startswith(READERS_OF_THE_LOG)} == set()
    assert reads_log(Source.of("x", "def f():\n    return models.Event.objects.filter(room=1)"))
    assert not reads_log(Source.of("x", "def f():\n    return asyncio.Event()"))


def reads_log(source: Source) -> bool:
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in {"objects", "_default_manager"}
        and ast.unparse(node.value).rpartition(".")[2] == "Event"
        for node in ast.walk(source.tree)
    )


def test_judgement_tables_have_the_sealed_manager_alone() -> None:
    found = judgements()

    assert {model.__name__ for model in found} == {
        *("Mark", "Boundary", "Evidence", "Reason", "Note"),
        *("Scorecard", "Revision", "RevisionMark", "RevisionBoundary", "RevisionStatement"),
        *("PreparationNote",),  # no judgement, and nobody's but its author's, whatever is open
    }
    # What goes on being written while its author amends is sealed for that long.
    live = {"Mark", "Boundary", "Evidence", "Reason", "Note", "Scorecard"}
    for model in found:
        managers = {name: type(manager) for name, manager in model._meta.managers_map.items()}
        wanted = LiveManager if model.__name__ in live else SealedManager
        wanted = PrivateManager if model is PreparationNote else wanted
        assert managers == {"objects": wanted}, model.__name__


def test_nothing_leads_back_to_a_judgement() -> None:
    """A reverse accessor (`seat.marks`) or a join (`filter(mark__depth=4)`) would be a way past the seal.

    Texts and events hold the words and figures of judgements too.
    """
    ways_in = [
        f"{model.__name__}.{field.name}"
        for model in (*judgements(), Text, Event)
        for field in model._meta.get_fields()
        if isinstance(field, models.ForeignKey | models.ManyToManyField) and not field.remote_field.hidden
    ]

    assert ways_in == []


def judgements() -> list[type[models.Model]]:
    """Tables whose rows are somebody's judgement: they name a seat, and aren't known to hold none."""
    found = []
    for model in apps.get_models():
        seats = [field for field in model._meta.fields if field.related_model is Seat]
        if seats and model not in NO_JUDGEMENT:
            found.append(model)
    return found


# --- size and shape ---------------------------------------------------------------------------------------------------


def test_files_stay_short() -> None:
    long = {source.path: source.lines for source in (*sources(), *sources_of_tests()) if source.lines > 400}
    for folder, pattern, limit in (("static/js", "*.js", 300), ("static/css", "*.css", 400), ("templates", "*", 400)):
        files = [path for path in (ROOT / folder).rglob(pattern) if path.is_file()]
        assert files
        long |= {_name(path): lines for path in files if (lines := path.read_text().count("\n")) > limit}

    assert long == {}


def test_no_template_joins_words_with_the_comma_of_one_language() -> None:
    """`join:_(", ")` is 、 in Chinese."""
    bad = re.compile(r"""\|join:["'][^"' ]*[,;][^"']*["']""")

    assert [path.name for path in (ROOT / "templates").rglob("*.html") if bad.search(path.read_text("utf-8"))] == []


def test_no_module_is_called_by_no_name() -> None:
    nameless = {"utils", "util", "helpers", "helper", "misc", "common"}
    files = [path for folder in (*APPS, "tests", "static/js") for path in (ROOT / folder).rglob("*") if path.is_file()]

    assert {_name(path) for path in files if nameless & {part.partition(".")[0] for part in path.parts}} == set()


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_no_failure_is_swallowed() -> None:
    found = {source.path: lines for source in sources() if (lines := swallows_everything(source))}

    assert found == {}
    for sample in (
        "try:\n    f()\nexcept Exception:\n    pass",
        "try:\n    f()\nexcept:\n    ...",
        "with contextlib.suppress(Exception):\n    f()",
    ):
        assert swallows_everything(Source.of("x", sample)), sample


def test_views_are_a_paragraph() -> None:
    long = {
        f"{source.path}:{name}": count
        for source in in_folder("views")
        for name, function in source.functions()
        if (count := statements_in(function)) > 20
    }

    assert in_folder("views")
    assert long == {}
    sample = Source.of("x", "def f(request):\n    '''Doc.'''\n" + "    a = 1\n" * 21)
    assert [statements_in(function) for _name, function in sample.functions()] == [21]


def test_every_view_says_its_methods() -> None:
    """A function that takes a request and has an address: see the access matrix for the addresses themselves."""
    silent = {
        f"{source.path}:{name}"
        for source in in_folder("views")
        for name, function in source.functions()
        if function.args.args
        and function.args.args[0].arg == "request"
        and not name.startswith("_")
        and function.returns is not None
        and "HttpResponse" in str(getattr(function.returns, "id", ""))
        and not any(said.startswith(METHODS) for said in decorators(function))
    }

    assert silent == set()
