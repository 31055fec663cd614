"""Reads the visible text and the links of an HTML body, in one pass without recovery."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from ._visibility import Visibility
from ._words import lines as lines_of, trimmed

_SKIPPED = {"style", "script", "title", "template"}
_CELLS = {"td", "th"}
_INLINE = set("a abbr b code em font i img input kbd mark s small span strong sub sup tt u wbr".split())
_VALUELESS = {"checkbox", "color", "file", "hidden", "image", "password", "radio", "range"}
"""The types of fields that do not show their value."""
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9:]{0,20})|<[!?]")
_ATTRIBUTE = re.compile(
    r"""([a-zA-Z-]{1,30})(?:[ \t\r\n\f]*=[ \t\r\n\f]*(?:"([^"]*)"|'([^']*)'|([^ \t\r\n\f"'>]+)))?"""
)
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));")
_ACCENTED = re.compile(r"([a-zA-Z])(acute|grave|circ|uml|tilde|cedil|ring|caron)")
_SPACES = re.compile("[ \t\r\n\f\u00a0]+")
_MARKS = {
    "acute": "\u0301",
    "grave": "\u0300",
    "circ": "\u0302",
    "uml": "\u0308",
    "tilde": "\u0303",
    "cedil": "\u0327",
    "ring": "\u030a",
    "caron": "\u030c",
}
_ENTITIES = dict(pair.split(" ", 1) for line in lines_of("entity") for pair in line.split(" | "))
_ENTITIES |= dict.fromkeys(("nbsp", "ensp", "emsp", "thinsp"), " ")
_ENTITIES |= dict.fromkeys(("zwnj", "zwj", "shy", "lrm", "rlm"), "")


class Anchor(NamedTuple):
    """A link as it stands, and where it is in the text."""

    text: str
    href: str
    start: int
    end: int


class _Text:
    """Text whose white space is collapsed while it is put together."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.last = "\n"

    @property
    def value(self) -> str:
        return "".join(self.parts)

    def append(self, more: str) -> None:
        added = _SPACES.sub(" ", more)
        if self.last in " \n" and added.startswith(" "):
            added = added[1:]
        if added:
            self.parts.append(added)
            self.length += len(added)
            self.last = added[-1]

    def break_line(self) -> None:
        if self.last != "\n":
            self.parts.append("\n")
            self.length += 1
            self.last = "\n"


class _Link:
    def __init__(self, href: str, start: int) -> None:
        self.href = href
        self.start = start
        self.text = _Text()
        self.is_seen = False
        self.is_hidden = False


class HtmlText:
    """The visible text and the links of an HTML body."""

    def __init__(self, html: str) -> None:
        self._text = _Text()
        self._outside = _Text()
        self._visibility = Visibility()
        self._link: _Link | None = None
        self.anchors: list[Anchor] = []
        at = 0
        while at < len(html):
            tag = html.find("<", at)
            end = len(html) if tag < 0 else tag
            self._append(_decode(html[at:end]))
            at = end if tag < 0 else self._after_tag(html, tag)
        self._end_link()
        self.text = self._text.value
        self.text_outside_links = self._outside.value

    def _after_tag(self, html: str, start: int) -> int:
        if html.startswith("<!--", start):
            end = html.find("-->", start + 4)
            return len(html) if end < 0 else end + 3
        tag = _TAG.match(html, start)
        if tag is None:
            self._append("<")
            return start + 1
        end = _end_of_tag(html, start)
        if end < 0:
            return len(html)
        name = (tag.group(1) or "").lower()
        opens = html[start + 1] != "/"
        if opens and name in _SKIPPED:
            close = re.compile("</" + name, re.IGNORECASE | re.ASCII).search(html, end)
            return close.start() if close else len(html)
        if name and opens:
            self._open(name, _attributes(html[tag.end() : end]))
        elif name:
            self._close(name)
        return end + 1

    def _open(self, name: str, attributes: dict[str, str]) -> None:
        if name == "a":
            self._end_link()
        self._separate(name)
        if name == "img":
            self._append_shown(name, attributes, "alt")
        elif name == "input" and trimmed(attributes.get("type", "")).lower() not in _VALUELESS:
            self._append_shown(name, attributes, "value")
        self._visibility.start(name, attributes)
        if name == "a":
            self._link = _Link(attributes.get("href", ""), self._text.length)

    def _close(self, name: str) -> None:
        if name == "a":
            self._end_link()
        self._separate(name)
        self._visibility.end(name)

    def _separate(self, name: str) -> None:
        if name in _INLINE:
            return
        for text in (self._text, self._outside):
            if name in _CELLS:
                text.append(" ")
            else:
                text.break_line()
        if self._link:
            self._link.text.append(" ")

    def _end_link(self) -> None:
        link, self._link = self._link, None
        if link and (link.is_seen or not link.is_hidden):
            self.anchors.append(Anchor(trimmed(link.text.value), link.href, link.start, self._text.length))

    def _append_shown(self, name: str, attributes: dict[str, str], attribute: str) -> None:
        """A description stands for its image, and a value for its field, as a word of its own unless it is a character."""
        is_hidden = self._visibility.is_hidden_in(name, attributes)
        self._see(is_hidden)
        shown = trimmed(attributes.get(attribute, ""))
        if shown and not is_hidden:
            self._append_visible(shown if len(shown) == 1 else f" {shown} ")

    def _append(self, text: str) -> None:
        is_hidden = self._visibility.is_hidden
        if trimmed(text):
            self._see(is_hidden)
        if not is_hidden:
            self._append_visible(text)

    def _see(self, is_hidden: bool) -> None:
        if self._link:
            self._link.is_hidden |= is_hidden
            self._link.is_seen |= not is_hidden

    def _append_visible(self, text: str) -> None:
        self._text.append(text)
        (self._link.text if self._link else self._outside).append(text)


def _end_of_tag(html: str, start: int) -> int:
    """The index of the ``>`` outside of quotes, or of the first one if the quotes do not match; -1 if there is none."""
    at = start
    while True:
        found = re.compile("[>\"']").search(html, at)
        if found is None:
            return html.find(">", start)
        if found.group() == ">":
            return found.start()
        close = html.find(found.group(), found.end())
        if close < 0:
            return html.find(">", start)
        at = close + 1


def _attributes(tag: str) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(tag):
        attributes.setdefault(name.lower(), _decode("".join(values)))
    return attributes


def _decode(html: str) -> str:
    return _ENTITY.sub(_decoded, html) if "&" in html else html


def _decoded(entity: re.Match[str]) -> str:
    decimal, hexadecimal, name = entity.groups()
    if name is None:
        code_point = int(decimal) if decimal else int(hexadecimal, 16)
        is_valid = 0 < code_point <= 0x10FFFF and code_point & 0x1FF800 != 0xD800
        return chr(code_point) if is_valid else ""
    accented = _ACCENTED.fullmatch(name)
    if accented:
        return unicodedata.normalize("NFC", accented.group(1) + _MARKS[accented.group(2)])
    return _ENTITIES.get(name, entity.group())
