"""A line of an e-mail: its text with a tilde for each number that is no code, the words in it, and what may be a code."""

from __future__ import annotations

import re
from typing import NamedTuple

from ._words import Found, Words, is_word_character, lines as lines_of, lower_case

CONNECTORS_MAX = 5
NAME_CHARACTERS_MAX = 20

_MASK = re.compile("|".join(lines_of("mask")))
_MARKS = Words("label", "secret", "other")
_CONNECTORS = Words("connector", "number")
_NUMBERS = Words("number")
_MEASURES = Words("unit", "money")
_ENDINGS = Words("ending")
_NAMES = Words("number", "money")
_ENTER = Words("enter", "use")
_ENTERED = Words("entered", "used")
_AT = Words("at")
_WITH = Words("with")
PURPOSE = Words("confirm", "signin")
TASK = Words("task")
_TASK_OR_CONFIRM = Words("task", "confirm")
OFFER = Words("offer")
_CAPITALS = Words("word", "confirm", "signin", "deny", "aside", "label", "secret")

_CANDIDATE = re.compile(
    r"(?<![A-Za-z0-9])(?<![A-Za-z0-9]-)(?:(?:[0-9]{4} [0-9]{4}|[0-9]{3} ?[-.|] ?[0-9]{3}|[0-9]{3} [0-9]{3}"
    r"|[0-9]{2} [0-9]{2} [0-9]{2}|[A-Z0-9](?: [A-Z0-9]){3,9}|[0-9](?:-[0-9]){3,7})(?! ?[0-9])"
    r"|[A-Za-z0-9]{1,10}(?:-[A-Za-z0-9]{2,8}){0,3})(?!-?[A-Za-z0-9])"
)
_DIGITS = re.compile(r"[0-9]{4,8}")
_COLON_AT_END = re.compile(r"""[:=] ?["'(\[*]*\Z""")
_SPACED = re.compile(r"[A-Z0-9](?: [A-Z0-9])+")
_GROUPS = re.compile(r"[0-9]+(?:[ .|-]+[0-9]+)+")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_PREFIXED = re.compile(r"[A-Z]{1,3}-[0-9]{4,8}")
_MIXED = re.compile(r"(?=.*[0-9])(?:(?=.*[A-Z])[A-Z0-9]{4,10}|[A-Z0-9]{3,5}(?:-[A-Z0-9]{3,5}){1,3})")
_CAPITALS_ONLY = re.compile(r"[A-Z]{4,8}|[A-Z]{3,5}(?:-[A-Z]{3,5}){1,3}")
_OF_A_SHOP = re.compile(r"[A-Z]{3,}[0-9]{0,4}")
_WITH_LOWER_CASE = re.compile(r"(?=.*[0-9])(?=.*[a-z])[A-Za-z0-9]{5,10}")
_SENTENCE_END = re.compile(r"[.!?。؟।](?: |\Z)")
_LIST = re.compile(r" ?[,;/|、] ?| ?[^,;.!?~]{1,6} ")
_TILE = re.compile(r"[A-Z0-9]|[0-9]{2,3}")


class Candidate(NamedTuple):
    value: str
    start: int
    end: int
    shape: int
    what: str

    @property
    def is_doubtful(self) -> bool:
        return self.shape == 6

    @property
    def is_number(self) -> bool:
        return _DIGITS.fullmatch(self.value) is not None

    @property
    def is_of_a_shop(self) -> bool:
        """Whether it looks like ``SAVE20``."""
        return _OF_A_SHOP.fullmatch(self.value) is not None


class Near(NamedTuple):
    score: int
    why: str


class CodeLine:
    def __init__(self, line: str, candidates_max: int) -> None:
        lower = lower_case(line)
        text, at = "", 0
        for mask in _MASK.finditer(lower):
            text += line[at : mask.start()] + "~"
            at = mask.end()
        self.text = text + line[at:]
        self.folded = lower_case(self.text)
        self.marks = _MARKS.all_in(self.folded)
        self.candidates = _candidates_in(self.text)[:candidates_max]
        self.is_alone = (
            len(self.candidates) == 1
            and not self.has_content(0, self.candidates[0].start)
            and not self.has_content(self.candidates[0].end, len(self.text))
        )
        self.announces = False

    @property
    def has_label(self) -> bool:
        return any(map(is_label, self.marks))

    def has_content(self, start: int, end: int) -> bool:
        return any(self.text[i] in "~0123456789" or is_word_character(self.text, i) for i in range(start, end))

    def joins(self, start: int, end: int) -> bool:
        """Whether only connectors stand between the two indexes, and no end of a clause."""
        words, at = 0, start
        while at < end:
            if is_word_character(self.folded, at):
                connector = _CONNECTORS.at(self.folded, at)
                words += 1
                if connector is None or connector.end > end or words > CONNECTORS_MAX:
                    return False
                at = connector.end
                continue
            c = self.folded[at]
            if c in ",;!?~。、؟،0123456789":
                return False
            if c == "." and self.folded.startswith(". ", at) and not _NUMBERS.ends_at(self.folded, at):
                return False
            at += 1
        return True

    def is_other(self, candidate: Candidate) -> bool:
        """Whether a word next to it, or its form, says that it is another number."""
        start, end = candidate.start, candidate.end
        after = end + 1 if self.folded[end : end + 1] in (" ", "-") else end
        if _ENDINGS.at(self.folded, after):
            return True
        before = next((mark for mark in reversed(self.marks) if mark.end <= start), None)
        if before and self.joins(before.end, start):
            return before.kind == "other"
        if _YEAR.fullmatch(candidate.value) or _MEASURES.at(self.folded, after):
            return True
        if self.folded.startswith(" (", end):
            mark = _MARKS.at(self.folded, end + 2)
            # In "(ref: 1234)" the mark has a number of its own.
            if mark and mark.kind == "other" and self.joins(mark.end, (self.folded + ")").index(")", mark.end)):
                return True
        near = self.folded[max(0, start - NAME_CHARACTERS_MAX) : start]
        names = _NAMES.all_in(near)
        return bool(names) and re.fullmatch(r"[ .:#]*", near[names[-1].end :]) is not None

    def is_entered(self, candidate: Candidate) -> bool:
        """Whether its sentence says to enter this number."""
        if not candidate.is_number or self.is_other(candidate):
            return False
        start, end = self._sentence(candidate)
        entered = _ENTERED.at(self.folded, self._following(candidate, end))
        if entered:
            return entered.kind == "entered" or PURPOSE.has(self.folded[start:end])
        call = self._call(candidate, candidate.start)
        if call is None or ":" in self.folded[call.end : candidate.start]:
            return False
        return self.joins(call.end, candidate.start)

    def is_meant(self, candidate: Candidate) -> bool:
        """Whether its sentence says, without a label, what it is for."""
        start, end = self._sentence(candidate)
        before = self.folded[start : candidate.start]
        following = self._following(candidate, end)
        after = self.folded[following:end]
        is_last = following == end or self.folded[following] in ",;"
        if _COLON_AT_END.search(before):
            is_named = any(mark.end <= candidate.start for mark in self.marks)
            return is_last and not is_named and (TASK.has(before) or _ENTER.has(before))
        is_aimed = _AT.at(self.folded, following) is not None
        if not self.has_content(start, candidate.start):
            return is_aimed and _TASK_OR_CONFIRM.has(after)
        words = _WITH.all_in(before)
        if not words or not self.joins(start + words[-1].end, candidate.start):
            return False
        is_aimed |= _TASK_OR_CONFIRM.at(self.folded, following) is not None
        return (is_last or is_aimed) and (_TASK_OR_CONFIRM.has(before) or _TASK_OR_CONFIRM.has(after))

    def _call(self, candidate: Candidate, limit: int) -> Found | None:
        """The last word before the limit that says to enter or use the candidate.

        None without one, or if anything but a place or a purpose follows the candidate in its clause.
        """
        start, end = self._sentence(candidate)
        calls = _ENTER.all_in(self.folded[start:limit])
        if not calls:
            return None
        following = self._following(candidate, end)
        is_aimed = _AT.at(self.folded, following) is not None
        is_last = following == end or self.folded[following] in ",;"
        if calls[-1].kind == "use":
            has_purpose = PURPOSE.has(self.folded[start : candidate.start])
            is_aimed = is_aimed and (has_purpose or PURPOSE.has(self.folded[following:end]))
            is_last = is_last and has_purpose
        call = calls[-1]
        return call._replace(start=start + call.start, end=start + call.end) if is_aimed or is_last else None

    def _following(self, candidate: Candidate, end: int) -> int:
        """The index of the next word, or of the end of the clause."""
        return next((i for i in range(candidate.end, end) if self.has_content(i, i + 1) or self.folded[i] in ",;"), end)

    @property
    def has_call(self) -> bool:
        return _ENTER.has(self.folded)

    def is_offered(self, candidate: Candidate) -> bool:
        """Whether its sentence says that it is for a shop."""
        start, end = self._sentence(candidate)
        return offers(self.folded[start:end], not candidate.is_of_a_shop)

    def _sentence(self, candidate: Candidate) -> tuple[int, int]:
        start = 0
        for mark in _SENTENCE_END.finditer(self.folded):
            if mark.end() <= candidate.start:
                start = mark.end()
            elif mark.start() >= candidate.end:
                return start, mark.start()
        return start, len(self.folded)

    def ends_with_label(self) -> bool:
        last = [mark for mark in self.marks if is_label(mark)][-1]
        return self.text.endswith(":") or self.joins(last.end, len(self.text))

    def names_other(self) -> bool:
        """Whether the line says that the number below it is another one."""
        last = self.marks[-1] if self.marks else None
        return (
            last is not None
            and last.kind == "other"
            and self.joins(last.end, len(self.text))
            and (self.text.endswith((":", "#")) or self.joins(0, last.start))
        )

    def claims(self, index: int) -> dict[Candidate, Near]:
        """What a label has as its code, or as a list of codes."""
        mark = self.marks[index]
        is_secret = mark.kind == "secret"
        word = '"' + self.folded[mark.start : mark.end] + '"'
        after = self._after(index)
        if after and self.joins(mark.end, after[0].start) and self._is_announced(mark, after[0]):
            return self._list(after[0], Near(45 if is_secret else 50, word + " before it"))
        before = next(
            (
                c
                for c in reversed(self.candidates)
                if c.end <= mark.start and self._is_free(c) and (not c.is_doubtful or c.start == 0)
            ),
            None,
        )
        gap_before = self.folded[before.end : mark.start] if before else ""
        is_sentence_before = before is not None and not _SENTENCE_END.search(gap_before)
        if before and is_sentence_before and len(gap_before) <= 60 and _begins_with_connector(gap_before):
            previous = self.marks[index - 1] if index else None
            is_taken = previous is not None and is_label(previous) and previous.start >= before.end
            if not is_taken:
                return {before: Near(43 if is_secret else 48, word + " after it")}
        if is_secret:
            return {}
        after = [candidate for candidate in after if not candidate.is_doubtful]
        for candidate in after:
            gap = self.folded[mark.end : candidate.start]
            if len(gap) <= 100 and not _SENTENCE_END.search(gap) and _ends_with_connector(gap):
                return self._list(candidate, Near(44, word + " before it"))
        gap = self.folded[mark.end : after[0].start] if after else ""
        if after and len(gap) <= 60 and not _SENTENCE_END.search(gap):
            return self._list(after[0], Near(40 if len(gap) <= 30 else 34, word + " before it"))
        if before and is_sentence_before and not before.is_doubtful and len(gap_before) <= 40:
            return {before: Near(38, word + " after it")}
        if after and len(gap) <= 60:
            return self._list(after[0], Near(28, word + " in the sentence before it"))
        return {}

    def _after(self, index: int) -> list[Candidate]:
        """The candidates between a label and the next one."""
        is_followed = index + 1 < len(self.marks) and is_label(self.marks[index + 1])
        limit = self.marks[index + 1].start if is_followed else len(self.folded)
        start = self.marks[index].end
        return [c for c in self.candidates if c.start >= start and c.end <= limit and self._is_free(c)]

    def _is_free(self, candidate: Candidate) -> bool:
        return not self.is_other(candidate) or _YEAR.fullmatch(candidate.value) is not None

    def _list(self, first: Candidate, near: Near) -> dict[Candidate, Near]:
        found = {first: near}
        rest = self.candidates[self.candidates.index(first) :]
        for previous, candidate in zip(rest, rest[1:]):
            gap = self.folded[previous.end : candidate.start]
            if not _LIST.fullmatch(gap) or candidate.is_doubtful or _MARKS.has(gap):
                break
            found[candidate] = near
        return found

    def _is_announced(self, mark: Found, candidate: Candidate) -> bool:
        gap = self.folded[mark.end : candidate.start]
        if not candidate.is_doubtful or ":" in gap:
            return True
        is_sentence = re.search("[a-z\u0370-\uffff]", self.text[: candidate.start])
        has_word = re.search(r"""[^\W\d_]|["'「\[(*]""", gap)
        closes = re.match(r"""["'」\])*]*(?:[.,!。]|\Z| ?です| ?입니다)""", self.text[candidate.end :])
        return bool(is_sentence and ((has_word and closes) or self._call(candidate, mark.start)))


def joined(lines: list[str]) -> list[str]:
    """Joins a code that is laid out over lines: its characters, or groups of two or three digits."""
    joined: list[str] = []
    i = 0
    while i < len(lines):
        tile = len(lines[i]) if _TILE.fullmatch(lines[i]) else 0
        end = i
        while tile and end < len(lines) and len(lines[end]) == tile and _TILE.fullmatch(lines[end]):
            end += 1
        count = end - i
        end = max(end, i + 1)
        if (tile == 1 and 4 <= count <= 10) or (tile == 2 and count == 3) or (tile == 3 and count == 2):
            joined.append(" ".join(lines[i:end]))
        else:
            joined += lines[i:end]
        i = end
    return joined


def _candidates_in(text: str) -> list[Candidate]:
    candidates = []
    for match in _CANDIDATE.finditer(text):
        value = match.group()
        if _SPACED.fullmatch(value):
            value = value.replace(" ", "")
        elif _GROUPS.fullmatch(value):
            value = re.sub("[ .|-]", "", value)
        shape, what = _shape_of(value)
        if shape:
            candidates.append(Candidate(value, match.start(), match.end(), shape, what))
    return candidates


def _shape_of(value: str) -> tuple[int, str]:
    if _DIGITS.fullmatch(value):
        return {6: 20, 4: 8}.get(len(value), 12), f"{len(value)} digits"
    if _PREFIXED.fullmatch(value):
        return 18, "a prefix and digits"
    if _MIXED.fullmatch(value):
        return 14, "letters and digits"
    if _WITH_LOWER_CASE.fullmatch(value):
        return 6, "letters and digits, announced"
    if _CAPITALS_ONLY.fullmatch(value) and not _CAPITALS.has(lower_case(value)):
        return 6, "letters, announced"
    return 0, ""


def _begins_with_connector(gap: str) -> bool:
    for i, c in enumerate(gap):
        if c in "-=:" and gap.startswith(" ", i + 1):
            return True
        if is_word_character(gap, i):
            return _CONNECTORS.at(gap, i) is not None
        if c in ",;.!?~。、":
            return False
    return False


def _ends_with_connector(gap: str) -> bool:
    if _COLON_AT_END.search(gap):
        return True
    words = _CONNECTORS.all_in(gap)
    rest = gap[words[-1].end :] if words else "~"
    return not any(c in "~,;" or is_word_character(rest, i) for i, c in enumerate(rest))


def is_label(mark: Found) -> bool:
    return mark.kind != "other"


def offers(folded: str, may_have_purpose: bool) -> bool:
    return OFFER.has(folded) and not (may_have_purpose and PURPOSE.has(folded))
