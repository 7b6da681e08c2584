"""Every address of the site, with how it is filled in from a scene and who is answered what.

Adding an address means adding a row: the tests that walk the URLconf fail without one, and for a row whose address is
gone. A row says for each method who gets which status; `login` is the way to the sign-in page.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from questionbank.models import NearPair, Redirect
from scoring.models import BlindMarking
from tests.house import fills
from tests.house.answers import (
    EVERYBODY,
    IN_CHARGE,
    PANEL,
    SIGNED_IN,
    SIGNED_OUT,
    STRANGERS,
    Route,
    deed,
    entrance,
    form,
    managed,
    page,
    table,
)


def uploader(status: int) -> dict[str, int | str]:
    """Pages of an import: who sent it alone; another curator learns of nothing, everyone else is refused."""
    return table(**{f"s{status}": "cora"}, s404="ada", s403=f"mara {PANEL} nils sam")


everyone_signed_in = table(s200=SIGNED_IN)
bank_readers = table(s200=f"{IN_CHARGE} ana bo dee {STRANGERS}", s403="eli")
curators = table(s200="ada cora", s403=f"mara {PANEL} nils sam")
curators_told = table(s302="ada cora", s403=f"mara {PANEL} nils sam")
administrators = table(s200="ada", s403=f"mara {PANEL} {STRANGERS}")
editors_told = table(s409="ada cora", s403=f"mara {PANEL} nils sam")
edit = deed(form(curators)["POST"])
EDITS = ("field", "add", "move", "duplicate", "remove", "back", "language")
position_makers = table(s200=f"{IN_CHARGE} nils", s403=f"{PANEL} cora sam")
room_seats = table(s200=PANEL, s403=IN_CHARGE, s404=STRANGERS)
# Hints go to who asks or may come to ask; shadows find out by themselves.
hinted_seats = table(s200="ana bo", s403=f"{IN_CHARGE} dee eli", s404=STRANGERS)
card_not_now = table(s409="bo", s403=f"{IN_CHARGE} ana dee eli", s404=STRANGERS)
nobody_yet = table(s403=f"{IN_CHARGE} {PANEL}", s404=STRANGERS)
card_author = table(s200="bo", s403=f"{IN_CHARGE} ana dee eli", s404=STRANGERS)
judge_makers = table(s200=f"{IN_CHARGE} nils", s403=f"{PANEL} cora sam")
judge_maker = table(s200=IN_CHARGE, s404="nils", s403=f"{PANEL} cora sam")
judge_closer = table(s302=IN_CHARGE, s404="nils", s403=f"{PANEL} cora sam")
debriefed = table(s403=f"{IN_CHARGE} {PANEL}", s404=STRANGERS)
token = "a-token-of-the-access-matrix"

ROUTES = [
    # --- people ---------------------------------------------------------------------------------------------------
    Route("", "people:home", page(everyone_signed_in)),
    # Worker and beat don't run in tests, so their heartbeats are missing: 503 says so, to anybody.
    Route("healthz", "people:health", page(table(s503=EVERYBODY))),
    # Off unless somebody asks for it (docs/configuration.md).
    Route("metrics", "people:metrics", page(table(s404=EVERYBODY))),
    Route("language/", "people:language", deed(table(s302=EVERYBODY))),
    Route("theme/", "people:theme", deed(table(s400=EVERYBODY))),
    Route("people/", "people:person-list", page(administrators)),
    Route("people/new/", "people:person-create", form(administrators)),
    Route("people/<uuid:code>/", "people:person-edit", form(administrators), fills.person),
    Route("people/<uuid:code>/link/", "people:person-link", deed(administrators), fills.person),
    Route("preferences/", "people:preferences", form(everyone_signed_in)),
    # --- signing in: allauth's views, which draw a refused form with 200 ------------------------------------------
    Route("accounts/login/", "account_login", entrance(table(s200=SIGNED_OUT, s302=SIGNED_IN))),
    Route(
        "accounts/logout/",
        "account_logout",
        {"GET": table(s200=SIGNED_IN, s302=SIGNED_OUT), "POST": table(s302=EVERYBODY)},
    ),
    Route("accounts/inactive/", "account_inactive", page(table(s200=EVERYBODY))),
    Route("accounts/signup/", "account_signup", entrance(table(s200=SIGNED_OUT, s302=SIGNED_IN))),
    Route("accounts/password/change/", "account_change_password", entrance(table(s200=SIGNED_IN))),
    Route("accounts/password/reset/", "account_reset_password", entrance(table(s200=EVERYBODY))),
    Route("accounts/password/reset/done/", "account_reset_password_done", page(table(s200=EVERYBODY))),
    Route("accounts/password/reset/key/done/", "account_reset_password_from_key_done", page(table(s200=EVERYBODY))),
    Route(
        r"accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        "account_reset_password_from_key",
        entrance(table(s200=EVERYBODY)),
        lambda scene: {"uidb36": "1", "key": "forged"},
    ),
    # --- bank -----------------------------------------------------------------------------------------------------
    Route("bank/", "questionbank:bank-list", page(bank_readers)),
    Route("bank/trees/<slug:key>/", "questionbank:bank-tree", page(bank_readers), fills.tree),
    Route(
        "bank/trees/<slug:key>/v<int:number>/", "questionbank:bank-tree", page(bank_readers), fills.numbered(fills.tree)
    ),
    Route("bank/trees/<slug:key>/probes/<slug:probe>/", "questionbank:bank-probe", page(bank_readers), fills.probe),
    Route(
        "bank/trees/<slug:key>/v<int:number>/probes/<slug:probe>/",
        "questionbank:bank-probe",
        page(bank_readers),
        fills.numbered(fills.probe),
    ),
    Route("bank/new/", "questionbank:tree-create", form(curators)),
    # What curators do is refused here for want of words or of the right state, and changes nothing.
    *(
        Route(f"bank/trees/<slug:key>/v<int:number>/{path}/", f"questionbank:{name}", answers, fills.numbered(fill))
        for path, name, answers, fill in (
            ("discard", "draft-discard", deed(curators_told), fills.tree),
            ("send", "review-send", form(curators), fills.tree),
            ("take-back", "review-take-back", deed(curators_told), fills.tree),
            ("review", "tree-review", page(curators), fills.tree),
            ("comments", "review-comment", edit, fills.tree),
            ("return", "review-return", form(curators), fills.tree),
            ("publish", "tree-publish", deed(curators_told), fills.tree),
            ("retire", "tree-retire", form(curators), fills.tree),
            ("walk", "tree-walk", page(bank_readers), fills.tree),
            ("edit", "tree-edit", page(editors_told), fills.tree),
            ("edit/probes/<slug:probe>", "edit-probe", page(curators), fills.probe),
            ("edit/findings", "edit-findings", page(curators), fills.tree),
            *((f"edit/{what}", f"edit-{what}", edit, fills.tree) for what in EDITS),
        )
    ),
    Route("bank/trees/<slug:key>/draft/", "questionbank:draft-begin", deed(curators_told), fills.tree),
    Route("bank/trees/<slug:key>/history/", "questionbank:tree-history", page(bank_readers), fills.tree),
    Route(
        "bank/trees/<slug:key>/compare/",
        "questionbank:compare-choose",
        page(table(s404=f"{IN_CHARGE} ana bo dee {STRANGERS}", s403="eli")),
        fills.tree,
    ),
    Route(
        "bank/trees/<slug:key>/compare/<int:old>/<int:new>/",
        "questionbank:tree-compare",
        page(bank_readers),
        lambda scene: {**fills.tree(scene), "old": 1, "new": 1},
    ),
    Route(
        "bank/comments/<uuid:code>/",
        "questionbank:comment-settle",
        deed(table(s404="ada cora", s403=f"mara {PANEL} nils sam")),
        lambda scene: {"code": nobody},
    ),
    Route("bank/plans/", "questionbank:plan-list", page(bank_readers)),
    Route("bank/plans/new/", "questionbank:plan-create", form(curators)),
    Route("bank/plans/<slug:key>/", "questionbank:plan", page(bank_readers), fills.plan),
    Route("bank/plans/<slug:key>/edit/", "questionbank:plan-edit", form(curators), fills.plan),
    Route("bank/plans/<slug:key>/delete/", "questionbank:plan-delete", deed(curators_told), fills.plan),
    Route("bank/rules/", "questionbank:bank-rules", form(administrators)),
    # The scene's tree is published: it can be looked at here, not edited.
    Route("bank/trees/<slug:key>/edit/", "questionbank:tree-edit", page(editors_told), fills.tree),
    Route("bank/trees/<slug:key>/health/", "questionbank:tree-health", page(curators), fills.tree),
    # Nothing is on trial in the scene, so ending a trial is refused.
    Route(
        "bank/trees/<slug:key>/probes/<slug:probe>/promote/",
        "questionbank:probe-promote",
        deed(curators_told),
        fills.probe,
    ),
    Route("bank/health/", "questionbank:bank-health", page(curators)),
    Route("bank/suggestions/", "questionbank:suggestion-list", page(curators)),
    Route("bank/suggestions/<uuid:code>/", "questionbank:suggestion", form(curators), fills.suggestion),
    Route(
        "bank/suggestions/<uuid:code>/decline/",
        "questionbank:suggestion-decline",
        deed(form(curators)["POST"]),
        fills.suggestion,
    ),
    Route("bank/trees/<slug:key>/owner/", "questionbank:tree-owner", form(curators, sent=302), fills.tree),
    Route("bank/duplicates/", "questionbank:duplicates", page(curators)),
    Route(
        "bank/duplicates/<uuid:code>/different/",
        "questionbank:pair-different",
        deed(table(s302="ada cora", s403=f"mara {PANEL} nils sam")),
        lambda scene: {"code": NearPair.objects.latest("id").code},
    ),
    Route("bank/merge/", "questionbank:merge", form(curators)),
    Route(
        "bank/merges/<uuid:code>/undo/",
        "questionbank:merge-undo",
        deed(table(s302="ada cora", s403=f"mara {PANEL} nils sam")),
        lambda scene: {"code": Redirect.objects.latest("id").code},
    ),
    Route("bank/trees/<slug:key>/file/", "questionbank:tree-file", page(bank_readers), fills.tree),
    Route(
        "bank/trees/<slug:key>/v<int:number>/file/",
        "questionbank:tree-file",
        page(bank_readers),
        fills.numbered(fills.tree),
    ),
    Route("bank/export/", "questionbank:bank-file", page(bank_readers)),
    Route("bank/export/probes/", "questionbank:bank-table", page(bank_readers)),
    Route("bank/imports/", "questionbank:upload-list", form(curators)),
    Route("bank/imports/<uuid:code>/", "questionbank:upload", page(uploader(200)), fills.upload),
    Route("bank/imports/<uuid:code>/progress/", "questionbank:upload-progress", page(uploader(200)), fills.upload),
    Route(
        "bank/imports/<uuid:code>/all/<slug:part>/",
        "questionbank:upload-all",
        page(uploader(200)),
        lambda scene: {**fills.upload(scene), "part": "trees"},
    ),
    Route("bank/imports/<uuid:code>/columns/", "questionbank:upload-columns", form(uploader(200)), fills.upload),
    Route("bank/imports/<uuid:code>/confirm/", "questionbank:upload-confirm", deed(uploader(302)), fills.upload),
    Route("bank/imports/<uuid:code>/cancel/", "questionbank:upload-cancel", deed(uploader(302)), fills.upload),
    # --- set-up ---------------------------------------------------------------------------------------------------
    Route("positions/", "interviews:position-list", page(position_makers)),
    Route("positions/new/", "interviews:position-create", form(position_makers)),
    Route("positions/<uuid:code>/", "interviews:position-detail", page(managed(200)), fills.position),
    Route("positions/<uuid:code>/edit/", "interviews:position-edit", form(managed(200)), fills.position),
    Route(
        "positions/<uuid:position>/applications/new/",
        "interviews:application-create",
        form(managed(200)),
        lambda scene: {"position": scene.position.code},
    ),
    Route("applications/<uuid:code>/", "interviews:application-detail", page(managed(200)), fills.application),
    Route("applications/<uuid:code>/edit/", "interviews:application-edit", form(managed(200)), fills.application),
    Route("applications/<uuid:code>/loop/", "interviews:application-loop", deed(managed(400)), fills.application),
    Route(
        "applications/<uuid:application>/interviews/new/",
        "interviews:interview-create",
        form(managed(200)),
        lambda scene: {"application": scene.application.code},
    ),
    Route(
        "attachments/<uuid:code>/",
        "interviews:attachment",
        page(table(s200=f"{IN_CHARGE} ana bo dee", s403="eli", s404=STRANGERS)),
        lambda scene: {"code": scene.application.attachments.first().code},
    ),
    # --- interviews -----------------------------------------------------------------------------------------------
    Route("interviews/", "interviews:interview-list", page(everyone_signed_in)),
    Route("interviews/sw.js", "interviews:service-worker", page(table(s200=EVERYBODY))),
    Route("interviews/settled/", "interviews:settled", page(everyone_signed_in)),
    Route("interviews/keys/", "interviews:keys", form(everyone_signed_in)),
    Route(
        "interviews/<uuid:code>/",
        "interviews:interview-detail",
        page(table(s200=f"{IN_CHARGE} {PANEL}", s404=STRANGERS)),
        fills.interview,
    ),
    Route(
        "interviews/<uuid:code>/prepare/",
        "interviews:preparation",
        page(table(s200=f"{IN_CHARGE} ana bo dee", s403="eli", s404=STRANGERS)),
        fills.interview,
    ),
    # An empty note is one that forgot its version; who has no seat that prepares has none.
    Route(
        "interviews/<uuid:code>/prepare/note/",
        "interviews:preparation-note",
        deed(table(s422="ana bo dee", s403=f"{IN_CHARGE} eli", s404=STRANGERS)),
        fills.interview,
    ),
    Route("interviews/<uuid:code>/room/", "interviews:room", page(room_seats), fills.interview),
    Route("interviews/<uuid:code>/room/controls/", "interviews:room-controls", page(room_seats), fills.interview),
    *(
        Route(
            f"interviews/<uuid:code>/timeline{ending}",
            f"interviews:timeline{name}",
            page(table(s200=f"{IN_CHARGE} {PANEL}", s404=STRANGERS)),
            fills.interview,
        )
        for ending, name in (("/", ""), (".csv", "-csv"), (".json", "-json"))
    ),
    Route("interviews/<uuid:code>/room/hint/", "interviews:room-hint", page(hinted_seats), fills.interview),
    Route("interviews/<uuid:code>/move/", "interviews:interview-move", form(managed(200)), fills.interview),
    Route("interviews/<uuid:code>/cancel/", "interviews:interview-cancel", form(managed(200)), fills.interview),
    Route("interviews/<uuid:code>/no-show/", "interviews:interview-no-show", form(managed(200)), fills.interview),
    Route("interviews/<uuid:code>/link/", "interviews:link-reissue", deed(managed(200)), fills.interview),
    Route("interviews/<uuid:code>/link/revoke/", "interviews:link-revoke", deed(managed(302)), fills.interview),
    Route("interviews/<uuid:code>/seats/", "interviews:seat-add", form(managed(200)), fills.interview),
    Route("interviews/<uuid:code>/askers/", "interviews:interview-askers", form(managed(200)), fills.interview),
    Route("seats/<uuid:code>/replace/", "interviews:seat-replace", form(managed(200)), fills.seat),
    Route("seats/<uuid:code>/remove/", "interviews:seat-remove", deed(managed(302)), fills.seat),
    Route("seats/<uuid:code>/excuse/", "interviews:card-excuse", form(managed(200)), fills.seat),
    # --- the candidate --------------------------------------------------------------------------------------------
    Route(
        "c/room/<uuid:code>/",
        "interviews:candidate-room",
        page(table(s200="kim", s404=f"{SIGNED_IN} anon fay")),
        fills.interview,
    ),
    Route(
        "c/wait/<uuid:code>/",
        "interviews:candidate-wait",
        page(table(s302="kim", s410=f"{SIGNED_IN} anon fay")),
        fills.interview,
    ),
    # Who is signed in is told to sign out first; for the others an empty form is one that accepts nothing.
    Route(
        "c/<str:token>/",
        "interviews:candidate-link",
        {"GET": table(s200=EVERYBODY), "POST": table(s409=SIGNED_IN, s422=SIGNED_OUT)},
        lambda scene: {"token": token},
    ),
    # --- cards ----------------------------------------------------------------------------------------------------
    Route(
        "interviews/<uuid:code>/card/",
        "scoring:my-card",
        page(table(s302="ana bo dee", s404=f"{IN_CHARGE} eli {STRANGERS}")),
        fills.interview,
    ),
    Route("cards/<uuid:seat>/", "scoring:card", page(card_author), fills.card),
    Route("cards/<uuid:seat>/draft", "scoring:card-draft", deed(form(card_author)["POST"]), fills.card),
    Route("cards/<uuid:seat>/submit", "scoring:card-submit", deed(form(card_author)["POST"]), fills.card),
    # There is nothing to amend yet, nor to withdraw.
    Route("cards/<uuid:seat>/amend", "scoring:card-amend", deed(card_not_now), fills.card),
    Route("cards/<uuid:seat>/withdraw", "scoring:card-withdraw", deed(card_not_now), fills.card),
    Route("applications/<uuid:code>/panel/", "scoring:panel", page(managed(200)), fills.application),
    # Before there is a card to read, the way to the page that says what is missing; and no letter.
    Route("applications/<uuid:code>/panel.pdf", "scoring:panel-pdf", page(managed(302)), fills.application),
    Route("applications/<uuid:code>/letter/", "scoring:letter", form(nobody_yet), fills.application),
    Route("applications/<uuid:code>/letter/send/", "scoring:letter-send", deed(nobody_yet), fills.application),
    Route("applications/<uuid:code>/letter.txt", "scoring:letter-text", page(nobody_yet), fills.application),
    Route("applications/<uuid:code>/panel/open-early/", "scoring:open-early", form(managed(200)), fills.application),
    # Judgements of a running interview are sealed, and so is the debrief about them.
    Route("applications/<uuid:code>/debrief/", "scoring:debrief", page(debriefed), fills.application),
    Route("applications/<uuid:code>/debrief/open/", "scoring:debrief-open", deed(debriefed), fills.application),
    Route("applications/<uuid:code>/ledger/", "scoring:ledger", page(managed(200)), fills.application),
    Route("positions/<uuid:code>/compare/", "scoring:compare", page(managed(200)), fills.position),
    Route("positions/<uuid:code>/marks.csv", "scoring:marks-csv", page(managed(200)), fills.position),
    Route(
        "candidates/<uuid:code>/",
        "scoring:candidate",
        page(table(s200=f"{IN_CHARGE} {PANEL}", s404=STRANGERS)),
        fills.candidate,
    ),
    Route("positions/<uuid:code>/voids/", "scoring:voids", form(managed(200)), fills.position),
    Route("positions/<uuid:code>/second-markings/", "scoring:second-markings", form(managed(200)), fills.position),
    Route("positions/<uuid:code>/norming/", "scoring:norming-choose", form(managed(200)), fills.position),
    # Sam was asked to mark the interview without names: sealed while it is not over, and for nobody else at any time.
    Route(
        "markings/<uuid:code>/",
        "scoring:blind-marking",
        dict.fromkeys(("GET", "POST"), table(s403="sam", s404=f"{IN_CHARGE} {PANEL} nils cora")),
        lambda scene: {"code": BlindMarking.objects.get(interview=scene.interview).code},
    ),
    Route(
        "interviewers/",
        "scoring:interviewer-list",
        page(table(s200=f"{IN_CHARGE} ana bo dee nils sam", s403="eli cora")),
    ),
    # Bo's figures: his own; who is in charge of a position where he sat; nobody else's business.
    Route(
        "interviewers/<uuid:code>/",
        "scoring:interviewer",
        page(table(s200=f"{IN_CHARGE} bo", s403="ana dee sam", s404="eli nils cora")),
        lambda scene: {"code": scene.cast.bo.code},
    ),
    Route("calibration/", "scoring:calibration", page(position_makers)),
    # Automatic judges: Mara made one. Nobody's ratings can be read yet.
    Route("judges/", "scoring:judge-list", form(judge_makers)),
    Route("judges/<uuid:code>/", "scoring:judge", page(judge_maker), fills.judge),
    Route("judges/<uuid:code>/token/", "scoring:judge-token", deed(judge_maker), fills.judge),
    Route("judges/<uuid:code>/close/", "scoring:judge-close", deed(judge_closer), fills.judge),
    Route("positions/<uuid:code>/judges/", "scoring:judge-terms", form(managed(200), sent=302), fills.position),
    Route("applications/<uuid:code>/judges/", "scoring:judged", page(nobody_yet), fills.application),
    # For a judge's token alone: no browser's session opens it.
    Route("api/judge/ratings", "scoring:judge-ratings", deed(table(s401=EVERYBODY))),
    Route("norming/", "scoring:norming", page(table(s200="ana bo dee sam", s403=f"{IN_CHARGE} eli nils cora"))),
    Route(
        "norming/<uuid:code>/",
        "scoring:norming-begin",
        deed(table(s404="ana bo dee sam", s403=f"{IN_CHARGE} eli nils cora")),
        fills.interview,
    ),
]

nobody = uuid.UUID(int=7)


def walk() -> Iterator[tuple[str, str]]:
    """Every address of the URLconf as (pattern, name with its namespace)."""
    yield from _walk(get_resolver(), "", "")


def _walk(resolver: URLResolver, prefix: str, space: str) -> Iterator[tuple[str, str]]:
    for entry in resolver.url_patterns:
        path = f"{prefix}{entry.pattern}"
        if isinstance(entry, URLPattern):
            yield path, f"{space}{entry.name or ''}"
        else:
            yield from _walk(entry, path, f"{space}{entry.namespace}:" if entry.namespace else space)
