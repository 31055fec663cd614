"""A received e-mail, and what a test looks for in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._codes import Code, codes_of
from ._html import HtmlText
from ._links import Link, links_of, verification_link_of


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
        return codes_of(self.subject, self.text_body, self.html_body)

    def code(self) -> Code | None:
        """The best of the codes; a LookupError if another one is as likely."""
        codes = self.codes()
        best = [code.value for code in codes if code.score == codes[0].score]
        if len(best) > 1:
            raise LookupError("the e-mail has codes that are equally likely: " + ", ".join(best[:5]))
        return codes[0] if codes else None

    def links(self) -> list[Link]:
        """The web links, each URL once, without hidden ones."""
        return links_of(self.text_body, self.html_body)

    def verification_link(self) -> Link | None:
        """The link that confirms an address, signs in or resets a password."""
        return verification_link_of(self.text_body, self.html_body)
