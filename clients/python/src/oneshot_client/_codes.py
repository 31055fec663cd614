"""Finds the one-time codes of an e-mail. clients/README.md describes how, for all languages of the clients."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ._code_line import OFFER, PURPOSE, TASK, Candidate, CodeLine, Near, is_label, joined, offers
from ._html import HtmlText
from ._words import plain, trimmed

CHARACTERS_MAX = 50_000
LINE_CHARACTERS_MAX = 1000
CANDIDATES_MAX = 500
SCORES_APART_MAX = 25
_LINE_END = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


@dataclass(frozen=True)
class Code:
    """A one-time code of an e-mail."""

    value: str
    """As a person types it: ``123 456`` is ``123456``, and a hyphen stays where there are letters."""
    score: int
    """The higher, the more likely it is the code; comparable within one e-mail."""
    why: str
    """The reasons for it."""


def codes_of(subject: str, text_body: str, html_body: str) -> list[Code]:
    best: dict[str, Code] = {}
    for body in (text_body, HtmlText(html_body[:200_000]).text):
        lines = _read(subject + "\n" + body)
        for code in _codes_in(lines):
            if code.value not in best or code.score > best[code.value].score:
                best[code.value] = code
    codes = sorted(best.values(), key=lambda code: -code.score)
    return [code for code in codes if code.score >= codes[0].score - SCORES_APART_MAX]


def _read(document: str) -> list[CodeLine]:
    spaced = re.sub("[，；：。！？]", r"\g<0> ", document[:CHARACTERS_MAX])
    collapsed = (
        trimmed(re.sub("[\x00- \u00a0\u1680]+", " ", line[:LINE_CHARACTERS_MAX])) for line in _LINE_END.split(plain(spaced))
    )
    lines: list[CodeLine] = []
    left = CANDIDATES_MAX
    for text in joined([line for line in collapsed if line]):
        line = CodeLine(text, left)
        left -= len(line.candidates)
        lines.append(line)
    return lines


def _codes_in(lines: list[CodeLine]) -> list[Code]:
    near: list[dict[Candidate, Near]] = []
    for line in lines:
        claimed: dict[Candidate, Near] = {}
        for index, mark in enumerate(line.marks):
            if is_label(mark):
                claims = line.claims(index)
                line.announces |= not claims
                for candidate, found in claims.items():
                    if candidate not in claimed or found.score > claimed[candidate].score:
                        claimed[candidate] = found
        near.append(claimed)
    has_label = any(line.has_label for line in lines)
    numbers = {c.value for line in lines for c in line.candidates if len(c.value) == 6 and c.is_number and not line.is_other(c)}
    codes = []
    for index, line in enumerate(lines):
        for candidate in line.candidates:
            if line.is_other(candidate):
                continue
            found = near[index].get(candidate)
            is_near = found is not None
            if not found and line.is_entered(candidate):
                found = Near(42, "a word to enter it next to it")
            if not found and has_label:
                found = _around(lines, index, candidate)
            if not found and not has_label and numbers == {candidate.value}:
                found = _unlabelled(lines, index, candidate)
            if found and not _is_offered(lines, index, candidate, is_near):
                alone, why = (10, "; alone on its line") if line.is_alone else (0, "")
                score = found.score + candidate.shape + alone
                codes.append(Code(candidate.value, score, f"{found.why}; {candidate.what}{why}"))
    return codes


def _is_offered(lines: list[CodeLine], index: int, candidate: Candidate, is_near: bool) -> bool:
    """Whether the lines say that a candidate is for a shop."""
    line = lines[index]
    if line.is_offered(candidate):
        return True
    if not is_near:
        line = next((other for other in reversed(lines[max(0, index - 3) : index]) if other.announces), line)
        if line is not lines[index] and offers(line.folded, not candidate.is_of_a_shop):
            return True
    if not candidate.is_of_a_shop or PURPOSE.has(line.folded):
        return False
    return any(OFFER.has(other.folded) for other in [lines[0], *lines[max(0, index - 1) : index + 2]])


def _unlabelled(lines: list[CodeLine], index: int, candidate: Candidate) -> Near | None:
    """For the only number of six digits in an e-mail without a label: whether its sentence or the line above says what it is for."""
    line = lines[index]
    if line.is_meant(candidate):
        return Near(30, "a purpose next to it")
    above = lines[index - 1] if index and line.is_alone else None
    if above and not above.marks and (above.has_call or TASK.has(above.folded)):
        return Near(30, "a purpose in the line before it")
    return None


def _around(lines: list[CodeLine], index: int, candidate: Candidate) -> Near | None:
    """For a candidate at the start of a line: the lines around it."""
    line = lines[index]
    above = lines[index - 1] if index and lines[index - 1].announces else None
    if not line.is_alone:
        is_first = not line.has_content(0, candidate.start) and not candidate.is_doubtful
        is_called = is_first and above is not None and above.text.endswith(":")
        return Near(35, "a label in the line before it") if is_called else None
    if candidate.is_doubtful:
        is_called = above is not None and (above.ends_with_label() or above.has_call)
        return Near(45, "a label in the line before it") if is_called else None
    distance = 0
    for other in reversed(lines[:index]):
        if distance == 4:
            break
        if other.is_alone and not other.has_label:
            continue
        distance += 1
        if distance == 1 and other.names_other():
            return None
        if other.announces:
            is_call = distance < 4 and other.text.endswith(":")
            return Near(45 if is_call else 50 - 5 * distance, "a label in a line before it")
    for further, other in enumerate(lines[index + 1 : index + 3], 1):
        if other.announces:
            return Near(35 - 5 * further, "a label in a line after it")
    return Near(10, "a label elsewhere")
