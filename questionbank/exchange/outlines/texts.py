"""Texts inside a line: code and link addresses told from words, HTML made Markdown, marks around a text taken off.

Every pattern here is bounded or excludes its own opening character, so that a line of five million brackets takes no
longer than one of five million letters.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Final

from questionbank.exchange.outlines.decoding import storable

_BLOCK_TAGS = (
    "p|div|center|section|article|h[1-6]|ul|ol|dl|dd|dt|table|tbody|thead|tfoot|tr|td|th|blockquote|pre|picture"
)
_INLINE_TAGS = (
    "a|abbr|b|big|cite|code|del|details|dfn|em|figcaption|figure|font|hr|i|img|ins|kbd|li|mark|nobr|q|s|samp|small|"
    "source|span|strike|strong|sub|summary|sup|tt|u|var|br|body|html|iframe|video|input|label|button|svg|path"
)
_TAG = re.compile(rf"</?(?:{_BLOCK_TAGS}|{_INLINE_TAGS})(?:\s[^<>]{{0,2000}})?/?>", re.IGNORECASE)
_BREAK = re.compile(r"[ \t]*<br\s{0,9}/?>[ \t]*\n?", re.IGNORECASE)
_CLOSING_BLOCK = re.compile(r"</?(?:p|div|center|tr|h[1-6]|ul|ol)(?:\s[^<>]{0,2000})?>", re.IGNORECASE)
_LIST_ITEM = re.compile(r"\n?[ \t]*<li(?:\s[^<>]{0,500})?>[ \t]*", re.IGNORECASE)
_HTML_CODE = re.compile(r"<code(?:\s[^<>]{0,200})?>([^<>`\n]{0,2000})</code>", re.IGNORECASE)
_HTML_LINK = re.compile(
    r"<a\s[^<>]{0,1000}?href\s{0,3}=\s{0,3}[\"']?([^\"'<>\s]{0,1000})[\"']?[^<>]{0,1000}>", re.IGNORECASE
)
_HTML_LINK_END = re.compile(r"</a\s{0,9}>", re.IGNORECASE)
_HTML_IMAGE = re.compile(r"<img\s[^<>]{0,2000}>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\b(src|alt)\s{0,3}=\s{0,3}(?:\"([^\"]{0,1000})\"|'([^']{0,1000})')", re.IGNORECASE)
_CHARACTER = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_TICKS = re.compile(r"`+")

_ADDRESS = r"\([^()\n]{0,1500}(?:\([^()\n]{0,300}\)[^()\n]{0,1500})?\)"
_WORDS_OF_LINK = r"(?:[^\[\]\n]|\[[^\[\]\n]{0,300}\]){0,800}"
IMAGE: Final = re.compile(rf"!\[[^\[\]\n]{{0,800}}\]{_ADDRESS}")
LINK: Final = re.compile(rf"(?<!!)\[({_WORDS_OF_LINK})\]({_ADDRESS})")
_BADGE = re.compile(rf"\[\s{{0,9}}(?:{IMAGE.pattern}\s{{0,9}}){{1,3}}\]{_ADDRESS}")
_BARE = re.compile(r"<?https?://[^\s<>，。；、（）]{1,2000}>?")
_ARROW_LINK = re.compile(rf"\[?\[[^\[\]\w\n]{{1,8}}\]\]?(?:{_ADDRESS})\]?")


def code_spans(text: str) -> list[tuple[int, int]]:
    """Return start and end of every `code` span, in order. A run of ticks without its like is plain text."""
    runs = [match.span() for match in _TICKS.finditer(text)]
    waiting: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        waiting.setdefault(runs[index][1] - runs[index][0], []).append(index)
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(runs):
        start, end = runs[index]
        later = waiting[end - start]
        while later and later[-1] <= index:
            later.pop()
        if later:
            spans.append((start, runs[later[-1]][1]))
            index = later[-1] + 1
        else:
            index += 1
    return spans


def outside_code(text: str, change: Callable[[str], str], mark: str = "\0") -> str:
    """Apply a change to a text with every code span hidden from it. A change that hides code itself takes another mark.

    Marks are control characters, which no text that was decoded has.
    """
    spans = code_spans(text)
    if not spans:
        return change(text)
    hidden: list[str] = []
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts += [text[at:start], f"{mark}{len(hidden)}{mark}"]
        hidden.append(text[start:end])
        at = end
    changed = change("".join([*parts, text[at:]]))
    return re.sub(f"{mark}([0-9]+){mark}", lambda match: hidden[int(match[1])], changed)


def words_only(text: str) -> str:
    """Return a text without code, tags, images and the addresses of links: what can ask."""
    spans = code_spans(text)
    if spans:
        parts, at = [], 0
        for start, end in spans:
            parts += [text[at:start], " "]
            at = end
        text = "".join([*parts, text[at:]])
    if "<" in text:
        text = _HTML_CODE.sub(" ", text)
        text = _TAG.sub("", text)
    if "](" in text:
        text = IMAGE.sub("", text)
        text = LINK.sub(r"\1", text)
    return _BARE.sub("", text) if "://" in text else text


def plain_html(text: str) -> str:
    """Turn HTML inside a text into Markdown: code, links, images, line breaks; of other known tags the words stay.

    What only looks like a tag (`List<T>`) stays as it is.
    """
    if "<" not in text and "&" not in text:
        return text
    return outside_code(text, _plain_html)


def _plain_html(text: str) -> str:
    if "<" in text:
        text = _HTML_CODE.sub(r"`\1`", text)
        text = _BREAK.sub("\n", text)
        text = _HTML_IMAGE.sub(_image, text)
        text = _html_links(text)
        text = _LIST_ITEM.sub("\n- ", text)
        text = _CLOSING_BLOCK.sub("\n", text)
        text = outside_code(text, lambda part: _TAG.sub("", part), "\1")
    return outside_code(text, _unescape, "\1") if "&" in text else text


def _unescape(text: str) -> str:
    return _CHARACTER.sub(lambda match: storable(html.unescape(match[0])), text)


def _html_links(text: str) -> str:
    parts: list[str] = []
    at = 0
    for match in _HTML_LINK.finditer(text):
        end = _HTML_LINK_END.search(text, match.end(), match.end() + 2000)
        if match.start() < at or end is None:
            continue
        words = text[match.end() : end.start()].strip()
        parts.append(text[at : match.start()])
        parts.append(f"[{words}]({match[1]})" if _TAG.sub("", words) or "<img" in words else "")
        at = end.end()
    return "".join([*parts, text[at:]])


def _image(match: re.Match[str]) -> str:
    found = {name.lower(): double or single for name, double, single in _ATTRIBUTE.findall(match[0])}
    return f"![{found.get('alt', '')}]({found.get('src', '')})"


def has_letter(text: str) -> bool:
    return any(character.isalpha() for character in text)


def only_pictures(text: str) -> bool:
    """True for badges and images with no word beside them."""
    return "![" in text and not has_letter(LINK.sub("", IMAGE.sub("", _BADGE.sub("", text))))


def links_of(text: str) -> list[tuple[str, str]]:
    """Return words and address of every link, images and badges left out."""
    if "](" not in text:
        return []
    return [
        (words, address[1:-1].strip().split(" ")[0].strip("<>")) for words, address in LINK.findall(IMAGE.sub("", text))
    ]


def in_file(address: str, file: str = "") -> bool:
    """True for an address that leads into the file itself."""
    path, mark, _anchor = address.partition("#")
    return bool(mark) and path.removeprefix("./") in ("", file.rsplit("/", 1)[-1])


def only_links(text: str) -> list[tuple[str, str]]:
    """Return the links of a text that is nothing else; a bare address counts as one."""
    text = whole(text.strip())
    if "](" in text:
        rest = LINK.sub("", IMAGE.sub("", text))
        return links_of(text) if not any(map(str.isalnum, rest)) else []
    if "://" in text and (match := _BARE.fullmatch(text)):
        return [("", match[0].strip("<>"))]
    return []


def is_link_elsewhere(text: str, file: str = "") -> bool:
    """True for a text that is only links, at least one of them out of the file."""
    if "](" not in text and "://" not in text:
        return False
    return any(not in_file(address, file) for _words, address in only_links(text))


_BACK = re.compile(r"\b(top|contents|toc|back|up|index|home|menu)\b|顶部|目录|返回|回到|⬆|↑|🔝|▲|↥|△|^$", re.IGNORECASE)
_BACK_PLAIN = re.compile(
    r"[\W_]*(?:back|return|go) to (?:the )?(?:top|contents|table of contents)[\W_]*|[\W_]*(?:返回|"
    r"回到)(?:顶部|目录)[\W_]*",
    re.IGNORECASE,
)


def is_back_link(text: str) -> bool:
    """True for a line that only leads back to the top or to the contents of the file."""
    links = only_links(text)
    if links:
        return all(
            address.startswith("#") and (_BACK.search(words) or not has_letter(words)) for words, address in links
        )
    return bool(_BACK_PLAIN.fullmatch(text))


# --- marks around a whole text

_BOX = re.compile(r"\[[ xX✓✔√]?\]\s+|[☐☑☒✅✔]\s*")
_ANCHOR = re.compile(r"\s{0,20}\{[#:.][^{}\n]{0,200}\}\s*$")
_AFTER_SPACE = re.compile(r"(?:\s(?:\*{1,6}|#{1,6}|[★☆⭐🌟✨🔥✅†‡]{1,9}))+\s*$")
_AFTER_MARK = re.compile(r"(?<=[?？!！.。])(?:\*{1,6}|[★☆⭐🌟✨🔥†‡]{1,9})\s*$")
_MARKS: Final = ("***", "___", "**", "__", "~~", "*", "_")


def whole(text: str) -> str:
    """Take off the emphasis that stands around all of a text."""
    if text[:1] not in ("*", "_", "~"):
        return text
    for mark in _MARKS:
        if text.startswith(mark) and text.endswith(mark) and len(text) > 2 * len(mark):
            inner = text[len(mark) : -len(mark)]
            if mark not in inner and inner[0] not in "*_ " and inner[-1] != " ":
                return inner.strip()
    return text


def without_box(text: str) -> str:
    match = _BOX.match(text)
    return text[match.end() :] if match else text


def without_marks(text: str) -> str:
    """Take off anchors, arrows that lead back, boxes, closing marks and emphasis around the whole; not numbering."""
    text = _ARROW_LINK.sub("", text) if "](" in text else text
    while True:
        before = text
        text = _ANCHOR.sub("", without_box(text.strip()))
        text = _AFTER_SPACE.sub("", text)
        if text.count("*") <= 6 and (match := _AFTER_MARK.search(text)) and "*" not in text[: match.start()]:
            text = text[: match.start()]
        text = whole(text)
        links = LINK.fullmatch(text) if text.startswith("[") else None
        if links and links[2].startswith("(#"):
            text = links[1]
        if text == before:
            return text


def unquoted(text: str) -> str:
    """Take off quotation marks around a whole text."""
    pairs = {'"': '"', "“": "”", "'": "'", "「": "」", "‘": "’"}
    while len(text) > 2 and pairs.get(text[0]) == text[-1] and text[-1] not in text[1:-1]:
        text = text[1:-1].strip()
    return text
