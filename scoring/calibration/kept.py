"""What re-scoring needs of a calibration, as bytes: an archive of arrays, and of names as JSON. Nothing in it runs."""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from typing import Any

import numpy as np

from scoring.stats.layout import Terms
from scoring.stats.rescore import Stored
from scoring.stats.variances import Variances

FORMAT = 1


class NotKept(ValueError):
    """The bytes are no calibration of this format."""


def pack(stored: Stored) -> bytes:
    """Keep a calibration. `unpack` gives it back to the last bit."""
    names = {
        "format": FORMAT,
        "interviewers": stored.interviewers,
        "columns": stored.columns,
        "scales": stored.scales,
        "tops": stored.tops,
        "terms": asdict(stored.terms),
        "variances": asdict(stored.variances),
        "laplace_term": stored.laplace_term,
    }
    text = np.frombuffer(json.dumps(names).encode(), np.uint8)
    kept = io.BytesIO()
    # Symmetric: one half says all of it.
    upper = stored.covariance[np.triu_indices(len(stored.vector))]
    np.savez_compressed(kept, names=text, slopes=stored.slopes, vector=stored.vector, covariance=upper)
    return kept.getvalue()


def unpack(data: bytes) -> Stored:
    """Read what `pack` kept. Raises NotKept for anything else."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as kept:
            names: dict[str, Any] = json.loads(kept["names"].tobytes())
            slopes, vector, upper = kept["slopes"], kept["vector"], kept["covariance"]
    except (ValueError, KeyError, OSError, EOFError) as error:
        raise NotKept("these bytes are no calibration") from error
    if names.get("format") != FORMAT:
        raise NotKept(f"a calibration of format {names.get('format')!r}, not {FORMAT}")
    covariance = np.zeros((len(vector), len(vector)))
    covariance[np.triu_indices(len(vector))] = upper
    covariance += np.triu(covariance, 1).T
    return Stored(
        interviewers=tuple(names["interviewers"]),
        columns=tuple((item, dimension, scale) for item, dimension, scale in names["columns"]),
        scales=tuple(names["scales"]),
        tops=tuple(names["tops"]),
        slopes=slopes,
        terms=Terms(**names["terms"]),
        variances=Variances(**names["variances"]),
        vector=vector,
        covariance=covariance,
        laplace_term=names["laplace_term"],
    )
