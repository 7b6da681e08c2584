"""Which texts ask, and which are labels, placeholders or furniture: the words of rules 1, 5, 6 and 10."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from questionbank.exchange.outlines.numbering import without_number
from questionbank.exchange.outlines.texts import has_letter, whole, without_marks, words_only

# --- requests

# A text that begins with one of these asks for something, whatever follows.
_SURE = (
    "describe|explain|compare|tell|discuss|summari[sz]e|contrast|differentiate|distinguish|elaborate|enumerate|justify|"
    "walk (?:me|us)|talk (?:me|us|about|through)|give|show (?:me|us|how)|help (?:me|us)|define|illustrate|demonstrate|"
    "mention|recount|convince|teach|imagine|suppose|assume|calculate|prove|derive|predict|"
    "(?:can|could|would|will) you|let'?s (?:say|talk|discuss|design|write)|think of|speak about|take (?:me|us)|"
    "run (?:me|us) through|share (?:an?|your|how|with)|say (?:what|how|why|when|which|in)|"
    "name|list|write|design|implement|compute"
)
# These begin the names of things as well ("Design patterns", "Write path"): they ask unless such a name follows.
_NAMES = {
    "name": r"resolution|servers?|spaces?|mangling|look-?ups?|binding|service|conflicts?|collisions?|of|tags?|fields?",
    "list": r"comprehensions?|views?|operations?|of|vs|interfaces?|rendering|types?|items?|sort\w*|methods?|boxes|box",
    "write": r"amplification|paths?|ahead|locks?|through|back|behind|skew|conflicts?|barriers?|heavy|performance|load|"
    r"throughput|quorums?|caches?|sets?|models?|operations?|concerns?|permissions?|access|once|speed|latency|up|side|only",
    "design": r"patterns?|principles?|systems?|considerations?|docs?|documents?|reviews?|decisions?|thinking|goals?|"
    r"phases?|process|choices?|trade-?offs?|by|tokens?|skills?|rounds?|interviews?|questions?|basics|tools?|debt|flaws?",
    "compute": r"engines?|nodes?|units?|layers?|resources?|bound|power|shaders?|services?|instances?|costs?|time",
}
_MAYBE = (
    "state|sketch|draw|estimate|identify|outline|build|create|find|solve|provide|evaluate|analy[sz]e|debug|refactor|"
    "optimi[sz]e|convert|reverse|propose|suggest|recommend|rank|pick|choose|order|sort|show|use|fix|review|plan|model|"
    "test|trace|consider|recall|argue|defend|critique|assess|simulate|interpret|complete|fill|read|look|take|rewrite|"
    "translate|merge|count|print|return|remove|determine|verify|check|code|spot|clarify|classify|relate|point|make"
)
_OBJECT = (
    "an?|the|your|you|me|us|it|its|this|that|these|those|one|two|three|four|five|six|ten|some|any|each|every|all|both|"
    "at|what|how|why|when|which|who|where|whether|out|down|up|to|something|someone|as|in|code|examples?|and (?:explain|"
    "describe|compare)|different|several|possible|main|key|pros|advantages|down|from|between|if|for|with|[0-9]+"
)
_POLITE = r"(?:(?:please|now|then|and|so|next|also|first|finally|briefly|ok|okay|in your own words)[,:]?\s+){0,3}"
_REQUEST = re.compile(rf"{_POLITE}(?P<verb>{_SURE}|{_MAYBE})\b(?P<rest>[^\n]*)", re.IGNORECASE)
_SURE_VERB = re.compile(rf"(?:{_SURE})", re.IGNORECASE)
_HAS_OBJECT = re.compile(rf"[,]?\s+(?:{_OBJECT})\b", re.IGNORECASE)
_OF_A_NAME = re.compile(r"-|\s*(?:[:：(（]|$)|\s+(?:and|or|vs\.?)\s+\w+$|\s+plan\b", re.IGNORECASE)

_HAN_SURE = re.compile(
    r"请(?!求|假|帖|柬|愿|客)|说说|谈谈|讲讲|聊聊|谈一谈|说一说|讲一讲|聊一聊|说一下|讲一下|谈一下|聊一下|讲述|简述|阐述|试述|概述一|论述|叙述|"
    r"列举(?!类)|列出|举例(?!子$)|举一个|举一例|举个例子|举出|举两|举几|试说明|试比较|试分析|试解释|写出|写一|画出|画一|指出|说出|给出|谈及|"
    r"介绍(?!$|信|[：:])|解释(?!$|器|型|执行|性|权|[：:])|描述(?!$|符|文件|性|语言|子|[：:])|说明(?!$|书|文档|性|[：:])|"
    r"手写(?!板|体|字|识别|数字)|回忆一|回顾一|分享一|复述|总结一|推导(?!$|式)|证明(?!$|材料|书)|估算(?!$|器)|"
    r"如果让你|假如让你|假设你|让你来|用一句话|用自己的话|能否|能不能|可否|可不可以"
)
_HAN_MAYBE = re.compile(
    r"(?:比较|对比|分析|设计|实现|计算|评价|区分|编写|构造|推荐|选择|判断|改写|优化|总结|概述|演示|定义)"
    r"(?=一[个下种套段些次条]|[个下出]|[两三四五几]|下列|以下|下面|你|怎|如何|什么|哪|其|它|这|该|所有|并|上述)"
)
_HAN_POLITE = re.compile(
    r"(?:现在|那么|接下来|然后|再|最后|首先|麻烦|试着|尝试|尽量|简单|简要|详细|具体|大致|大概|再次|分别|如果可以)[，,]?"
)


_ASKING: Final = ("?", "？", "؟")


def has_mark(text: str) -> bool:
    """True when a question mark stands outside code and link addresses."""
    if not any(mark in text for mark in _ASKING):
        return False
    words = words_only(text)
    return any(mark in words for mark in _ASKING)


def asks(text: str) -> bool:
    """True for a text with a question mark outside code and link addresses, or one that begins as a request does."""
    return _asks(text) if len(text) < 1000 else has_mark(text) or _requests(_bare(text))


@lru_cache(maxsize=4096)
def _asks(text: str) -> bool:
    # A list is looked at from outside before its items are: the same texts come again soon.
    return has_mark(text) or _requests(_bare(text))


def _bare(text: str) -> str:
    """Return the first words of a text without box, number and emphasis."""
    head = without_marks(text[:400].lstrip())
    head = without_number(head).lstrip()
    return whole(head).lstrip(" *_\"'“‘「>")


def _requests(text: str) -> bool:
    if not text:
        return False
    if "\u3400" <= text[0] <= "\u9fff":
        for _step in range(3):
            if _HAN_SURE.match(text) or _HAN_MAYBE.match(text):
                return len(text.rstrip("。.：: ")) > 2
            match = _HAN_POLITE.match(text)
            if not match:
                return False
            text = text[match.end() :]
        return False
    match = _REQUEST.match(text)
    if not match:
        return False
    verb, rest = match["verb"], match["rest"]
    if verb.isupper() and len(verb) > 1:  # EXPLAIN is a statement of a database
        return False
    if _SURE_VERB.fullmatch(verb):
        names = _NAMES.get(verb.lower())
        return not (_OF_A_NAME.match(rest) or (names and re.match(rf"\s+(?:{names})\b", rest, re.IGNORECASE)))
    return bool(_HAS_OBJECT.match(rest))


# --- labels

QUESTION: Final = "question"
ANSWER: Final = "answer"
FOLLOW_UP: Final = "follow_up"

_NUMBER = r"(?:\s{0,3}[#＃]?\s{0,2}[0-9０-９]{1,4}|\s?[一二三四五六七八九十]{1,3})?"
_LABEL_WORDS: Final = {
    FOLLOW_UP: (
        r"follow(?:[\s_-]{0,2}ups?)(?:\s(?:question|prompt|probe)s?)?|follow-?ups?|(?:possible|suggested|optional|further)"
        r"\sfollow[\s-]?ups?(?:\squestions?)?|further questions?|prob(?:e|ing)(?:\squestion)?s?|"
        r"deeper questions?|go(?:ing)? deeper|dig deeper|"
        r"sub-?questions?|继续追问|深入追问|进一步追问|追问(?:问题)?|追加提问|跟进(?:问题)?|后续(?:问题|提问)|延伸(?:问题|提问)|深挖|进阶问题|扩展问题|拓展问题"
    ),
    QUESTION: (
        r"(?:interview |main |sample |opening )?questions?|ques|prompt|问题|面试问题|面试题|题目|提问|主问题|"
        r"问题描述|问|题"
    ),
    ANSWER: (
        r"(?:(?:view|show|see|reveal|read|check|click (?:here )?(?:to|for)(?: (?:see|view|show|reveal|read))?|"
        r"expand|open|toggle)"
        r"(?: (?:me|the|a|an|my|full|to|for))*\s)?"
        r"(?:(?:possible|suggested|example|sample|model|reference|expected|ideal|good|strong|great|best|correct|short|"
        r"long|longer|full|detailed|brief|official|recommended|code|standard|quick|complete|more detailed)\s){0,2}"
        r"(?:answers?|solutions?|responses?)(?:\s(?:points?|key|guide|outline|notes?|explanation|here|below))?|"
        r"ans|expected(?: points?)?|expectations?|(?:what (?:to|we) )?(?:look(?:ing)?|listen(?:ing)?) for|"
        r"what we(?:'re| are) looking for|"
        r"what (?:a )?good looks like|(?:key|talking) points|points to cover|what to expect|rubric|"
        r"查看答案|点击查看(?:答案|解析|详情)?|显示答案|展开(?:答案|查看)?|参考答案|参考回答|参考解答|参考要点|标准答案|标准回答|示例答案|示例回答|"
        r"答案要点|回答要点|答题要点|要点|答案解析|答案|解答|回答|解析|期望回答|期望答案|期望|预期回答|预期|考察要点|考察点|评分要点|答"
    ),
}
# A detail to unfold says what it holds, or only that it can be unfolded.
_UNFOLD = re.compile(
    r"(?:(?:click|tap)(?: here)? to (?:expand|show|open|see|view|unfold)(?: more)?|(?:show|read|see|"
    r"view)(?: more| details?)?|details?|"
    r"expand|more|hints?|explanation|reveal|spoilers?|展开|详情|详细|点击展开|更多|提示|查看更多|查看详情|点击查看)[\s.:：…!！👇▼▾]*",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"answer|solution|response|\bans\b|expected|look(?:ing)? for|listen(?:ing)? for|答|期望|预期", re.IGNORECASE
)
_LONGER = re.compile(
    r"\b(?:longer|more|full|fuller|detailed|complete|extended|further)\b|详细|完整|更多|更长", re.IGNORECASE
)

_MARK = r"(?P<open>[*_]{1,3}|\[|【|「|『|<b>|<strong>)?"
_ANY = "|".join(f"(?P<{name}>{words})" for name, words in _LABEL_WORDS.items())
_WORD_LABEL = re.compile(
    rf"{_MARK}\s?(?:{_ANY}){_NUMBER}(?:\s?\([^()\n]{{0,40}}\))?\s{{0,2}}"
    rf"(?:(?:(?<=[0-9０-９])[.、．]|[:：])(?P<close_a>[*_]{{1,3}}|</b>|</strong>)?|(?P<close_b>[*_]{{1,3}}|</b>|</strong>|[】\]」』])\s?(?:[:：]|(?=\s|$|[^\x00-\x7f])))",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"[*_#\[【「『\s]{{0,6}}(?:{_ANY}){_NUMBER}[*_\]】」』\s:：.]{{0,8}}", re.IGNORECASE)
_LETTER_LABEL = re.compile(
    rf"{_MARK}(?:(?P<question>Q)|(?P<answer>A)|(?P<follow_up>F|FU))(?P<number>\s?[0-9０-９]{{1,4}}(?:[.．][0-9]{{1,3}})*)?"
    r"(?P<point>\s?[:：.)、）．](?![\w/]))?(?P<close>[*_]{1,3}|</b>|</strong>)?(?P<colon>\s?[:：])?\s*"
)


@dataclass(frozen=True, slots=True)
class Label:
    """A label before a text: which of the three, and the text behind it.

    `letter` is a bare `A.` or `A)`, which may be the first of several options. `longer` promises more than stands
    above. `plain` ones say *answer* itself; *Key points* and the like may stand inside an answer too.
    """

    kind: str
    text: str
    letter: bool = False
    longer: bool = False
    plain: bool = True


def label_of(text: str) -> Label | None:
    """Return the label that a text begins with: `**Q:** ...`, `Answer: ...`, `追问：...`, or a label alone."""
    text = text.strip()
    if not text or text[0] not in _MAY_BEGIN:
        return None
    return _label_of(text) if len(text) < 1000 else _new_label(text)


@lru_cache(maxsize=4096)
def _label_of(text: str) -> Label | None:
    return _new_label(text)


def _new_label(text: str) -> Label | None:
    head = text[:200]
    match = _WORD_LABEL.match(head)
    if match:
        return Label(
            _kind(match),
            _behind(text, match),
            longer=bool(_LONGER.search(match[0])),
            plain=bool(_PLAIN.search(match[0])),
        )
    if len(text) < 80 and (match := _ALONE.fullmatch(text)) and (text[0] in "*_#[【「『" or len(text) > 3):
        return Label(_kind(match), "", longer=bool(_LONGER.search(text)), plain=bool(_PLAIN.search(text)))
    match = _LETTER_LABEL.match(head)
    if match is None or not (match["point"] or match["colon"] or (match["number"] and match["open"])):
        return None
    sure = bool(match["colon"] or ":" in (match["point"] or "") or "：" in (match["point"] or "") or match["number"])
    return Label(_kind(match), _behind(text, match), letter=not sure)


_MAY_BEGIN: Final = frozenset(
    "*_[【「『<#qQaAfFuUeElLwWkKtTvVsSrRiIpPmMoOcCgGbBdDhH问题面主提追继深进跟后延扩拓参标示答要解回期预考查点显展评"
)


def _kind(match: re.Match[str]) -> str:
    return next(name for name in (FOLLOW_UP, QUESTION, ANSWER) if match[name])


def _behind(text: str, match: re.Match[str]) -> str:
    """Return what follows a label; emphasis that the label opened and the text closes goes with it."""
    rest = text[match.end() :].strip()
    groups = match.groupdict()
    mark = groups.get("open") or ""
    closed = groups.get("close") or groups.get("close_a") or groups.get("close_b")
    if mark and not closed:
        shut = {"<b>": "</b>", "<strong>": "</strong>"}.get(mark, mark)
        if rest.endswith(shut):
            rest = rest[: -len(shut)].strip()
        elif shut in rest:  # **Q: What is it?** It is ...
            rest = f"{mark}{rest}"
    return rest


def summary_label(text: str) -> Label | None:
    """Return the label that a summary is: *Answer*, *See a longer answer*, *Click to expand*."""
    bare = without_marks(text).strip(" *_#:：👇👉▶▼✅💡-")
    if not bare:
        return Label(ANSWER, "")
    label = label_of(f"{bare}:") if len(bare) < 80 else None
    if label and not label.text:
        return label
    if _UNFOLD.fullmatch(bare):
        return Label(ANSWER, "", longer=bool(_LONGER.search(bare)))
    return None


# --- placeholders and furniture

_PLACEHOLDER = re.compile(
    r"[\s*_(（\[<\"'`-]*(?:to be (?:completed|added|done|written|defined|determined|announced|continued|"
    r"filled(?: in)?|updated)|"
    r"to-?\s?dos?|tbd|tba|tbc|wip|fixme|xxx+|coming soon|work in progress|in progress|"
    r"(?:answer )?(?:pending|missing)|no answer(?: yet)?|"
    r"not (?:yet )?(?:answered|written)(?: yet)?|fill (?:me )?in|add (?:an )?answer(?: here)?|placeholder|lorem ipsum|"
    r"待补充|待完善|待更新|待添加|待填写|待定|待续|待写|待办|未完待续|未完成|暂无(?:答案)?|补充中|整理中|更新中|敬请期待|略|空|占位符?)"
    r"[\s*_)）\]>\"'`.。!！…:：-]*",
    re.IGNORECASE,
)  # fmt: skip
_EMPTY_CELL = re.compile(r"[-–—_/\\.…·*\s]*|#?n\s?[/.]\s?a\.?|none|null|nil|nan|无|暂无|没有|空", re.IGNORECASE)
_CONTENTS = re.compile(
    r"(?:(?:show|hide|view|toggle|expand|collapse|open|click)(?: (?:to|the|here|for))*[\s/&|-]*){0,5}(?:the )?"
    r"(?:table\s+of\s+contents?|contents?(?:\s+of\s+.{1,40})?|toc|index)|"
    r"(?:展开|显示|隐藏|查看)?(?:内容|题目|文章|本文)?目\s{0,4}录|导航|"
    r"contents?\s*[/|（(]?\s*目录[)）]?|目录\s*[/|（(]?\s*(?:table of )?contents?[)）]?",
    re.IGNORECASE,
)
_LICENCE = re.compile(
    r"(?:the\s+)?(?:[\w.-]{1,20}\s+){0,2}(?:licen[cs]e|licen[cs]ing|copyright)s?(?:\s+(?:information|notice|&\s+\w+|and\s+\w+))?|"
    r"(?:版权|许可|授权|开源)(?:证|协议|声明|许可证?|许可协议|信息|说明)?",
    re.IGNORECASE,
)
_LICENCE_LINE = re.compile(
    r"[\s*_>]*(?:©|\(c\)\s*\d|copyright\s+(?:©|\(c\)|\d{4})|licen[cs]ed under\b|this (?:work|project|"
    r"repository) is licen[cs]ed|版权所有|本(?:作品|项目|仓库|文).{0,12}许可)", re.IGNORECASE)  # fmt: skip


def is_placeholder(text: str) -> bool:
    """True for a text that only says that something is still to come."""
    return len(text) < 80 and bool(_PLACEHOLDER.fullmatch(text))


def is_empty_cell(text: str) -> bool:
    """True for what people write into a cell that has nothing to say: `-`, `N/A`, 无."""
    return len(text) < 40 and bool(_EMPTY_CELL.fullmatch(text.strip()))


def is_contents(name: str) -> bool:
    """True for the name of a table of contents."""
    return bool(_CONTENTS.fullmatch(name.strip(" :：📖📑📋📚🗂️*_")))


def is_licence(name: str) -> bool:
    """True for the name of a part that says on which terms a file may be used."""
    return len(name) < 60 and not has_mark(name) and bool(_LICENCE.fullmatch(name.strip(" :：📄📝⚖️*_.")))


def is_licence_line(text: str) -> bool:
    return bool(_LICENCE_LINE.match(text))


def is_answer(text: str) -> bool:
    """True when a text is worth keeping as an answer: no placeholder, and not only punctuation."""
    return not is_placeholder(text) and (has_letter(text) or any(map(str.isdigit, text)))
