"""OPML -> draft."""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import Element

from questionbank.exchange.outlines.archives import local, parse_xml
from questionbank.exchange.outlines.builder import Builder
from questionbank.exchange.outlines.columns import plain_name
from questionbank.exchange.outlines.decoding import Unreadable
from questionbank.exchange.outlines.draft import OutlineDraft
from questionbank.exchange.outlines.nodes import Node, place_nodes

_NOTES: Final = frozenset({"note", "notes", "answer", "description", "details", "content"})
_KNOWN: Final = frozenset(
    [
        "text",
        "title",
        "type",
        "url",
        "xmlurl",
        "htmlurl",
        "link",
        "href",
        "iscomment",
        "isbreakpoint",
        "created",
        "category",
        "id",
        "uid",
        "status",
        "complete",
        "completed",
        "checked",
        "expanded",
        "collapsed",
        "color",
        "colour",
        "icon",
        "language",
        "version",
        "modified",
        "order",
    ]
)


def read_opml(data: bytes, file: str) -> OutlineDraft:
    """Read an outline. Lines of the draft count its entries. Raises Unreadable."""
    root = parse_xml(data)
    if local(root).lower() not in ("opml", "outline", "body"):
        raise Unreadable("outline_kind", expected="OPML", found=local(root)[:40])
    body = next((one for one in root.iter() if local(one).lower() == "body"), root)
    builder = Builder(file, "opml")
    place_nodes(builder, _nodes(builder, body))
    return builder.finish()


def _nodes(builder: Builder, body: Element) -> list[Node]:
    """Turn elements into nodes without recursion: how deep a file nests is up to the file."""
    top: list[Node] = []
    stack: list[tuple[Element, list[Node], bool]] = [(one, top, False) for one in reversed(list(body))]
    number = 0
    while stack:
        element, siblings, comment = stack.pop()
        if local(element).lower() != "outline":
            continue
        number += 1
        node = _node(builder, element, number, comment=comment)
        siblings.append(node)
        stack += [(one, node.children, node.comment) for one in reversed(list(element))]
    return top


def _node(builder: Builder, element: Element, number: int, *, comment: bool) -> Node:
    values = {plain_name(name.rpartition("}")[2]).replace(" ", ""): value for name, value in element.attrib.items()}
    node = Node(values.get("text") or values.get("title") or "", number)
    node.comment = comment or values.get("iscomment", "").lower() == "true"
    node.notes = [value for name, value in values.items() if name in _NOTES and value.strip()]
    address = values.get("url") or values.get("htmlurl") or values.get("xmlurl") or values.get("href") or ""
    if values.get("type", "").lower() in ("link", "rss", "include", "") and not address.startswith("#"):
        node.link = address
    for name, value in element.attrib.items():
        plain = plain_name(name.rpartition("}")[2]).replace(" ", "")
        if value.strip() and plain not in _KNOWN and plain not in _NOTES and name not in builder.draft.unread:
            builder.draft.unread.append(name.rpartition("}")[2])
    return node
