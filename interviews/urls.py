"""Addresses of positions, applications, interviews, rooms and candidates' links."""

from __future__ import annotations

from django.urls import path

from interviews.views import (
    applications,
    hints,
    interviews,
    keys,
    links,
    offline,
    positions,
    preparation,
    room,
    seats,
    timeline,
)

app_name = "interviews"

urlpatterns = [
    path("positions/", positions.show_list, name="position-list"),
    path("positions/new/", positions.create, name="position-create"),
    path("positions/<uuid:code>/", positions.show, name="position-detail"),
    path("positions/<uuid:code>/edit/", positions.edit, name="position-edit"),
    path("positions/<uuid:position>/applications/new/", applications.create, name="application-create"),
    path("applications/<uuid:code>/", applications.show, name="application-detail"),
    path("applications/<uuid:code>/edit/", applications.edit, name="application-edit"),
    path("applications/<uuid:code>/loop/", applications.set_loop, name="application-loop"),
    path("applications/<uuid:application>/interviews/new/", interviews.create, name="interview-create"),
    path("attachments/<uuid:code>/", applications.show_attachment, name="attachment"),
    path("interviews/", interviews.show_list, name="interview-list"),
    path("interviews/sw.js", offline.service_worker, name="service-worker"),
    path("interviews/settled/", offline.settled, name="settled"),
    path("interviews/keys/", keys.show_keys, name="keys"),
    path("interviews/<uuid:code>/", interviews.show, name="interview-detail"),
    path("interviews/<uuid:code>/prepare/", preparation.show, name="preparation"),
    path("interviews/<uuid:code>/prepare/note/", preparation.keep, name="preparation-note"),
    path("interviews/<uuid:code>/room/", room.show_room, name="room"),
    path("interviews/<uuid:code>/room/controls/", room.show_controls, name="room-controls"),
    path("interviews/<uuid:code>/timeline/", timeline.show, name="timeline"),
    path("interviews/<uuid:code>/timeline.csv", timeline.give_table, name="timeline-csv"),
    path("interviews/<uuid:code>/timeline.json", timeline.give_json, name="timeline-json"),
    path("interviews/<uuid:code>/room/hint/", hints.show_hint, name="room-hint"),
    path("interviews/<uuid:code>/move/", interviews.move, name="interview-move"),
    path("interviews/<uuid:code>/cancel/", interviews.cancel, name="interview-cancel"),
    path("interviews/<uuid:code>/no-show/", interviews.no_show, name="interview-no-show"),
    path("interviews/<uuid:code>/link/", links.reissue, name="link-reissue"),
    path("interviews/<uuid:code>/link/revoke/", links.revoke, name="link-revoke"),
    path("interviews/<uuid:code>/seats/", seats.add, name="seat-add"),
    path("interviews/<uuid:code>/askers/", seats.share, name="interview-askers"),
    path("seats/<uuid:code>/replace/", seats.replace, name="seat-replace"),
    path("seats/<uuid:code>/remove/", seats.remove, name="seat-remove"),
    path("seats/<uuid:code>/excuse/", applications.excuse, name="card-excuse"),
    path("c/room/<uuid:code>/", room.show_candidate_room, name="candidate-room"),
    path("c/wait/<uuid:code>/", links.show_waiting, name="candidate-wait"),
    path("c/<str:token>/", links.open_link, name="candidate-link"),
]
