"""Queries whose SQL is composed once.

Composing a query costs the ORM more than asking it costs the database and us. A busy room asks the same handful again
and again, each time with another id; and every request asks whose it is.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators  # type: ignore[attr-defined]

M = TypeVar("M", bound=Model)
Value = int | str | UUID | datetime

# Values that stand for those to come while the SQL is composed, unlike any that a query could hold by itself.
_STAND_INS: dict[type[Value], Callable[[int], Value]] = {
    int: lambda at: -987_654_321 - at,
    str: lambda at: f"the value {at} that is to come",
    UUID: lambda at: UUID(int=2**127 + at),
    datetime: lambda at: datetime(1, 1, 1 + at, tzinfo=UTC),
}


class Compiled(Generic[M]):
    """`Compiled(build, int)(7)` is `list(build(7))`: the same rows, joined rows and annotations, by the same SQL.

    `kinds` are the types of what it is asked with; those values go into the SQL as parameters and nothing
    else: a `build` whose query differs by them (None, lists) can't be compiled.
    """

    def __init__(self, build: Callable[..., QuerySet[M]], *kinds: type[Value]) -> None:
        self._build = build
        self._stand_ins = [_STAND_INS[kind](at) for at, kind in enumerate(kinds)]

    def __call__(self, *values: Value) -> list[M]:
        text, params, read = self._composed
        with connection.cursor() as cursor:
            cursor.execute(text, [values[at] if at is not None else value for at, value in params])
            return read(cursor.fetchall())

    def one(self, *values: Value) -> M:
        """The row, where there is exactly one. Raises the model's DoesNotExist."""
        found = self(*values)
        if len(found) != 1:
            raise self._build(*values).model.DoesNotExist  # type: ignore[attr-defined]
        return found[0]

    @cached_property
    def _composed(self) -> tuple[str, list[tuple[int | None, Any]], Callable[[list[Any]], list[M]]]:
        """The SQL, its parameters as (which of our values, or None, and the parameter itself), and how rows are read:
        as ModelIterable does, which does it anew for each query."""
        compiler = self._build(*self._stand_ins).query.get_compiler(DEFAULT_DB_ALIAS)
        text, given = compiler.as_sql()
        params = [(self._stand_ins.index(value) if value in self._stand_ins else None, value) for value in given]
        fields = compiler.klass_info["select_fields"]
        first, behind = fields[0], fields[-1] + 1
        model = compiler.klass_info["model"]
        names = [column.target.attname for column, *_ in compiler.select[first:behind]]
        joined = get_related_populators(compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS)
        converters = compiler.get_converters([column for column, *_ in compiler.select])
        extra = compiler.annotation_col_map.items()

        def read(rows: list[Any]) -> list[M]:
            found = []
            for row in compiler.apply_converters(rows, converters) if converters else rows:
                item = model.from_db(DEFAULT_DB_ALIAS, names, row[first:behind])
                for populator in joined:
                    populator.populate(row, item)
                for name, at in extra:
                    setattr(item, name, row[at])
                found.append(item)
            return found

        return text, params, read
