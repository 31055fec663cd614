"""The fixture ``mailbox``: a fresh address for each test, deleted after it; its mail is printed if the test fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from . import Address, AddressExpiredError, AwaitTimeoutError, Email, NotFoundError, OneshotClient, OneshotError

_TTL_SECONDS = 600
_SHOWN_MAX = 4000
_KEEP = "oneshot_keep_on_failure"
_MAILBOX = pytest.StashKey["Mailbox"]()
_FAILED = pytest.StashKey[bool]()


class Mailbox:
    """The address of a test, and waiting for its e-mail."""

    def __init__(self, client: OneshotClient, created: Address) -> None:
        self.client = client
        self.id = created.id
        self.address = created.address

    def await_email(self, timeout: float = 20.0) -> Email:
        return self.client.await_email(self.id, timeout)

    def await_none(self, timeout: float) -> None:
        """Waits for this time; an AssertionError if there is an e-mail."""
        try:
            email = self.await_email(timeout)
        except AwaitTimeoutError as error:
            if error.__cause__ is not None:
                raise  # It is unknown whether there is one.
            return
        raise AssertionError(f"there is an e-mail from {email.sender!r} with the subject {email.subject!r}")

    def await_code(self, timeout: float = 20.0) -> str:
        """The one-time code; a LookupError if there is none, or two are equally likely."""
        email = self.await_email(timeout)
        code = email.code()
        if code is None:
            raise LookupError(f"there is no code in the e-mail with the subject {email.subject!r}")
        return code.value

    def await_verification_link(self, timeout: float = 20.0) -> str:
        """The URL of the verification link; a LookupError if there is none."""
        email = self.await_email(timeout)
        link = email.verification_link()
        if link is None:
            raise LookupError(f"there is no verification link in the e-mail with the subject {email.subject!r}")
        return link.href

    def describe(self) -> str:
        """What arrived, for the report of a failed test."""
        try:
            email = self.client.get_email(self.id)
        except NotFoundError:
            return f"{self.address} has no e-mail"
        except OneshotError as error:
            return f"{self.address} cannot be read: {error}"
        text = f"From: {email.sender}\nTo: {email.to}\nSubject: {email.subject}\n\n{email.text}"
        return "".join(c if c == "\n" or c.isprintable() else " " for c in text)[:_SHOWN_MAX]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(_KEEP, "Keeps the address of a failed test, with its mail, until it expires.", type="bool", default=False)


@pytest.fixture(scope="session")
def oneshot() -> OneshotClient:
    """The client, with ``ONESHOT_BASE_URL`` and ``ONESHOT_API_KEY``. Override it for other settings."""
    return OneshotClient()


@pytest.fixture
def mailbox(oneshot: OneshotClient, request: pytest.FixtureRequest) -> Iterator[Mailbox]:
    """A fresh address for this test, labelled with its name."""
    label = "".join(c if c.isprintable() else " " for c in request.node.nodeid)[-255:]
    box = Mailbox(oneshot, oneshot.create_address(ttl_seconds=_TTL_SECONDS, label=label))
    request.node.stash[_MAILBOX] = box
    yield box
    if request.config.getini(_KEEP) and _FAILED in request.node.stash:
        return
    try:
        oneshot.delete_address(box.id)
    except (NotFoundError, AddressExpiredError):
        pass  # The test deleted it, or its time is up.


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[Any]:
    outcome: Any = yield
    report = outcome.get_result()
    box = item.stash.get(_MAILBOX, None)
    # After the teardown, the address is deleted.
    if report.when != "teardown" and report.failed and box is not None:
        item.stash[_FAILED] = True
        report.sections.append(("e-mail of the mailbox", box.describe()))
