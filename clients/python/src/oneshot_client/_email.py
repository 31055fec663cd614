"""A received e-mail, and what a test looks for in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._authentication import Authentication, authentication_of
from ._codes import Code, codes_of
from ._html import HtmlText
from ._links import CHARACTERS_MAX, Link, links_of, verification_link_of

_PLAIN_TEXT = re.compile("[ \t]*text/plain[ \t]*;", re.IGNORECASE | re.ASCII)
_FLOWED = re.compile(r';[ \t]*format[ \t]*=[ \t]*"?flowed"?[ \t]*(?:;|\Z)', re.IGNORECASE | re.ASCII)
_DELSP = re.compile(r';[ \t]*delsp[ \t]*=[ \t]*"?yes"?[ \t]*(?:;|\Z)', re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Email:
    """A received e-mail. Its content comes from a stranger: do not trust it."""

    sender: str = ""
    """The address of the first mailbox in the field From (``from`` in the API)."""
    to: str = ""
    subject: str = ""
    text_body: str = ""
    html_body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    received_at: str = ""
    size_bytes: int = 0
    attachments: Sequence[Mapping[str, Any]] = ()

    @property
    def text(self) -> str:
        """The plain text, or if there is none the visible text of the HTML body."""
        return self.text_body if self.text_body.strip() else HtmlText(self.html_body).text

    def codes(self) -> list[Code]:
        """The one-time codes in subject and bodies, best first."""
        return codes_of(self.subject, self._joined_text(), self.html_body)

    def code(self) -> Code | None:
        """The best of the codes; a LookupError if another one is as likely."""
        codes = self.codes()
        best = [code.value for code in codes if code.score == codes[0].score]
        if len(best) > 1:
            raise LookupError("the e-mail has codes that are equally likely: " + ", ".join(best[:5]))
        return codes[0] if codes else None

    def links(self) -> list[Link]:
        """The web links, each URL once, without hidden ones."""
        return links_of(self._joined_text(), self.html_body)

    def verification_link(self) -> Link | None:
        """The link that confirms an address, signs in or resets a password."""
        return verification_link_of(self._joined_text(), self.html_body)

    def authentication(self, authserv_id: str | None = None) -> Authentication | None:
        """The service's results about the sender, if it checks senders; other fields of the name are not trusted.

        The service's name is the domain of ``to``, unless it has another.
        """
        return authentication_of(self._header("authentication-results"), authserv_id or self.to.rpartition("@")[2])

    def _header(self, lower_case: str) -> str:
        return next((value for name, value in self.headers.items() if name.lower() == lower_case), "")

    def _joined_text(self) -> str:
        """The plain text; if it has soft line breaks (RFC 3676), which may be in a link or a code, its paragraphs are lines."""
        kind = re.split("\r?\n", self._header("content-type"), maxsplit=1)[0]
        if not _PLAIN_TEXT.match(kind) or not _FLOWED.search(kind):
            return self.text_body
        deletes_blank = _DELSP.search(kind)
        pieces: list[str] = []
        open_depth = -1
        for line in re.split("\r?\n", self.text_body[:CHARACTERS_MAX]):
            quoted = line.lstrip(">")
            depth = len(line) - len(quoted)
            content = quoted[1:] if quoted.startswith(" ") else quoted
            is_signature = content == "-- "
            if depth == open_depth and content and not is_signature:
                if deletes_blank:
                    pieces.append(pieces.pop()[:-1])
                pieces.append(content)
            else:
                pieces += ["\n" if pieces else "", line if depth else content]
            open_depth = depth if content.endswith(" ") and not is_signature else -1
        return "".join(pieces)
