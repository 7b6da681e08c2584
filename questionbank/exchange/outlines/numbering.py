"""Numbers before a text: which kind they are of, and the text without them.

`1.`, `1、`, `１．` and `1:` are one kind; `1)`, `(1)`, `①`, `一、`, `（一）`, `1.1`, `a.` are kinds of their own.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Number(NamedTuple):
    kind: str
    end: int
    """Where the text behind the number begins."""


_D = "[0-9０-９]"
_HAN = "[一二三四五六七八九十百零〇两]"
_PARTS = "章|节|部分|篇|讲|课|大类|类|单元|阶段|轮|模块"
_OPEN = "[（(]\\s?"
_SHUT = "\\s?[)）]\\s*"

# Tried in this order: longer forms before those that they begin with.
_KINDS: Final[tuple[tuple[str, str], ...]] = (
    ("(1)", f"{_OPEN}{_D}{{1,3}}{_SHUT}"),
    ("(一)", f"{_OPEN}{_HAN}{{1,4}}{_SHUT}"),
    ("(i)", f"{_OPEN}[ivx]{{2,5}}{_SHUT}"),
    ("(a)", f"{_OPEN}[a-zA-Z]{_SHUT}"),
    ("第章", f"第\\s?(?:{_D}{{1,3}}|{_HAN}{{1,4}})\\s?(?:{_PARTS})(?:\\s*[、．.:：，]\\s*|\\s+)"),
    ("第题", f"第\\s?(?:{_D}{{1,4}}|{_HAN}{{1,4}})\\s?[题问道]\\s*[、．.:：，]?\\s*"),
    ("一", f"{_HAN}{{1,4}}\\s?[、．.:：]\\s*"),
    ("①", "[①-⑳㉑-㉟]\\s*[、．.)）]?\\s*"),
    ("⑴", "[⑴-⒇]\\s*"),
    ("1", "[⒈-⒛]\\s*"),
    ("❶", "[❶-❿➊-➓]\\s*"),
    ("㈠", "[㈠-㈩]\\s*"),
    ("Ⅰ", "[Ⅰ-Ⅻ]{1,4}\\s?[、．.)）:：]?\\s*"),
    ("ⅰ", "[ⅰ-ⅻ]{1,4}\\s?[、．.)）:：]?\\s*"),
    # 1.5 hours is no number of a list: what follows begins a sentence or is Chinese.
    (
        "1.1",
        f"{_D}{{1,4}}(?:[.．]{_D}{{1,3}}){{1,5}}"
        "(?:[.．、:：)）]\\s*|\\s+(?=[^a-z\\s0-9%=<>+*/-])|(?=[\\u3400-\\u9fff]))",
    ),
    ("1)", f"{_D}{{1,4}}\\s?(?:）\\s*|\\)(?:\\s+|(?=[^\\w\\s.,;:)])|(?=[\\u3400-\\u9fffA-Z])))"),
    ("1", f"{_D}{{1,4}}\\s?[、．。]\\s*"),
    ("1", f"{_D}{{1,4}}[.](?:\\s+|(?=[\\u3400-\\u9fff“‘「《【（\\[`*_]|[A-Z][a-z']))"),
    ("1", f"{_D}{{1,4}}\\s?(?:：(?![0-9０-９])\\s*|:(?:\\s+|(?=[\\u3400-\\u9fffA-Z“])))"),
    ("1", f"{_D}{{1,4}}\\s+[-–—]\\s+"),
    ("#1", f"(?:[#＃]|[Nn][Oo]\\.?\\s?|№\\s?){_D}{{1,4}}(?:\\s?[.:：)、-]\\s*|\\s+)"),
    ("[1]", f"[\\[【〔]{_D}{{1,4}}[\\]】〕](?!\\()[.:：]?\\s*"),
    ("I.", "(?:X{1,3}(?:IX|IV|V?I{0,3})|IX|IV|V?I{1,3}|V)[.)、．]\\s+"),
    ("i.", "(?:x{1,3}(?:ix|iv|v?i{0,3})|ix|iv|v?i{1,3}|v)[.)、．]\\s+"),
    ("A.", "[A-Z](?:[.]\\s+|[、．]\\s*)"),
    ("A)", "[A-Z][)）]\\s*"),
    ("a.", "[a-z](?:[.]\\s+|[、．]\\s*)"),
    ("a)", "[a-z](?:\\)\\s+|）\\s*)"),
)  # fmt: skip
_FIRST = re.compile(
    r"[0-9０-９（(\[【〔#＃第一二三四五六七八九十百零〇两①-⒛❶-❿➊-➓㈠-㈩㉑-㉟Ⅰ-ⅿ№]|[A-Za-z]{1,5}[.)、．）]|[Nn][Oo]"
)
_PATTERNS: Final = tuple((kind, re.compile(pattern)) for kind, pattern in _KINDS)


def number_of(text: str) -> Number | None:
    """Return the number that a text begins with. A text that is nothing but a number has none."""
    if not _FIRST.match(text):
        return None
    for kind, pattern in _PATTERNS:
        match = pattern.match(text)
        if match and match.end() < len(text):
            if kind == "1.1":  # 1.1 and 1.1.1 are steps of their own
                kind = "1" + ".1" * len(re.findall(f"[.．]{_D}", match[0]))
            return Number(kind, match.end())
    return None


def without_number(text: str) -> str:
    number = number_of(text)
    return text[number.end :] if number else text
