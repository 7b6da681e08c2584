"""XMind -> draft: `content.json` since 2020, `content.xml` before. Where both are there, the older one only warns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final
from xml.etree.ElementTree import Element

from questionbank.exchange.outlines.archives import attribute, local, open_zip, parse_xml, read_part
from questionbank.exchange.outlines.builder import Builder
from questionbank.exchange.outlines.decoding import Unreadable, decode, storable
from questionbank.exchange.outlines.draft import OutlineDraft
from questionbank.exchange.outlines.mindmap import rich_text
from questionbank.exchange.outlines.nodes import Node, place_nodes

# The titles that the program gives to new topics, for files that don't say so themselves.
_MADE_UP: Final = re.compile(
    r"(?:central|main|sub|floating)[ -]?topic(?: \d+)?|subtopic(?: \d+)?|topic \d+|summary(?: \d+)?|callout(?: \d+)?|"
    r"(?:中心|分支|子|自由)主题 ?\d*|(?:概要|摘要|标注) ?\d*",
    re.IGNORECASE,
)


def read_xmind(data: bytes, file: str) -> OutlineDraft:
    """Read a workbook of maps. Lines of the draft count its topics. Raises Unreadable."""
    archive = open_zip(data)
    names = set(archive.namelist())
    builder = Builder(file, "xmind")
    if "content.json" in names:
        sheets = _json_sheets(read_part(archive, "content.json"))
    elif "content.xml" in names:
        sheets = _xml_sheets(parse_xml(read_part(archive, "content.xml")))
    else:
        raise Unreadable("outline_part", name="content.json")
    counter = _Counter(builder)
    for root in sheets:
        node, floating = counter.tree(root)
        place_nodes(builder, [node])
        for one in floating:  # each for itself: they are no siblings
            place_nodes(builder, [one])
    return builder.finish()


class _Topic:
    """One topic, whichever of the two formats it came from."""

    def __init__(self, title: str, note: str = "", link: str = "", *, made_up: bool = False) -> None:
        self.title, self.note, self.link = title, note, link
        self.made_up = made_up or bool(_MADE_UP.fullmatch(title.strip()))
        self.children: list[tuple[str, _Topic]] = []
        """Kind (attached, detached, summary, callout) and topic."""
        self.unread: list[str] = []


class _Counter:
    """Turns topics into nodes, numbered in the order in which a reader meets them."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.number = 0

    def tree(self, root: _Topic) -> tuple[Node, list[Node]]:
        top: list[Node] = []
        floating: list[Node] = []
        stack: list[tuple[str, _Topic, list[Node], bool]] = [("attached", root, top, False)]
        while stack:
            kind, topic, siblings, aside = stack.pop()
            self.number += 1
            node = Node(topic.title, self.number, [topic.note] if topic.note else [], made_up=topic.made_up)
            node.aside = aside or kind in ("summary", "callout")
            node.link = topic.link if re.match(r"https?:|mailto:|file:", topic.link) else ""
            (floating if kind == "detached" else siblings).append(node)
            for name in topic.unread:
                if name not in self.builder.draft.unread:
                    self.builder.draft.unread.append(name)
            order = ("attached", "callout", "summary", "detached")
            below = sorted(topic.children, key=lambda one: order.index(one[0]) if one[0] in order else 1)
            stack += [(name, child, node.children, node.aside) for name, child in reversed(below)]
        return top[0], floating


# --- content.json


def _json_sheets(data: bytes) -> list[_Topic]:
    try:
        content = json.loads(decode(data))
    except (ValueError, RecursionError) as error:
        raise Unreadable("outline_json", line=getattr(error, "lineno", 0), reason=str(error)[:200]) from None
    sheets = content if isinstance(content, list) else [content]
    roots = [sheet.get("rootTopic") for sheet in sheets if isinstance(sheet, dict)]
    if not roots:
        raise Unreadable("outline_part", name="rootTopic")
    return [_json_topic(root) for root in roots if isinstance(root, dict)]


def _json_topic(root: dict[str, Any]) -> _Topic:
    made = _json_alone(root)
    stack = [(root, made)]
    while stack:
        entry, topic = stack.pop()
        children = entry.get("children")
        for kind, below in children.items() if isinstance(children, dict) else ():
            for child in below if isinstance(below, list) else ():
                if isinstance(child, dict):
                    one = _json_alone(child)
                    topic.children.append((str(kind), one))
                    stack.append((child, one))
    return made


def _json_alone(entry: dict[str, Any]) -> _Topic:
    title = entry.get("title")
    text = title if isinstance(title, str) else "".join(_strings(entry.get("attributedTitle")))
    link = entry.get("href")
    topic = _Topic(
        storable(text),
        storable(_json_note(entry.get("notes"))),
        link if isinstance(link, str) else "",
        made_up=entry.get("titleUnedited") is True,
    )
    topic.unread = [name for name in ("labels", "markers") if entry.get(name)]
    return topic


def _json_note(notes: Any) -> str:
    if not isinstance(notes, dict):
        return ""
    for name in ("plain", "realHTML", "html", "ops"):
        part = notes.get(name)
        content = part.get("content") if isinstance(part, dict) else part
        if isinstance(content, str) and content.strip():
            return content
        if text := "".join(_strings(part)).strip():
            return text
    return ""


def _strings(value: Any) -> Iterator[str]:
    """Yield every text of a value that holds runs of text."""
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            text = one.get("text", one.get("insert"))
            if isinstance(text, str):
                yield text
            stack += [inner for inner in reversed(list(one.values())) if isinstance(inner, dict | list)]
        elif isinstance(one, list):
            stack += reversed(one)


# --- content.xml


def _xml_sheets(root: Element) -> list[_Topic]:
    if local(root) != "xmap-content":
        raise Unreadable("outline_kind", expected="XMind", found=local(root)[:40])
    roots = [one for sheet in root if local(sheet) == "sheet" for one in sheet if local(one) == "topic"]
    return [_xml_topic(one) for one in roots]


def _xml_topic(root: Element) -> _Topic:
    made = _xml_alone(root)
    stack = [(root, made)]
    while stack:
        element, topic = stack.pop()
        for children in (one for one in element if local(one) == "children"):
            for topics in children:
                kind = attribute(topics, "type") or "attached"
                for child in (one for one in topics if local(one) == "topic"):
                    below = _xml_alone(child)
                    topic.children.append((kind, below))
                    stack.append((child, below))
    return made


def _xml_alone(element: Element) -> _Topic:
    title = note = ""
    unread: list[str] = []
    for child in element:
        name = local(child)
        if name == "title":
            title = "".join(child.itertext())
        elif name == "notes":
            plain = next((one for one in child if local(one) == "plain"), None)
            note = "".join(plain.itertext()) if plain is not None else rich_text(child, gaps=True)
        elif name in ("labels", "marker-refs") and len(child):
            unread.append("markers" if name == "marker-refs" else name)
    topic = _Topic(title, note, attribute(element, "href"))
    topic.unread = unread
    return topic
