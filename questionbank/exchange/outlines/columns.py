"""Names of columns and fields, in English and Chinese -> what they hold: rule 7."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from questionbank.exchange.outlines.asking import is_empty_cell
from questionbank.exchange.outlines.texts import plain_html, without_marks


class Role(StrEnum):
    """What a column holds. Stored nowhere; travels between the mapping page and the reader."""

    QUESTION = "question"
    ANSWER = "answer"
    TOPIC = "topic"
    FOLLOW_UP = "follow_up"
    FOLLOW_UP_ANSWER = "follow_up_answer"
    ID = "id"
    PARENT = "parent"
    LEVEL = "level"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `number` is the one in its name: follow-up 2 and follow-up 2's answer belong together."""

    index: int
    name: str
    role: Role
    number: int | None = None
    code: bool = False
    """Holds code: kept to the letter."""


_FOLLOW = (
    r"(?:possible |suggested |optional |further |next )?(?:follow ?ups?|fu|probing|probes?|sub ?|deeper|"
    r"后续|追问|追加|跟进|延伸|拓展|扩展|深挖|子)"
)
_ANSWERS: Final = (
    r"(?:(?:the|a|an|your|my|code|model|expected|sample|example|suggested|reference|ideal|good|strong|best|correct|standard|possible|short|long|full|"
    r"detailed|official|acceptable|key)\s)*(?:answers?|solutions?|responses?)(?: (?:points?|key|guide|"
    r"outline|notes?|text|content|hints?|code|body|summary))?|"
    r"ans|a|expected|expectations?|expected points?|(?:what to )?(?:look(?:ing)?|listen(?:ing)?) for|"
    r"what (?:a )?good looks like|(?:key|talking) points?|points|"
    r"points to cover|explanations?|rationale|rubric|strong signals?|"
    r"(?:参考|标准|示例|期望|预期|代码|正确|推荐|最佳|简要|详细)?(?:答案|回答|解答|答复)(?:要点|解析|内容|说明|代码)?|答|(?:答题|回答|参考|得分|评分|考察)?要点|(?:答案|题目)?解析|考察点"
)
_QUESTIONS: Final = (
    r"(?:(?:the|a|interview|main|core|opening|primary|technical|screening|sample|root|base|initial|actual|english|chinese|original)\s)*"
    r"(?:questions?|question prompt|prompts?)(?: (?:text|title|content|body|stem|description|wording|en|"
    r"zh|cn|english))?|q|ques|"
    r"(?:面试|主要?|核心|原|中文|英文|技术)?(?:问题|题目|试题|考题|面试题|提问)(?:内容|描述|文本|标题|正文|中文|英文)?|问|题干|题|问句"
)
_TOPICS: Final = (
    r"(?:main |sub ?|question |interview )?(?:topics?|category|categories|sections?|parts?|areas?|"
    r"subjects?|themes?|modules?|domains?|chapters?|groups?|subcategory|"
    r"tracks?|units?|fields?|disciplines?|headings?)(?: (?:name|title|area))?|(?:知识|技术|考察|面试|所属|"
    r"题目)?(?:主题|话题|分类|类别|模块|章节|章|节|部分|领域|方向|知识点|科目|学科|专题|栏目|板块|大类|"
    r"小类|子类|范畴)(?:名称)?|"
    r"(?:一|二|三)级(?:分类|主题|目录|知识点|类别)|子主题|子分类"
)
_WEAK_TOPICS: Final = r"skills?|competenc(?:y|ies)|technology|technologies|tech|技能|技术|能力|类型|题型|type"
_PARENTS: Final = (
    r"parents?(?: (?:id|key|no|number|question|question id|ref|node|row))?|parentid|parent of|"
    r"(?:follow ?up|follows?)(?: up)? (?:to|of|on|for)(?: id)?|after|belongs to|depends on|reply to|"
    r"父(?:级|题|节点|问题|题目)?(?:编号|序号|id|号)?|上级(?:编号|序号|问题|题目|id)?|所属问题|所属题目|前置问题|pid"
)
_IDS: Final = (
    r"(?:question |row |node |item |q )?(?:ids?|keys?|uid|uuid|identifier|code)|qid|(?:题目|问题)?编号|题号|标识"
)
_WEAK_IDS: Final = r"#|no|nr|num|number|index|序号|号|行号|s no|sl no|sr no|question (?:no|number)"
_LEVELS: Final = (
    r"(?:question |nesting |tree |follow ?up |outline |indent )?(?:levels?|depth|lvl|indent|indentation)|"
    r"(?:问题|题目)?(?:层级|层次|深度|层|级数)"
)

_PATTERNS: Final = {
    name: re.compile(pattern)
    for name, pattern in {
        "parent": _PARENTS,
        "level": _LEVELS,
        "id": _IDS,
        "weak_id": _WEAK_IDS,
        "question": _QUESTIONS,
        "answer": _ANSWERS,
        "topic": _TOPICS,
        "weak_topic": _WEAK_TOPICS,
    }.items()
}
_FOLLOW_UP = re.compile(
    rf"{_FOLLOW} ?(?:questions?|prompts?|probes?|text|list|ups?|问题|题目|提问|问|题)?(?: (?:questions?|"
    rf"text|list))?|follow ?up ?q|fuq?"
)
_FOLLOW_UP_ANSWER = re.compile(
    rf"{_FOLLOW} ?(?:questions?|问题|问|题)?(?:的| s)? ?(?:{_ANSWERS})|(?:{_ANSWERS})(?: (?:to|for|"
    rf"of))?(?: the)? {_FOLLOW} ?(?:questions?)?"
)
_NUMBER = re.compile(r"\s?[#(（]?\s?([0-9]{1,3}|[一二三四五六七八九十](?=$|\D))\s?[)）]?\s?")
_HAN = "零一二三四五六七八九十"


def plain_name(text: str) -> str:
    """Return a name without case, marks, hyphens and underscores."""
    text = unicodedata.normalize("NFKC", without_marks(plain_html(text[:200]))).strip()
    text = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", text)  # followUps, expectedAnswer
    text = re.sub(r"[\s_\-–—/:：.*?？'’\"“”]+", " ", text.casefold())
    return " ".join(text.split())


def role_of(name: str) -> tuple[str, int | None]:
    """Return what a name says that a column holds, and the number in it; "" when it says nothing we read.

    Besides the values of `Role` there are `weak_id` and `weak_topic`, for columns that are it when there is no other.
    """
    plain = plain_name(name)
    if not plain or len(plain) > 60:
        return "", None
    for weak in ("parent", "level"):
        if _PATTERNS[weak].fullmatch(plain):
            return weak, None
    bare, number = _without_number(plain)
    for text in dict.fromkeys((plain, bare)):
        if _FOLLOW_UP_ANSWER.fullmatch(text):
            return Role.FOLLOW_UP_ANSWER, number
        if _FOLLOW_UP.fullmatch(text):
            return Role.FOLLOW_UP, number
    without_brackets = re.sub(r"\s?[(（][^()（）]{0,40}[)）]$", "", plain).strip()
    for text in dict.fromkeys((plain, without_brackets, bare)):
        for role in ("question", "answer", "topic", "id", "weak_id", "weak_topic"):
            if _PATTERNS[role].fullmatch(text) and not (role == "question" and text == bare != plain):
                return role, number
    return "", None


def _without_number(plain: str) -> tuple[str, int | None]:
    if plain[:2] in ("一级", "二级", "三级"):
        return plain, None
    match = _NUMBER.search(plain)
    if not match:
        return plain, None
    digits = match[1]
    number = int(digits) if digits.isdigit() else _HAN.index(digits)
    return " ".join(f"{plain[: match.start()]} {plain[match.end() :]}".split()), number


def names_question(cells: Sequence[str]) -> bool:
    """True for a row that names a question column."""
    return any(role_of(cell)[0] == Role.QUESTION for cell in cells if cell and len(cell) < 120)


def header_of(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the index of the header: the first row that names a question column.

    A title of one cell above a table (*Questions*) is no header when one of several cells follows.
    """
    lone: int | None = None
    for index, row in enumerate(rows[:200]):
        if names_question(row):
            if sum(1 for cell in row if cell.strip()) > 1:
                return index
            lone = index if lone is None else lone
    return lone


def columns_of(
    header: Sequence[str], body: Sequence[Sequence[str]], mapping: Mapping[str, str] | None = None
) -> list[Column]:
    """Return the columns of a table that hold something we read.

    `mapping` (name of a column -> value of `Role`) takes the place of guessing for the columns that it names.
    """
    wanted = {plain_name(name): Role(role) for name, role in (mapping or {}).items()}
    guessed = [(index, name, *role_of(name)) for index, name in enumerate(header)]
    roles = [(index, name, wanted.get(plain_name(name), role), number) for index, name, role, number in guessed]
    has = {role for _index, _name, role, _number in roles}
    columns: list[Column] = []
    taken: set[str] = set()
    for index, name, role, number in roles:
        given = plain_name(name) in wanted
        if role == "weak_id":
            role = Role.ID if Role.PARENT in has and Role.ID not in has else ""
        elif role == "weak_topic":
            role = Role.TOPIC if Role.TOPIC not in has else ""
        elif (
            role == Role.LEVEL and not given and not are_levels(row[index] if index < len(row) else "" for row in body)
        ):
            role = ""
        if role in ("", Role.IGNORED) or (role in _ONE and role in taken):
            continue
        taken.add(role)
        columns.append(Column(index, name, Role(role), number, code="code" in plain_name(name) or "代码" in name))
    return columns


_ONE: Final = frozenset({Role.QUESTION, Role.ID, Role.PARENT, Role.LEVEL})
_LEVEL = re.compile(r"(?:level |lvl |第)?([0-9]{1,2})(?:\.0{1,2})?(?: ?[级层])?")


def level_number(text: str) -> int | None:
    """Return the level that a cell names, or None."""
    match = _LEVEL.fullmatch(plain_level(text))
    return int(match[1]) if match else None


def plain_level(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def are_levels(cells: Iterable[str]) -> bool:
    """True for a column that counts levels: *Senior*, *easy* and *L4* are none."""
    filled = [cell for cell in cells if cell.strip() and not is_empty_cell(cell)]
    return bool(filled) and sum(level_number(cell) is not None for cell in filled) * 2 >= len(filled)
