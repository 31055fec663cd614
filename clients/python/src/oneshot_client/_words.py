"""Lists of words, as clients/cases/words.txt describes them, and the rule of folding."""

from __future__ import annotations

import importlib.resources
import re
import unicodedata
from typing import NamedTuple


class Found(NamedTuple):
    """A word of a list in a folded text, and the section it is from."""

    kind: str
    start: int
    end: int


class _Entry(NamedTuple):
    kind: str
    text: str
    open_before: bool
    open_after: bool
    anywhere: bool


def _read() -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    text = importlib.resources.files("oneshot_client").joinpath("words.txt").read_text("utf-8")
    for line in text.split("\n"):
        name = re.fullmatch(r"\[([a-z]+)]", line)
        if name:
            lines = sections.setdefault(name.group(1), [])
        elif line and not line.startswith("# "):
            lines.append(re.sub(r"^[a-z]{2,5}: ", "", line))
    return sections


_SECTIONS = _read()


def lines(section: str) -> list[str]:
    """The lines of a section, without the names of languages."""
    return _SECTIONS[section]


_SAME = {ord(pair[0]): pair[1] for line in lines("same") for pair in line.split(" ")}
_SAME.update({ord(zero) + i: str(i) for line in lines("zero") for zero in line.split(" ") for i in range(10)})


def _is_kept(c: str) -> bool:
    return c in "\u3099\u309a" or (unicodedata.category(c) not in ("Mn", "Cf") and c not in "\u115f\u1160")


def plain(text: str) -> str:
    """Text in which the same words are the same characters."""
    if text.isascii():
        return text
    kept = "".join(filter(_is_kept, unicodedata.normalize("NFKD", text)))
    return unicodedata.normalize("NFC", kept).translate(_SAME)


def lower_case(text: str) -> str:
    """The same in lower case. It is as long, as each character is folded by itself."""
    return text.lower() if text.isascii() else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def folded(text: str) -> str:
    return lower_case(plain(text))


_BLANK = "".join(map(chr, [*range(0x21), *range(0x7F, 0xA1), 0x1680, *range(0x2000, 0x200C), 0x2028, 0x2029, 0x202F]))
_BLANK += "\u205f\u2060\u3000\ufeff"


def trimmed(text: str) -> str:
    """Without white space and controls at either end."""
    return text.strip(_BLANK)


def is_word_character(text: str, index: int) -> bool:
    """A letter, or a mark of one."""
    if not 0 <= index < len(text):
        return False
    c = text[index]
    return c.isalpha() if c < "\x80" else c <= "\uffff" and unicodedata.category(c)[0] in "LM"


def is_without_blanks(c: str) -> bool:
    """Whether a character is of a script that is written without blanks between words."""
    return (
        "\u0e00" <= c <= "\u0eff"
        or "\u1000" <= c <= "\u109f"
        or "\u1780" <= c <= "\u17ff"
        or "\u2e80" <= c <= "\ud7ff"
        or "\uf900" <= c <= "\ufaff"
    )


def _continues(text: str, at: int) -> bool:
    return (
        is_word_character(text, at)
        and is_word_character(text, at - 1)
        and not is_without_blanks(text[at])
        and not is_without_blanks(text[at - 1])
    )


class Words:
    """The words of some sections."""

    def __init__(self, *kinds: str) -> None:
        self._by_first: dict[str, list[_Entry]] = {}
        for kind in kinds:
            for line in lines(kind):
                for word in line.split(" | "):
                    text = folded(word.removeprefix("*").removesuffix("*"))
                    entry = _Entry(kind, text, word[0] == "*", word[-1] == "*", is_without_blanks(text[0]))
                    self._by_first.setdefault(text[0], []).append(entry)
        for entries in self._by_first.values():
            entries.sort(key=lambda entry: -len(entry.text))

    def all_in(self, text: str) -> list[Found]:
        """The words in a folded text, from the left, the longest first."""
        found: list[Found] = []
        at = previous_end = 0
        while at < len(text):
            word = self.at(text, at)
            if word is None:
                at += 1
                continue
            start = word.start
            while start > previous_end and _continues(text, start):
                start -= 1
            found.append(word._replace(start=start))
            at = previous_end = word.end
        return found

    def has(self, text: str) -> bool:
        return any(self.at(text, at) for at in range(len(text)))

    def ends_at(self, text: str, end: int) -> bool:
        start = end
        while _continues(text, start - 1):
            start -= 1
        word = self.at(text, start - 1) if start > 0 else None
        return word is not None and word.end == end

    def at(self, text: str, start: int) -> Found | None:
        """The longest word that begins here."""
        entries = self._by_first.get(text[start : start + 1])
        if not entries:
            return None
        inside = _continues(text, start)
        for entry in entries:
            if inside and not entry.open_before and not entry.anywhere:
                continue
            end = _end_of(entry.text, text, start)
            if end < 0 or (not entry.anywhere and not entry.open_after and _continues(text, end)):
                continue
            while not entry.anywhere and _continues(text, end):
                end += 1
            return Found(entry.kind, start, end)
        return None


def _end_of(word: str, text: str, start: int) -> int:
    if text.startswith(word, start):
        return start + len(word)
    if " " not in word or start + len(word) > len(text):
        return -1
    same = all(a == b or (a == " " and b == "-") for a, b in zip(word, text[start:]))
    return start + len(word) if same else -1
