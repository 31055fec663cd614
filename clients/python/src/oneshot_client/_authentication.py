"""The service's results about the sender of an e-mail: its field Authentication-Results (RFC 8601)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class AuthenticationResult:
    """One result."""

    method: str
    """``spf``, ``dkim`` or ``dmarc``."""
    result: str
    """Such as ``pass``, ``fail`` or ``none``."""
    reason: str = ""
    """Why it is no pass; may be empty."""
    properties: Mapping[str, str] = field(default_factory=dict)
    """The checked properties, such as ``header.d``."""


@dataclass(frozen=True)
class Authentication:
    """What the service found about the sender of an e-mail."""

    results: Sequence[AuthenticationResult]
    """In the order of the field."""

    @property
    def spf(self) -> str:
        """SPF of the sender in MAIL, or of the name in EHLO if there was none."""
        return self._first("spf")

    @property
    def dkim(self) -> str:
        """DKIM: ``pass`` if any signature passes, else the first result."""
        passes = any(each.method == "dkim" and each.result == "pass" for each in self.results)
        return "pass" if passes else self._first("dkim")

    @property
    def dmarc(self) -> str:
        """DMARC of the domain in From."""
        return self._first("dmarc")

    def _first(self, method: str) -> str:
        return next((each.result for each in self.results if each.method == method), "none")


def authentication_of(fields: str, authserv_id: str) -> Authentication | None:
    """The field of a service. It removes fields that came with its name, so the one with its name is its own."""
    for value in fields.split("\n"):
        name, *parts = _split(value, ";")
        if name.strip().lower() == authserv_id.lower():
            return Authentication(tuple(found for found in map(_result, parts) if found))
    return None


def _result(part: str) -> AuthenticationResult | None:
    first: tuple[str, str] | None = None
    reason = ""
    properties: dict[str, str] = {}
    for word in _split(part, " \t"):
        name, equals, value = word.partition("=")
        name = name.lower()
        if not equals or not name:
            continue
        if first is None:
            first = name, value.lower()
        elif name == "reason":
            reason = value
        else:
            properties.setdefault(name, value)
    return AuthenticationResult(*first, reason, properties) if first else None


def _split(text: str, separators: str) -> list[str]:
    """Splits at characters outside quotes, and removes the quotes if they are blanks."""
    words = " " in separators
    parts: list[list[str]] = [[]]
    quoted = False
    for c in text:
        if c == '"':
            quoted = not quoted
        if not quoted and c in separators:
            parts.append([])
        elif c != '"' or not words:
            parts[-1].append(c)
    return ["".join(part) for part in parts]
