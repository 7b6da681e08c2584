"""Bytes -> text: UTF-8 with or without a byte order mark, UTF-16 with one, GB18030, or what an XML file declares."""

from __future__ import annotations

import codecs
import re
from typing import Final

from questionbank.limits import TURNING

MAX_BYTES: Final = 10 * 1024 * 1024
MAX_UNPACKED: Final = 64 * 1024 * 1024

# What can't be stored or seen: control characters, turners of direction, halves of pairs, non-characters: left out.
_UNSTORABLE = re.compile(rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff{TURNING}]")
_DECLARED = re.compile(rb"<\?xml[^<>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
_DECLARATION = re.compile(r"\s*<\?xml[^<>]{0,300}\?>")


class Unreadable(Exception):
    """Nothing can be read; holds the code of a problem and its values."""

    def __init__(self, code: str, *, line: int = 0, **values: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.line = line
        self.values = values


def decode(data: bytes) -> str:
    """Return the text of a file, or raise Unreadable. Invisible characters that can't be stored are left out."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            try:
                return storable(data.decode(encoding))
            except UnicodeDecodeError as error:
                raise Unreadable("outline_encoding", offset=error.start) from None
    if data[:4096].count(b"\0") > 2:
        raise Unreadable("outline_binary")
    try:
        return storable(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        first = error.start
    try:
        return storable(data.decode("gb18030"))
    except UnicodeDecodeError:
        line = data.count(b"\n", 0, first) + 1
        raise Unreadable("outline_encoding", line=line, offset=first) from None


def decode_xml(data: bytes) -> str:
    """Return the text of an XML file without its declaration."""
    text = _declared(data)
    return _DECLARATION.sub("", decode(data) if text is None else text, count=1)


def _declared(data: bytes) -> str | None:
    """Return the text in the encoding that an XML file declares, unless it is UTF-8 all the same or no such text."""
    match = _DECLARED.search(data[:400])
    if match is None:
        return None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        name = match[1].decode("ascii").lower()
        try:
            return storable(data.decode("gb18030" if name in ("gb2312", "gbk") else name))
        except (LookupError, ValueError):  # no such encoding, or not in this one
            return None
    return None


def storable(text: str) -> str:
    return _UNSTORABLE.sub("", text)
