"""Names for the arrays that go through the engine."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
SmallInts: TypeAlias = npt.NDArray[np.signedinteger]
Bools: TypeAlias = npt.NDArray[np.bool_]


def count_by(index: Ints, weights: Floats | None, size: int) -> Floats:
    """Sum `weights` (n,) by `index` (n,) into (size,): the scatter every sum over rows goes through."""
    return np.bincount(index, weights, size).astype(np.float64, copy=False)


def count_met(who: Ints, whom: Ints, size: int) -> Ints:
    """How many different `whom` each of `size` codes in `who` stands beside, (size,)."""
    span = int(whom.max(initial=0)) + 1
    return np.bincount(np.unique(who * span + whom) // span, minlength=size)
