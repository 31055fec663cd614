"""Follows the open elements of an HTML body, and says whether a person sees the text in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ._words import trimmed

_VOID = set("area base br col embed frame hr img input link meta param source track wbr".split())
_ROWS = set("td th tr tbody thead tfoot".split())
_ENDED_BY = {
    "li": {"li"},
    "dt": {"dt", "dd"},
    "dd": {"dt", "dd"},
    "td": _ROWS,
    "th": _ROWS,
    "tr": {"tr", "tbody", "thead", "tfoot"},
    "p": set(
        "address article blockquote center div dl fieldset form h1 h2 h3 h4 h5 h6 hr main nav ol p pre section table"
        " ul".split()
    ),
}
_SCOPES = {"table", "ul", "ol", "dl", "td", "th"}
# By start tag: the elements that it ends, and the scopes that it does not.
_ENDS = {
    name: (
        [outer for outer, enders in _ENDED_BY.items() if name in enders],
        [outer for outer in _SCOPES if name not in _ENDED_BY.get(outer, ())],
    )
    for names in _ENDED_BY.values()
    for name in names
}
_DEPTH_MAX = 500
_NO_DECLARATION = re.compile(r"/\*[^*]*\*+/|! ?important")
_DECLARATION = re.compile(r"([a-z-]{1,30}) ?: ?([^;]*)")
_TINY = re.compile(r"0*\.?0+(?:px|pt|em|rem|ex|%)?|0*\.[0-9]+(?:px|pt)?|0*1(?:\.[0-9]+)?(?:px|pt)?")
_ZERO = re.compile(r"-?0*\.?0+(?:px|pt|em|rem|ex|%|vh|vw)?")
_RELATIVE = re.compile(r"[0-9.]+(?:em|%|ex)|smaller|larger|inherit")
_SIZE_OF_FONT = re.compile(r"(?:^| )([0-9.]+(?:px|pt|em|rem|%)?)(?: |/|\Z)")
_FAR_LEFT = re.compile(r"-[0-9]{4,}(?:\.[0-9]+)?(?:px|pt|em)")
_COLOR = re.compile(r"#[0-9a-f]{3,8}|rgba?\([^)]*\)|white|black|transparent|inherit")
_HEX = re.compile(r"#(?:([0-9a-f])([0-9a-f])([0-9a-f])|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2}))")
_RGB = re.compile(r"rgba?\( ?([0-9]{1,3})[, ]+([0-9]{1,3})[, ]+([0-9]{1,3})(?:[,/ ]+([0-9.]+)%?)? ?\)")
_NAMES = {"white": "255,255,255", "black": "0,0,0", "transparent": "transparent"}


class _Element(NamedTuple):
    name: str
    removed: bool
    invisible: bool
    tiny: bool
    color: str
    background: str

    @property
    def hides(self) -> bool:
        same = self.color != "" and self.color == self.background
        return self.removed or self.invisible or self.tiny or same or self.color == "transparent"


class Visibility:
    def __init__(self) -> None:
        self._open = [_Element("", False, False, False, "", "")]
        # The indexes of open elements, by name, so that a tag takes the same time at any depth.
        self._places: dict[str, list[int]] = {}

    @property
    def is_hidden(self) -> bool:
        return self._open[-1].hides

    def is_hidden_in(self, name: str, attributes: Mapping[str, str]) -> bool:
        """Whether an element without children would be hidden here."""
        return _element(name, attributes, self._open[-1]).hides

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in _ENDS:
            ended, scopes = _ENDS[name]
            scope = self._last(scopes)
            while (last := self._last(ended)) > scope:
                self._end_from(last)
        if name not in _VOID and len(self._open) <= _DEPTH_MAX:
            self._places.setdefault(name, []).append(len(self._open))
            self._open.append(_element(name, attributes, self._open[-1]))

    def end(self, name: str) -> None:
        if last := self._last((name,)):
            self._end_from(last)

    def _last(self, names: Iterable[str]) -> int:
        """The innermost open element of these names, 0 if there is none."""
        return max((self._places[name][-1] for name in names if self._places.get(name)), default=0)

    def _end_from(self, index: int) -> None:
        """Ends the open element at this index and all in it."""
        for element in self._open[index:]:
            self._places[element.name].pop()
        del self._open[index:]


def _element(name: str, attributes: Mapping[str, str], parent: _Element) -> _Element:
    style = _declarations(attributes.get("style", ""))
    visibility = style.get("visibility")
    size = style.get("font-size")
    if size is None:
        font = _SIZE_OF_FONT.search(style.get("font", ""))
        size = font.group(1) if font else None
    inherits = size is None or (parent.tiny and _RELATIVE.fullmatch(size) is not None)
    background = style.get("background-color", style.get("background", attributes.get("bgcolor")))
    background = _color(background, parent.background)
    return _Element(
        name,
        parent.removed or "hidden" in attributes or _removes(name, style),
        parent.invisible if visibility is None else visibility in ("hidden", "collapse"),
        parent.tiny if inherits or size is None else _TINY.fullmatch(size) is not None,
        _color(style.get("color", attributes.get("color")), parent.color),
        parent.background if background == "transparent" else background,
    )


def _removes(name: str, style: Mapping[str, str]) -> bool:
    def is_zero(key: str) -> bool:
        return _ZERO.fullmatch(style.get(key, "")) is not None

    clips = style.get("overflow") in ("hidden", "clip") or "hidden" in (style.get("overflow-y"), style.get("overflow-x"))
    return (
        style.get("display") == "none"
        or is_zero("opacity")
        # Outlook alone hides it. It does so with a link where it shows a button of its own instead.
        or (name != "a" and style.get("mso-hide") == "all")
        or (clips and any(map(is_zero, ("max-height", "height", "max-width", "width"))))
        or any(_FAR_LEFT.fullmatch(style.get(key, "")) for key in ("left", "top", "text-indent", "margin-left"))
    )


def _declarations(style: str) -> dict[str, str]:
    collapsed = re.sub("[ \t\r\n\f]+", " ", _NO_DECLARATION.sub("", style.lower()))
    return {key: trimmed(value) for key, value in _DECLARATION.findall(collapsed)}


def _color(text: str | None, inherited: str) -> str:
    if text is None:
        return inherited
    lower = text.lower()
    found = _COLOR.search(lower)
    if found is None or "url(" in lower or "gradient" in lower:
        return ""
    color = found.group()
    if color == "inherit":
        return inherited
    digits = _HEX.fullmatch(color)
    if digits:
        return ",".join(str(int(d * 2 if len(d) == 1 else d, 16)) for d in digits.groups() if d is not None)
    rgb = _RGB.fullmatch(color)
    if rgb:
        red, green, blue, alpha = rgb.groups()
        return "transparent" if _ZERO.fullmatch(alpha or "1") else f"{int(red)},{int(green)},{int(blue)}"
    return _NAMES.get(color, "")
