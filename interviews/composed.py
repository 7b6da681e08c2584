"""Conditions "there is such a row" whose SQL is composed once.

A condition of the seal stands in a dozen queries of one page, and composing its subquery costs the ORM more than the
database takes to answer it. Composed here it differs from `Exists` in nothing that the database sees but names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from inspect import signature
from itertools import count
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, Exists, Expression, F, QuerySet
from django.db.models.sql.compiler import SQLCompiler

_numbers = count(1)


class Composed:
    """`Composed(build)(viewer.pk, F("application"))` is `Exists(build(viewer.pk, OuterRef("application")))`.

    What `build` is given are whole numbers (keys), each of which may be a column of the query that the condition stands
    in; the rows that it returns may differ by nothing else.
    """

    def __init__(self, build: Callable[..., QuerySet[Any]]) -> None:
        self._build = build
        # Values unlike any that a query holds by itself, for those to come.
        self._stand_ins = [-876_543_210 - at for at in range(len(signature(build).parameters))]
        # No query inside or around this one has tables of this name.
        self._name = f"c{next(_numbers)}_"

    def __call__(self, *values: int | F) -> There:
        return There(self, *values)

    @cached_property
    def parts(self) -> tuple[str, list[tuple[str, int | None, Any]]]:
        """The SQL up to the first value; then by value: what follows it, which of ours it is or None, and itself."""
        query = Exists(self._build(*self._stand_ins)).query
        query.change_aliases({table: f"{self._name}{at}" for at, table in enumerate(query.alias_map)})
        text, given = query.get_compiler(DEFAULT_DB_ALIAS).as_sql()
        first, *rest = re.split(r"(?<!%)%s", text)
        slots = [self._stand_ins.index(value) if value in self._stand_ins else None for value in given]
        return f"EXISTS({first}", list(zip([*rest[:-1], f"{rest[-1]})"], slots, given, strict=True))


class There(Expression):
    """The condition, in a query."""

    output_field = BooleanField()
    empty_result_set_value = False

    def __init__(self, composed: Composed, *values: Any) -> None:
        super().__init__()
        self._composed = composed
        self._values: list[Any] = list(values)

    @property
    def identity(self) -> tuple[Any, ...]:
        return (There, self._composed, *self._values)

    def get_source_expressions(self) -> list[Any]:
        return [value for value in self._values if not isinstance(value, int)]

    def set_source_expressions(self, exprs: Sequence[Any]) -> None:
        columns = iter(exprs)
        self._values = [value if isinstance(value, int) else next(columns) for value in self._values]

    def get_group_by_cols(self) -> list[Any]:
        return self.get_source_expressions()

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, list[Any]]:
        text, parts = self._composed.parts
        params: list[Any] = []
        for behind, at, value in parts:
            if at is None or isinstance(self._values[at], int):
                text += f"%s{behind}"
                params.append(value if at is None else self._values[at])
            else:
                column, more = compiler.compile(self._values[at])
                text += f"{column}{behind}"
                params += more
        return text, params
