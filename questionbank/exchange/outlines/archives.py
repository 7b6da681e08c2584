"""Archives and XML from strangers: sizes checked before and while unpacking, no entities, no external anything."""

from __future__ import annotations

import html.entities
import io
import re
import zipfile
import zlib
from typing import Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from questionbank.exchange.outlines.decoding import MAX_UNPACKED, Unreadable, decode_xml

MOST_PARTS: Final = 2000
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,30});")
_XML_OWN: Final = frozenset({"amp", "lt", "gt", "quot", "apos"})
# What zipfile raises for archives that are broken or lie, an encrypted part (RuntimeError) and an unknown compression
# (NotImplementedError) among them.
BAD_ZIP: Final = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, ValueError, EOFError)


def open_zip(data: bytes, limit: int = MAX_UNPACKED) -> zipfile.ZipFile:
    """Return an archive whose parts together claim to be no larger than the limit, or raise Unreadable."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        parts = archive.infolist()
    except BAD_ZIP as error:
        raise Unreadable("outline_zip", reason=str(error)[:200]) from None
    size = sum(part.file_size for part in parts)
    if size > limit or len(parts) > MOST_PARTS:
        raise Unreadable("outline_zip_size", size=size, limit=limit)
    return archive


def read_part(archive: zipfile.ZipFile, name: str, limit: int = MAX_UNPACKED) -> bytes:
    """Return one part, or raise Unreadable. What it really holds is counted too: sizes in an archive can lie."""
    try:
        with archive.open(name) as stream:
            data = stream.read(limit + 1)
    except KeyError:
        raise Unreadable("outline_part", name=name) from None
    except BAD_ZIP as error:
        raise Unreadable("outline_zip", reason=str(error)[:200]) from None
    if len(data) > limit:
        raise Unreadable("outline_zip_size", size=len(data), limit=limit)
    return data


def checked_zip(data: bytes, limit: int = MAX_UNPACKED) -> zipfile.ZipFile:
    """Return an archive of which every part was unpacked once within the limit, for libraries that unpack."""
    archive = open_zip(data, limit)
    left = limit
    for part in archive.infolist():
        if not part.is_dir():
            left -= len(read_part(archive, part.filename, left))
    return archive


def parse_xml(data: bytes) -> Element:
    """Return the root of an XML file, or raise Unreadable. `&nbsp;` is taken, declared entities are refused."""
    text = _ENTITY.sub(_entity, decode_xml(data))
    try:
        root: Element = fromstring(text, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except ParseError as error:
        reason = str(error).partition(":")[0]
        raise Unreadable("outline_xml", line=error.position[0], reason=reason) from None
    except DefusedXmlException:
        raise Unreadable("outline_xml_entities") from None
    except (ValueError, RecursionError) as error:
        raise Unreadable("outline_xml", reason=str(error)[:200]) from None
    return root


def _entity(match: re.Match[str]) -> str:
    if match[1] in _XML_OWN:
        return match[0]
    character = html.entities.html5.get(f"{match[1]};")
    return character if character and character not in "<>&" else match[0]


def local(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def attribute(element: Element, name: str) -> str:
    """Return an attribute whatever its namespace; "" when it is not there."""
    found = element.get(name)
    if found is None:
        found = next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")
    return found
