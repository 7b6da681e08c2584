"""Lines of Markdown or plain text -> blocks. Linear in the length of the file; nesting is a stack, never a call.

More lenient than CommonMark where people are: a list nests from two columns on, `•` and `-问` begin items, and lines
that begin with a number Markdown doesn't know (`一、`, `（1）`, `①`, `1.1`) are items that nest by the kind of their
number, in the order in which the kinds first appear. In plain text all numbers do, and indentation is ignored for them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Final

from questionbank.exchange.outlines.asking import ANSWER, label_of
from questionbank.exchange.outlines.blocks import Block, Code, Details, Heading, Item, Items, ListKind, Para, Quote
from questionbank.exchange.outlines.lines import CODE, FENCE, TAG, TEXT, Line, lines_of, with_fences
from questionbank.exchange.outlines.numbering import number_of
from questionbank.exchange.outlines.tables import html_table, pipe_table

MOST_NESTING: Final = 60
"""Deeper items become paragraphs of the item above them: nobody nests a bank like that."""

_HEADING = re.compile(r"(#{1,6})(?:[ \t]+|(?<=##)(?=[^\s#])|(?=[\u3400-\u9fff])|$)(.*?)(?:[ \t]+#{1,20})?[ \t]*$")
_HTML_HEADING = re.compile(r"<h([1-6])(?:\s[^<>]{0,300})?>(.{1,1000})</h\1>\s*(?:<br\s*/?>)?", re.IGNORECASE)
_MARKER = re.compile(
    r"(?:([-*+])(?=[ \t]|$)|([-+])(?=[\u3400-\u9fff])|([•·●○▪◦‣■□◆◇➢➤►▶✦])|([0-9]{1,9})([.)])(?=[ \t]|$))[ \t]*"
)
_OPTION_B = re.compile(r"[\s*_>(（-]{0,12}[Bb]\d{0,2}\s?[:：.)、）]")
_Q_LETTER = re.compile(r"^[\s*_>-]{0,8}Q\s?[.)、）]\s?\S", re.MULTILINE)


@dataclass(slots=True)
class _Holder:
    """Something that blocks can stand in: the document, a <details>, an item. `mark` and `content` are columns."""

    blocks: list[Block]
    mark: int = -1
    content: int = 0
    item: Item | None = None
    number: str = ""
    """The kind of number, for items that nest by it."""
    ordered: int = -1
    details: Details | None = None


def parse(text: str, *, plain: bool = False) -> list[Block]:
    """Return the blocks of a document."""
    return _Parser(plain=plain, letters=bool(_Q_LETTER.search(text))).parse(lines_of(text))


@dataclass(slots=True)
class _Parser:
    plain: bool
    letters: bool
    """Bare `Q.` marks questions here, so bare `A.` marks answers."""
    depth: int = 0
    stack: list[_Holder] = field(default_factory=list)
    ranks: dict[str, int] = field(default_factory=dict)
    para: Para | None = None
    blank: bool = True
    lines: list[Line] = field(default_factory=list)
    summary: list[str] | None = None
    table_ends: list[int] = field(default_factory=list)
    pre_ends: list[int] = field(default_factory=list)

    def parse(self, lines: list[Line]) -> list[Block]:
        root = _Holder([])
        self.stack, self.lines = [root], lines
        self.table_ends = [index for index, line in enumerate(lines) if "</table" in line.text.lower()]
        self.pre_ends = [index for index, line in enumerate(lines) if "</pre" in line.text.lower()]
        at = 0
        while at < len(lines):
            at = self._step(at)
        return root.blocks

    # --- one line

    def _step(self, at: int) -> int:
        line = self.lines[at]
        if line.state == TAG:
            return self._tag(at)
        if self.summary is not None:
            self.summary.append(line.text)
            return at + 1
        if line.state == FENCE:
            return self._fence(at)
        stripped = line.text.strip()
        if not stripped:
            self.para, self.blank = None, True
            return at + 1
        indent = _indent(line.text)
        after = self._starter(at, stripped, indent) or self._indented_code(at, indent)
        if after:
            self.blank = False
            return after
        self._text(at, stripped, indent)
        self.blank = False
        return at + 1

    def _starter(self, at: int, stripped: str, indent: int) -> int | None:
        """Take a block that its first characters tell, and return the line behind it."""
        first = stripped[0]
        if (
            first == "#"
            and (match := _HEADING.match(stripped))
            and not (self.plain and len(match[1]) < 2 and ":" in stripped)
        ):
            self._heading(len(match[1]), match[2], indent, self.lines[at].number)
            return at + 1
        if first in "=-" and self._underline(stripped):
            return at + 1
        if first in "-*_" and len(stripped) > 2 and set(stripped) <= {first, " ", "\t"} and stripped.count(first) > 2:
            self._leave(indent)
            self.para = None
            return at + 1
        if first == ">":
            return self._quote(at, indent)
        if first == "<" and (match := _HTML_HEADING.fullmatch(stripped)):
            self._heading(int(match[1]), match[2], indent, self.lines[at].number)
            return at + 1
        if first == "<" and (table := html_table(self.lines, at, self.table_ends)):
            return self._put(table[0], indent, table[1])
        if "|" in stripped and (table := pipe_table(self.lines, at)):
            return self._put(table[0], indent, table[1])
        if first == "<" and stripped[:4].lower() == "<pre" and (end := self._pre(at, indent)):
            return end
        return self._marker(at, stripped, indent)

    def _put(self, block: Block, indent: int, after: int) -> int:
        self.para = None
        self._leave(indent)
        self.stack[-1].blocks.append(block)
        return after

    # --- blocks

    def _tag(self, at: int) -> int:
        line = self.lines[at]
        self.para, self.blank = None, True
        if self.summary is not None:
            if "</summary" in line.text:
                details = next((one.details for one in reversed(self.stack) if one.details), None)
                if details and not details.summary:
                    details.summary = "\n".join(_dedented(self.summary)).strip()
                self.summary = None
            return at + 1
        if "<summary" in line.text:
            if any(one.details for one in self.stack):
                self.summary = []
        elif "<details" in line.text:
            if len(self.stack) < MOST_NESTING:
                self._leave(_indent(line.text))
                details = Details("", [], line.number)
                self.stack[-1].blocks.append(details)
                self.stack.append(_Holder(details.blocks, content=_indent(line.text), details=details))
        elif "</details" in line.text and any(one.details for one in self.stack):
            while not self.stack.pop().details:
                pass
        return at + 1

    def _fence(self, at: int) -> int:
        end = at + 1
        while self.lines[end].state == CODE:
            end += 1
        indent = _indent(self.lines[at].text)
        text = "\n".join(_cut(one.text, indent) for one in self.lines[at : end + 1])
        self._put(Code(text, self.lines[at].number), indent, end + 1)
        self.blank = False
        return end + 1

    def _pre(self, at: int, indent: int) -> int | None:
        after = bisect_left(self.pre_ends, at)
        if after == len(self.pre_ends) or (end := self.pre_ends[after]) - at > 2000:
            return None
        inner = "\n".join(one.text for one in self.lines[at : end + 1])
        inner = re.sub(r"</?(?:pre|code)(?:\s[^<>]{0,200})?>", "", inner, flags=re.IGNORECASE).strip("\n")
        return self._put(Code(f"```\n{inner}\n```", self.lines[at].number), indent, end + 1)

    def _indented_code(self, at: int, indent: int) -> int | None:
        if self.plain or not self.blank or indent < self._base(indent) + 4 or self._in_numbers():
            return None
        base, end = self._base(indent), at
        for index in range(at, len(self.lines)):
            line = self.lines[index]
            if line.state != TEXT or (line.text.strip() and _indent(line.text) < base + 4):
                break
            if line.text.strip():
                end = index
        lines = [_cut(one.text, base + 4) for one in self.lines[at : end + 1]]
        text = "\n".join(f"    {line}" if line.strip() else "" for line in lines)
        return self._put(Code(text, self.lines[at].number), indent, end + 1)

    def _base(self, indent: int) -> int:
        """Return the column from which text of the holder begins that this indentation belongs to."""
        holder = next((one for one in reversed(self.stack) if one.mark < 0 or indent >= one.mark + 2), self.stack[0])
        return holder.content

    def _in_numbers(self) -> bool:
        return any(one.number for one in self.stack)

    def _quote(self, at: int, indent: int) -> int:
        end = at
        while end < len(self.lines) and self.lines[end].text.lstrip().startswith(">"):
            end += 1
        lines = self.lines[at:end]
        inner = [Line(re.sub(r"^\s*> ?", "", one.text), one.number) for one in lines]
        text = "\n".join(one.text.strip() for one in lines)
        blocks: list[Block]
        if self.depth < 8:
            blocks = _Parser(self.plain, self.letters, self.depth + 1, ranks=self.ranks).parse(with_fences(inner))
        else:
            blocks = [Para([one.text for one in inner], lines[0].number)]
        return self._put(Quote(blocks, text, lines[0].number), indent, end)

    def _underline(self, stripped: str) -> bool:
        """Make the open paragraph a heading when this line underlines it."""
        para = self.para
        if para is None or set(stripped) not in ({"="}, {"-"}) or (len(stripped) < 2 and stripped == "-"):
            return False
        if stripped[0] == "-" and (len(para.lines) > 1 or label_of(para.text)):
            return False
        holder = next((one for one in self.stack if one.blocks and one.blocks[-1] is para), None)
        if holder is None:  # the text of an item
            return False
        holder.blocks[-1] = Heading(1 if stripped[0] == "=" else 2, para.text, para.line)
        if holder.item is None:
            del self.stack[self.stack.index(holder) + 1 :]
        self.para = None
        return True

    def _heading(self, level: int, text: str, indent: int, number: int) -> None:
        self.para = None
        top = self.stack[-1]
        if top.item and top.item.lines and not top.number and indent >= top.mark + 2:
            top.blocks.append(Heading(level, text, number))
            return
        while self.stack[-1].item is not None:
            self.stack.pop()
        self.stack[-1].blocks.append(Heading(level, text, number))

    # --- items

    def _marker(self, at: int, stripped: str, indent: int) -> int | None:
        line = self.lines[at]
        match = _MARKER.match(stripped)
        if match:
            ordered = int(match[4]) if match[4] else -1
            if ordered < 0:
                self._place(indent, -1)
                self._item(match[0], stripped[match.end() :], indent, line.number)
                return at + 1
            kind = "1" if match[5] == "." else "1)"
            by_kind = self.plain or self._in_numbers()
            if by_kind:
                self._place_number(kind, indent)
            else:
                self.ranks.setdefault(kind, len(self.ranks))
                self._place(indent, ordered)
            self._item(match[0], stripped[match.end() :], indent, line.number, ordered, kind if by_kind else "")
            return at + 1
        if self._label(at, stripped):
            return None
        number = number_of(stripped)
        if number is None:
            return None
        self._place_number(number.kind, indent)
        self._item(stripped[: number.end], stripped[number.end :], indent, line.number, 0, number.kind)
        return at + 1

    def _label(self, at: int, stripped: str) -> bool:
        """True for a line that begins with a label. `A:` above `B:` is an option, not an answer."""
        label = label_of(stripped)
        if label is None or (label.letter and label.kind == ANSWER and not self.letters):
            return False
        if label.kind == ANSWER and re.match(r"[*_]{0,3}A\s?[:：.)、]", stripped):
            return not any(_OPTION_B.match(one.text) for one in self.lines[at + 1 : at + 8])
        return True

    def _place(self, indent: int, ordered: int) -> None:
        """Close the items that a marker at this column doesn't stand in. Numbered lines stay open."""
        while (top := self.stack[-1]).item is not None and not top.number:
            if indent >= top.content and indent > top.mark:
                break
            follows = ordered >= 0 and top.ordered >= 0 and ordered != 1
            if indent >= top.mark + 2 and not follows:
                break
            self.stack.pop()

    def _place_number(self, kind: str, indent: int) -> None:
        rank = self.ranks.setdefault(kind, len(self.ranks))
        floor = max((index for index, one in enumerate(self.stack) if one.item is None), default=0)
        for index in range(len(self.stack) - 1, floor, -1):
            if self._kind(self.stack[index]) == kind:
                del self.stack[index:]
                return
        while (top := self.stack[-1]).item is not None:
            own = self._kind(top)
            if own and self.ranks.get(own, -1) < rank:
                break
            if not own and indent >= top.mark + 2:
                break
            self.stack.pop()

    @staticmethod
    def _kind(holder: _Holder) -> str:
        if holder.number or holder.ordered < 0 or holder.item is None:
            return holder.number
        return "1)" if ")" in holder.item.mark else "1"

    def _item(self, mark: str, rest: str, indent: int, number: int, ordered: int = -1, kind: str = "") -> None:
        holder = self.stack[-1]
        if len(self.stack) > MOST_NESTING:
            self.para = Para([f"{mark}{rest}"], number)
            holder.blocks.append(self.para)
            return
        heading = _HEADING.match(rest) if rest.startswith("#") else None
        content = indent + len(mark) if rest else indent + 2
        if heading:  # the item is a heading: what stands in it goes on where the list stands
            while holder.item is not None:
                self.stack.pop()
                holder = self.stack[-1]
            self.para = None
            holder.blocks.append(Heading(len(heading[1]), heading[2], number, numbered=ordered >= 0))
            self.stack.append(_Holder(holder.blocks, indent, content, Item([], number, mark), "", ordered))
            return
        item = Item([rest] if rest else [], number, mark if mark.endswith((" ", "\t")) or kind else f"{mark} ")
        last = holder.blocks[-1] if holder.blocks else None
        number_kind = kind or ("" if ordered < 0 else "1)" if ")" in mark else "1")
        if isinstance(last, Items) and (last.ordered, last.number) == (ordered >= 0, number_kind):
            last.items.append(item)
            last.kind = ListKind.NUMBERS if kind else last.kind
        else:
            kind_of_list = ListKind.NUMBERS if kind else ListKind.LIST
            holder.blocks.append(Items([item], number, kind_of_list, ordered >= 0, number_kind))
        self.stack.append(_Holder(item.blocks, indent, content, item, kind, ordered))
        self.para = Para(item.lines, number) if rest else None

    # --- text

    def _text(self, at: int, stripped: str, indent: int) -> None:
        number = self.lines[at].number
        labelled = self._label(at, stripped)
        if self.para is not None and not labelled:
            self.para.lines.append(stripped)
            return
        if self.blank:
            self._leave(indent)
        top = self.stack[-1]
        if top.item and not top.item.lines and not top.blocks and not labelled:
            top.item.lines.append(stripped)
            self.para = Para(top.item.lines, number)
            return
        self.para = Para([stripped], number)
        top.blocks.append(self.para)

    def _leave(self, indent: int) -> None:
        """Close the list items that text at this column doesn't belong to."""
        while (top := self.stack[-1]).item is not None and not top.number and indent < top.mark + 2:
            self.stack.pop()


def _indent(text: str) -> int:
    """Return the column of the first character; a tab leads to the next multiple of four."""
    column = 0
    for character in text:
        if character == " " or character == "\u00a0":
            column += 1
        elif character == "\t":
            column += 4 - column % 4
        elif character == "\u3000":
            column += 2
        else:
            break
    return column


def _cut(text: str, indent: int) -> str:
    """Take up to that many columns of space off the front of a line."""
    column = at = 0
    while at < len(text) and column < indent and text[at] in " \t\u3000\u00a0":
        column += {"\t": 4 - column % 4, "\u3000": 2}.get(text[at], 1)
        at += 1
    return text[at:]


def _dedented(lines: list[str]) -> list[str]:
    indent = min((_indent(line) for line in lines[1:] if line.strip()), default=0)
    return [lines[0].strip(), *(_cut(line, indent).rstrip() for line in lines[1:])] if lines else []
