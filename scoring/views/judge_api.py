"""POST /api/judge/ratings: an automatic judge's ratings, for its token's bearer alone. docs/judges.md describes it."""

from __future__ import annotations

import json
from collections.abc import Iterable

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from scoring.models import Judge
from scoring.queries.judges import judge_by_token
from scoring.rules.judging import LARGEST_BODY, WINDOW, Problem, Refusal, Said, read_key, read_rows
from scoring.services.judges import admit
from scoring.services.judging import KeyUsed, take_ratings


# The token is the whole right; no browser sends it by itself, so there is nothing for a page's own token to guard.
@csrf_exempt
@login_not_required
@never_cache
@require_POST
def take(request: HttpRequest) -> JsonResponse:
    judge = judge_by_token(request.headers.get("Authorization", "").removeprefix("Bearer "))
    if judge is None:
        return _refused(401, Problem(None, "No judge has this token.", "Ask who made the judge for a new one."))
    if not admit(judge):
        remedy = f"Wait {WINDOW.seconds} seconds, and send more ratings at once."
        return _refused(429, Problem(None, "Too many requests.", remedy))
    length = request.headers.get("Content-Length", "")
    if (length.isdecimal() and int(length) > LARGEST_BODY) or len(request.body) > LARGEST_BODY:
        words = f"This is more than {LARGEST_BODY:,} bytes."
        return _refused(413, Problem(None, words, "Send it in parts, each with a key of its own."))
    try:
        key, said = _read(request.body)
        return _taken(judge, key, said)
    except Refusal as refusal:
        return _refused(422, *refusal.problems)
    except KeyUsed:
        return _refused(409, Problem(None, "This key stands for other ratings.", "Give every batch a key of its own."))


def _taken(judge: Judge, key: str, said: list[Said]) -> JsonResponse:
    taken = take_ratings(judge=judge, key=key, said=said)
    return JsonResponse(
        {"taken": taken.taken, "known": taken.known, "repeated": taken.repeated}, status=200 if taken.repeated else 201
    )


def _read(body: bytes) -> tuple[str, list[Said]]:
    """Read key and ratings of a request. Raises Refusal."""
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        raise Refusal(Problem(None, "This is no JSON.", 'Send {"key": "...", "ratings": [...]} in UTF-8.')) from None
    ratings = sent.get("ratings") if isinstance(sent, dict) else None
    if not isinstance(ratings, list) or not all(isinstance(row, dict) for row in ratings):
        raise Refusal(Problem(None, "There is no list of ratings.", 'Send {"key": "...", "ratings": [{...}, ...]}.'))
    return read_key(sent.get("key")), read_rows(enumerate(ratings, start=1))


def _refused(status: int, *problems: Problem) -> JsonResponse:
    answer = JsonResponse({"problems": list(_as_json(problems))}, status=status)
    if status == 401:
        answer["WWW-Authenticate"] = "Bearer"
    if status == 429:
        answer["Retry-After"] = str(WINDOW.seconds)
    return answer


def _as_json(problems: Iterable[Problem]) -> Iterable[dict[str, object]]:
    for problem in problems:
        yield {"row": problem.row, "says": problem.says, "remedy": problem.remedy}
