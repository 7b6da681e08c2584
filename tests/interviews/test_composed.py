"""A condition composed once is the ORM's own, wherever it stands: in filters, annotations, groups and subqueries."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet

from interviews.composed import Composed
from interviews.models import Application, Interview, Position, Seat
from tests.cast import Cast
from tests.support.factories import make_application, make_interview, make_position, make_scene

pytestmark = pytest.mark.db


def seats(person: Any, application: Any) -> QuerySet[Seat]:
    return Seat.objects.filter(person=person, interview__application=application, role__in=["lead", "interviewer"])


sits = Composed(seats)


@pytest.fixture
def rows(cast: Cast) -> QuerySet[Application]:
    """Three applications: Ana and Bo sit in the first, Ana in the second, nobody in the third."""
    scene = make_scene(cast)
    make_interview(make_application(scene.position), lead=cast.ana, versions=scene.versions)
    make_application(make_position(cast.nils))
    return Application.objects.order_by("pk")


def both(person: Any, path: str) -> tuple[Q, Q]:
    return Q(sits(person.pk, F(path))), Q(Exists(seats(person, OuterRef(path))))


def test_rows_are_the_same_in_a_filter_and_out_of_it(cast: Cast, rows: QuerySet[Application]) -> None:
    for who, found in ((cast.ana, 2), (cast.bo, 1), (cast.sam, 0)):
        ours, theirs = both(who, "pk")
        assert list(rows.filter(ours)) == list(rows.filter(theirs))
        assert rows.filter(ours).count() == found
        assert list(rows.filter(~ours)) == list(rows.filter(~theirs))
    either = both(cast.bo, "pk")[0] | Q(position__managers=cast.nils)
    assert list(rows.filter(either)) == [rows[0], rows[2]]


def test_a_column_may_be_reached_by_joins_and_inside_a_subquery(cast: Cast, rows: QuerySet[Application]) -> None:
    ours, theirs = both(cast.bo, "interview__application")
    assert list(Seat.objects.filter(ours).order_by("pk")) == list(Seat.objects.filter(theirs).order_by("pk"))
    # Around and inside it the same table, which the ORM gives other names.
    inside = Seat.objects.filter(ours).values("interview")
    again = Seat.objects.filter(both(cast.ana, "interview__application")[0], interview__in=inside).values("interview")
    assert list(Interview.objects.filter(pk__in=again)) == [rows[0].interviews.get()]
    outer = Position.objects.filter(Exists(Application.objects.filter(both(cast.bo, "pk")[0], position=OuterRef("pk"))))
    assert list(outer) == [rows[0].position]


def test_annotations_tell_it_and_groups_stand(cast: Cast, rows: QuerySet[Application]) -> None:
    ours, _theirs = both(cast.bo, "pk")
    told = rows.annotate(sits=ExpressionWrapper(ours, output_field=BooleanField()), n=Count("interviews"))

    assert [(row.sits, row.n) for row in told] == [(True, 1), (False, 1), (False, 0)]


def test_every_value_may_be_one_of_ours(cast: Cast, rows: QuerySet[Application]) -> None:
    first, second, _third = rows
    there = [bool(rows.filter(sits(cast.bo.pk, row.pk))) for row in (first, second)]

    assert there == [True, False]
    assert sits(1, F("pk")) == sits(1, F("pk")) != sits(2, F("pk"))
