"""Prompts, names of topics and answers as the bank keeps them: rule 8."""

from __future__ import annotations

import re

from questionbank.exchange.outlines.asking import asks, has_mark, is_answer, is_placeholder
from questionbank.exchange.outlines.numbering import number_of, without_number
from questionbank.exchange.outlines.texts import is_back_link, plain_html, whole, without_marks

_FENCE_LINE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_GAPS = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")
_ENDS = re.compile(r"[.。!！?？:：;；…][\"'”’」)）*_`]{0,4}\s*$")
_MARK_AT_END = re.compile(r"[?？][\"'”’」)）*_`\s]{0,12}(?:[(（\[【][^()（）\[\]]{0,60}[)）\]】][\s*_]{0,4})?$")


def clean_prompt(text: str) -> str:
    """Return a prompt without number, box, anchor, emphasis around the whole and closing marks; code is left alone."""
    if "\n" in text and ("```" in text or "~~~" in text):
        first, mark, rest = text.partition("\n")
        return (
            f"{clean_prompt(first)}{mark}{clean_answer(rest)}".strip() if not _FENCE_LINE.match(first) else text.strip()
        )
    text = without_marks(plain_html(text).replace("\u00a0", " ").strip())
    number = number_of(text)
    if number and not _is_option(number.kind, text):
        text = without_marks(text[number.end :])
    return text.strip()


def _is_option(kind: str, text: str) -> bool:
    """True for `A. ...` above `B. ...`: an option, whose letter means something."""
    return kind[0] in "Aa" and re.search(r"\n\s*[Bb][.)、]", text) is not None


def clean_topic(text: str) -> str:
    """Return the name of a topic: a prompt in one line, without a colon at its end."""
    return " ".join(clean_prompt(text).rstrip(":： \n").split())


def clean_answer(text: str) -> str:
    """Return an answer with HTML turned into Markdown outside fenced code, and without links back to the top."""
    if "<" not in text and "&" not in text and "](#" not in text and "op" not in text and "返回" not in text:
        return _GAPS.sub("\n\n", text).strip("\n").rstrip() if "```" not in text else text.strip("\n").rstrip()
    parts: list[str] = []
    plain: list[str] = []
    closing = ""

    def flush() -> None:
        if plain:
            made = _GAPS.sub("\n\n", plain_html("\n".join(plain)))
            parts.append("\n".join(line for line in made.split("\n") if not (line.strip() and is_back_link(line))))
            plain.clear()

    for line in text.split("\n"):
        bare = line.strip()
        if closing:
            parts.append(line)
            closing = "" if bare.startswith(closing) and not bare.strip(closing[0]) else closing
        elif _FENCE_LINE.match(line):
            flush()
            parts.append(line)
            closing = bare[: len(bare) - len(bare.lstrip(bare[0]))]
        else:
            plain.append(line)
    flush()
    return "\n".join(parts).strip("\n").rstrip()


def answer_of(parts: list[str]) -> str | None:
    """Join what was said under a question; a placeholder alone is no answer."""
    kept = [text.strip("\n").rstrip() for text in parts if text.strip() and not is_placeholder(text)]
    text = "\n\n".join(kept).strip("\n")
    return text if text.strip() and is_answer(text) else None


def points(texts: list[str]) -> str:
    """Write several points as a list, one `- ` a line; a single one stays a text."""
    texts = [text for text in texts if text.strip()]
    if len(texts) < 2:
        return "".join(texts)
    return "\n".join("- " + text.replace("\n", "\n  ") for text in texts)


def split_prompt(lines: list[str]) -> tuple[str, list[str]]:
    """Return prompt and answer of a paragraph that begins with a question.

    A question may be wrapped over lines, and an answer may follow it without a blank line. Lines belong to the prompt
    up to the first that ends with a question mark; in a request as long as no sentence has ended and the next line goes
    on in small letters; in short form the first line alone is it.
    """
    if lead := _bold_lead(lines[0]):
        return lead[0], [lead[1], *lines[1:]]
    if len(lines) == 1:
        return lines[0], []
    end = next((index for index, line in enumerate(lines[:12]) if _MARK_AT_END.search(line) and has_mark(line)), None)
    if end is None:
        end = next((index for index, line in enumerate(lines[:12]) if has_mark(line)), None)
        if end is None or asks(lines[0]):
            end = 0
    elif end > 0 and asks(lines[0]) and _ENDS.search(lines[0]):
        end = 0
    while end + 1 < len(lines) and (
        (not _ENDS.search(lines[end]) and _goes_on(lines[end + 1]))
        or (_MARK_AT_END.search(lines[end + 1]) and end < 11)
    ):
        end += 1
    return "\n".join(lines[: end + 1]), lines[end + 1 :]


_LEAD = re.compile(
    r"((?:[^\s*_]{1,12}\s+)?(\*\*|__)(?=\S)((?:(?!\2)[^\n]){1,600})\2)[\s:：—–-]*(?=[^\s:：—–-])([^\n]*)$"
)


def _bold_lead(line: str) -> tuple[str, str] | None:
    """Return question and answer of a line whose first words are bold and ask: `**What is it?** A lock.`"""
    if "**" not in line and "__" not in line:
        return None
    match = _LEAD.match(line)
    if not match or (number_of(f"{match[1][: match[1].index(match[2])]}x") is None and not line.startswith(match[2])):
        return None
    if not _MARK_AT_END.search(match[3]) or not has_mark(match[3]) or has_mark(match[4]) or not is_answer(match[4]):
        return None
    return match[1], match[4]


def _goes_on(line: str) -> bool:
    return line[:1].islower() or line[:1] in ",;)（，"


def is_bold_question(text: str) -> bool:
    """True for a paragraph whose first line is bold as a whole and asks: a heading in all but its mark."""
    text = text.partition("\n")[0]
    bare = without_number(text.strip())
    return len(text) < 600 and bare[:2] in ("**", "__") and whole(bare) != bare and has_mark(bare)
