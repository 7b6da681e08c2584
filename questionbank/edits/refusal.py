"""How an edit says that it can't be done. Words for the codes are in services."""

from __future__ import annotations


class EditRefused(Exception):
    """Nothing was changed. `code` names the reason, `values` what the words about it speak of."""

    def __init__(self, code: str, **values: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.values = values
