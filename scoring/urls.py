"""Addresses of cards and panel cards."""

from __future__ import annotations

from django.urls import path

from scoring.views import (
    blind,
    calibration,
    candidates,
    cards,
    comparison,
    debrief,
    interviewers,
    judge_api,
    judges,
    ledger,
    letters,
    norming,
    panels,
    prints,
    second_markings,
    voids,
)

app_name = "scoring"

urlpatterns = [
    path("interviews/<uuid:code>/card/", cards.show_mine, name="my-card"),
    path("cards/<uuid:seat>/", cards.show, name="card"),
    path("cards/<uuid:seat>/draft", cards.save, name="card-draft"),
    path("cards/<uuid:seat>/submit", cards.submit, name="card-submit"),
    path("cards/<uuid:seat>/amend", cards.amend, name="card-amend"),
    path("cards/<uuid:seat>/withdraw", cards.withdraw, name="card-withdraw"),
    path("applications/<uuid:code>/panel/", panels.show, name="panel"),
    path("applications/<uuid:code>/panel.pdf", prints.give_panel, name="panel-pdf"),
    path("applications/<uuid:code>/letter/", letters.edit, name="letter"),
    path("applications/<uuid:code>/letter/send/", letters.send, name="letter-send"),
    path("applications/<uuid:code>/letter.txt", letters.give_text, name="letter-text"),
    path("applications/<uuid:code>/panel/open-early/", panels.open_panel, name="open-early"),
    path("applications/<uuid:code>/debrief/", debrief.show, name="debrief"),
    path("applications/<uuid:code>/debrief/open/", debrief.open_room, name="debrief-open"),
    path("applications/<uuid:code>/ledger/", ledger.show, name="ledger"),
    path("positions/<uuid:code>/compare/", comparison.show, name="compare"),
    path("positions/<uuid:code>/marks.csv", comparison.give_marks, name="marks-csv"),
    path("candidates/<uuid:code>/", candidates.show, name="candidate"),
    path("positions/<uuid:code>/voids/", voids.show, name="voids"),
    path("positions/<uuid:code>/second-markings/", second_markings.show, name="second-markings"),
    path("positions/<uuid:code>/norming/", norming.choose, name="norming-choose"),
    path("markings/<uuid:code>/", blind.show, name="blind-marking"),
    path("interviewers/", interviewers.show_list, name="interviewer-list"),
    path("interviewers/<uuid:code>/", interviewers.show, name="interviewer"),
    path("calibration/", calibration.show, name="calibration"),
    path("judges/", judges.show_list, name="judge-list"),
    path("judges/<uuid:code>/", judges.show, name="judge"),
    path("judges/<uuid:code>/token/", judges.renew, name="judge-token"),
    path("judges/<uuid:code>/close/", judges.close, name="judge-close"),
    path("positions/<uuid:code>/judges/", judges.change_terms, name="judge-terms"),
    path("applications/<uuid:code>/judges/", judges.show_judged, name="judged"),
    path("api/judge/ratings", judge_api.take, name="judge-ratings"),
    path("norming/", norming.show, name="norming"),
    path("norming/<uuid:code>/", norming.begin, name="norming-begin"),
]
