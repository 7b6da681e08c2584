"""FreeMind and Freeplane maps (`.mm`) -> draft."""

from __future__ import annotations

import re
from typing import Final
from xml.etree.ElementTree import Element

from questionbank.exchange.outlines.archives import attribute, local, parse_xml
from questionbank.exchange.outlines.builder import Builder
from questionbank.exchange.outlines.decoding import Unreadable
from questionbank.exchange.outlines.draft import OutlineDraft
from questionbank.exchange.outlines.nodes import Node, place_nodes

_MADE_UP: Final = re.compile(r"new (?:mind ?map|node)|new|新节点|新建?思维导图|新建节点", re.IGNORECASE)
_BLOCKS: Final = frozenset(
    ["p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "ul", "ol", "table"]
)
_MARKS: Final = frozenset(
    {
        "hook",
        "font",
        "edge",
        "icon",
        "cloud",
        "arrowlink",
        "linktarget",
        "map_styles",
        "stylenode",
        "richcontent",
        "node",
    }
)


def read_mindmap(data: bytes, file: str) -> OutlineDraft:
    """Read a map. Lines of the draft count its nodes. Raises Unreadable."""
    root = parse_xml(data)
    if local(root) != "map":
        raise Unreadable("outline_kind", expected="FreeMind", found=local(root)[:40])
    builder = Builder(file, "mindmap")
    top: list[Node] = []
    stack: list[tuple[Element, list[Node], bool]] = [(one, top, False) for one in reversed(list(root))]
    number = 0
    while stack:
        element, siblings, aside = stack.pop()
        if local(element) != "node":
            continue
        number += 1
        node = _node(builder, element, number)
        node.aside = aside or node.aside
        siblings.append(node)
        stack += [(one, node.children, node.aside) for one in reversed(list(element))]
    place_nodes(builder, top)
    return builder.finish()


def _node(builder: Builder, element: Element, number: int) -> Node:
    title = attribute(element, "TEXT") or attribute(element, "LOCALIZED_TEXT")
    node = Node(title, number, made_up=bool(_MADE_UP.fullmatch(title.strip())))
    for child in element:
        name = local(child)
        if name == "richcontent":
            kind = attribute(child, "TYPE").upper()
            text = rich_text(child, gaps=kind != "NODE")
            if kind == "NODE":
                node.title = text or node.title
            elif text:
                node.notes.append(text)
        elif name == "hook":
            kind = attribute(child, "NAME")
            node.aside = node.aside or kind == "SummaryNode"
            if kind == "accessories/plugins/NodeNote.properties":  # FreeMind before 0.9
                node.notes += [text for one in child if (text := "".join(one.itertext()).strip())]
        elif name == "attribute":
            _unread(builder, attribute(child, "NAME"))
    address = attribute(element, "LINK")
    if address and not address.startswith("#"):
        node.link = address
    return node


def _unread(builder: Builder, name: str) -> None:
    if name and name not in builder.draft.unread:
        builder.draft.unread.append(name)


def rich_text(element: Element, *, gaps: bool) -> str:
    """Return the text of XHTML: paragraphs apart by a blank line, or by a line break in a title; lists as Markdown."""
    blocks: list[str] = [""]
    # (element, behind): behind an element its tail is taken; a stack, since rich text may nest as it likes
    stack: list[tuple[Element, bool]] = [(element, False)]
    while stack:
        one, behind = stack.pop()
        name = local(one).lower()
        if behind:
            if name in _BLOCKS:
                blocks.append("")
            blocks[-1] += (one.tail or "") if one is not element else ""
            continue
        stack.append((one, True))
        if name in ("head", "style", "script", "title"):
            continue
        if name in _BLOCKS and blocks[-1].strip():
            blocks.append("")
        if name == "li":
            blocks[-1] += "- "
        elif name == "br":
            blocks[-1] += "\v"
        blocks[-1] += one.text or ""
        stack += [(child, False) for child in reversed(list(one))]
    texts = ["\n".join(" ".join(line.split()) for line in block.split("\v")).strip() for block in blocks]
    joined = ""
    for text in texts:
        if text.strip("- \n"):
            listed = text.startswith("- ") and joined.rpartition("\n")[2].startswith("- ")
            joined += (("\n" if listed or not gaps else "\n\n") if joined else "") + text
    return joined
