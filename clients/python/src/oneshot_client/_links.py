"""Finds the links of an e-mail. clients/README.md describes how, for all languages of the clients."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from ._html import Anchor, HtmlText
from ._words import Words, folded, is_without_blanks, is_word_character, trimmed

CHARACTERS_MAX = 200_000
_CONTEXT_MAX = 200
_URL_MAX = 8000
_SCORE_MIN = 20
_WEB = re.compile("https?://[^/]", re.IGNORECASE | re.ASCII)
_URL_START = re.compile("https?://", re.IGNORECASE | re.ASCII)
_BRACKET = re.compile("<(?:URL:)?\\Z", re.IGNORECASE | re.ASCII)
_ASCII = re.compile(r"[!#-;=?-Z_a-z~|\[\]]")
_GOES_ON = re.compile(r"(?:[/?#=&%-]|\.[^ \r\n.])", re.DOTALL)
_LINE_OR_SENTENCE_END = re.compile(r"[\n\r]|[.!?。؟।](?: |\Z)")
_TOKEN = re.compile("[A-Za-z0-9_-]{16,}")
_TARGET = re.compile("=[^&#;]*(?:%2[fF]|/|:)[^&#;]*")
_DENYING = re.compile(
    "[?&;](?:action|do|op|cmd|mode|answer|choice|decision|response)=([a-z_-]{2,20})(?![a-z0-9%_-])"
)
_REFUSING = re.compile("[?&;](?:confirm|confirmed|verify|approve|accept|valid)=(?:no|false|0|n)(?![a-z0-9])")
_CONFIRM = Words("confirm")
_SIGN_IN = Words("signin")
_DENY = Words("deny")
_NEGATION = Words("negation")
_DENY_OR_NEGATION = Words("deny", "negation")
_IGNORE = Words("ignore")
_ASIDE = Words("aside")


@dataclass(frozen=True)
class Link:
    """A link of an e-mail."""

    text: str
    """What the link shows: the text, an image's description, or the URL itself."""
    href: str
    """The URL, as the e-mail has it, without line ends; it may be malformed."""


@dataclass
class _Place:
    text: str
    href: str
    previous: str
    """The sentence in front of ``before``."""
    before: str
    after: str


def links_of(text_body: str, html_body: str) -> list[Link]:
    return [Link(place.text, place.href) for place in _places(text_body, html_body)]


def verification_link_of(text_body: str, html_body: str) -> Link | None:
    best: _Place | None = None
    best_score = _SCORE_MIN - 1
    with_token = []
    for place in _places(text_body, html_body):
        score = _score(place)
        if score > best_score:
            best, best_score = place, score
        if score >= 0 and _TOKEN.search(_path(place.href)):
            with_token.append(place)
    if best is None and len(with_token) == 1:
        best = with_token[0]
    return Link(best.text, best.href) if best else None


def _places(text_body: str, html_body: str) -> list[_Place]:
    html = HtmlText(html_body[:CHARACTERS_MAX])
    places: dict[str, _Place] = {}
    for index, anchor in enumerate(html.anchors):
        href = re.sub("[\t\r\n]", "", trimmed(anchor.href))
        if href in places:
            places[href].text = places[href].text or anchor.text
        elif _WEB.match(href):
            places[href] = _place(anchor.text, href, html.text, html.anchors, index)
    for text in (html.text_outside_links, text_body[:CHARACTERS_MAX]):
        urls = _urls(text)
        for index, url in enumerate(urls):
            if url.href not in places:
                places[url.href] = _place(url.href, url.href, text, urls, index)
    return list(places.values())


def _urls(text: str) -> list[Anchor]:
    urls = []
    at = 0
    for scheme in _URL_START.finditer(text):
        start = scheme.start()
        if start < at:
            continue
        bracket = _bracket(text, start)
        end = bracket if bracket >= 0 else _end_of_url(text, start, scheme.end())
        if end > scheme.end():
            href = text[start:end]
            if bracket >= 0:
                href = trimmed(re.sub("[ \t]*[\r\n]+[ \t]*", "", href))
            urls.append(Anchor("", href, start, end))
            at = end
    return urls


def _bracket(text: str, start: int) -> int:
    """The end of a URL in angle brackets (RFC 3986, appendix C); -1 if it is not in brackets."""
    if not _BRACKET.search(text[max(0, start - 5) : start]):
        return -1
    end = re.compile('[<>"]').search(text, start, start + _URL_MAX)
    is_closed = end and end.group() == ">" and not re.search("\n[ \t\r]*\n", text[start : end.start()])
    return end.start() if end and is_closed else -1


def _end_of_url(text: str, start: int, begin: int) -> int:
    opened: list[str] = []
    end = begin
    limit = min(len(text), start + _URL_MAX)
    while end < limit:
        c = text[end]
        following = end + 1
        if c in "([":
            opened.append(c)
        elif c in ")]":
            if not opened or opened.pop() != ("(" if c == ")" else "["):
                break
        elif c > "\x7f":
            following = _end_of_letters(text, end)
        elif not _ASCII.match(c):
            break
        if following == end:
            break
        end = following
    while end > begin:
        c = text[end - 1]
        if not _is_open(text, start, c) if c in "*_'~" else c not in ".,;:!?([|":
            break
        end -= 1
    return end


def _end_of_letters(text: str, start: int) -> int:
    end = start
    is_without = False
    while end < len(text) and text[end] > "\x7f" and unicodedata.category(text[end])[0] in "LMN":
        is_without |= is_without_blanks(text[end])
        end += 1
    return start if is_without and not _GOES_ON.match(text[end : end + 2]) else end


def _is_open(text: str, start: int, mark: str) -> bool:
    begin = max(text.rfind("\n", 0, start) + 1, start - _CONTEXT_MAX)
    is_open = False
    for i in range(begin, start):
        if text[i] == mark:
            follows = i > begin and (is_word_character(text, i - 1) or text[i - 1] in "0123456789.,:;!?)")
            is_open = not follows
    return is_open


def _place(shown: str, href: str, text: str, links: Sequence[Anchor], index: int) -> _Place:
    start, end = links[index].start, links[index].end
    previous = links[index - 1].end if index else 0
    following = links[index + 1].start if index + 1 < len(links) else len(text)
    begin = min(start, max(previous, start - _CONTEXT_MAX))
    limit = max(end, min(following, end + _CONTEXT_MAX))
    sentences = filter(_has_word, _LINE_OR_SENTENCE_END.split(text[begin:start]))
    previous, before = ["", "", *sentences][-2:]
    return _Place(shown, href, previous, before, _LINE_OR_SENTENCE_END.split(text[end:limit])[0])


def _has_word(sentence: str) -> bool:
    return any(is_word_character(sentence, i) for i in range(len(sentence)))


def _score(place: _Place) -> int:
    """How well a link fits; -1 if it is none that confirms."""
    is_shown = place.text != place.href and not _URL_START.match(place.text)
    shown = folded(place.text) if is_shown else ""
    confirms = _CONFIRM.has(shown)
    if _DENY.has(shown) or _NEGATION.has(shown) or (not confirms and _ASIDE.has(shown)):
        return -1
    path = _path(place.href)
    has_token = _TOKEN.search(path) is not None
    query = path.find("?") if "?" in path else len(path)
    route = folded(re.sub("[_.]", " ", path[:query]))
    own_path = folded((route + " " + _TARGET.sub("=", path)[query:]).replace("_", " "))
    path_confirms = _CONFIRM.has(own_path)
    before, after = folded(place.before), folded(place.after)
    if not confirms:
        if _denies(route, folded(path)) or (_ASIDE.has(route) and not (path_confirms and has_token)):
            return -1
        if _denies_before(folded(place.previous), before, path_confirms) or (_DENY.has(after) and not path_confirms):
            return -1
    own = 40 if confirms else 20 if _SIGN_IN.has(shown) else 0
    context = 0
    if not confirms:
        context = 12 if _CONFIRM.has(before) or _CONFIRM.has(after) else 5 if _SIGN_IN.has(before) else 0
    of_path = 25 if path_confirms else 10 if _SIGN_IN.has(own_path) else 0
    return own + context + of_path + (15 if has_token else 0)


def _denies_before(previous: str, before: str, path_confirms: bool) -> bool:
    """Whether the sentence before the link denies. The one before that counts too, as in "Not you? Click here:", unless it asks to
    ignore the e-mail, or the next one confirms.
    """
    goes_on = _DENY.has(previous) and not _IGNORE.has(previous) and not _CONFIRM.has(before)
    sentence = f"{previous} {before}" if goes_on else before
    is_of_two_minds = path_confirms and (_CONFIRM.has(sentence) or _IGNORE.has(sentence))
    return _DENY.has(sentence) and not is_of_two_minds


def _denies(route: str, path: str) -> bool:
    if _DENY.has(route) or _REFUSING.search(path):
        return True
    return any(_DENY_OR_NEGATION.has(value.replace("_", " ")) for value in _DENYING.findall(path))


def _path(href: str) -> str:
    return re.sub("^[^:]+://[^/?#]*", "", href, count=1)
