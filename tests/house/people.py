"""Browsers of everybody in the access tables, in front of one scene."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.core.files.base import ContentFile
from django.test import Client

from interviews.models import Attachment
from questionbank.enums import SuggestionKind
from questionbank.models import NearPair, Redirect, Suggestion
from questionbank.services.uploads import Sent, start_upload
from scoring.enums import JudgeKind, MarkingCause
from scoring.models import BlindMarking, NormingInterview
from scoring.services.judges import make_judge
from tests.house.routes import token
from tests.questionbank.outlines import SOURCE
from tests.support.factories import Scene, make_link
from tests.support.web import session_of, session_of_candidate


def client_of(who: str, scene: Scene, *, enforce_csrf_checks: bool = False) -> Client:
    """A browser: of a person of the cast, of the candidate (`kim`), or of nobody (`anon`)."""
    client = Client(enforce_csrf_checks=enforce_csrf_checks)
    if who == "kim":
        scene.candidate.refresh_from_db()
        session = session_of_candidate(scene.candidate, scene.candidate.links.get())
    elif who == "anon":
        return client
    else:
        session = session_of(getattr(scene.cast, who))
    client.cookies[settings.SESSION_COOKIE_NAME] = session
    return client


def furnish(scene: Scene) -> Scene:
    """What some addresses need: a used link, a file, suggestions, probes alike and merged, an import of Cora's."""
    tree = scene.versions[0].tree
    NearPair.objects.create(tree=tree, key="l2", other_tree=tree, other_key="l3", language="en", similarity=0.7)
    Redirect.objects.create(tree=tree, key="old", to_tree=tree, to_key="l4", reason="Asked twice")
    make_link(scene.candidate, token, browser=None)
    scene.candidate.admitted_at = scene.interview.starts_at
    scene.candidate.save()
    attachment = Attachment(application=scene.application, label="cv.pdf", media_type="application/pdf")
    attachment.file.save("cv-of-the-access-matrix.pdf", ContentFile(b"%PDF-1.7 nothing"), save=False)
    attachment.save()
    NormingInterview.objects.create(interview=scene.interview, added_by=scene.cast.mara)
    BlindMarking.objects.create(interview=scene.interview, marker=scene.cast.sam, cause=MarkingCause.RANDOM)
    make_judge(by=scene.cast.mara, name="Grader", kind=JudgeKind.MODEL, version="1")
    Suggestion.objects.bulk_create(
        Suggestion(
            tree=version.tree,
            probe_key="l2",
            kind=SuggestionKind.EDIT,
            text={"en": "In other words"},
            month=date(2026, 11, 1),
            released=True,
        )
        for version in scene.versions
    )
    table = "Question,Answer,Owner\nWhat drifts?,Clocks,Kim\n"
    start_upload(by=scene.cast.cora, files=[Sent("clocks.yaml", SOURCE.encode()), Sent("drift.csv", table.encode())])
    return scene
