"""The client of the API."""

from __future__ import annotations

import json
import os
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse, IncompleteRead
from typing import Any

from ._email import Email
from ._errors import (
    AddressExpiredError,
    ApiError,
    AwaitTimeoutError,
    ConnectionFailedError,
    NotFoundError,
    OneshotError,
)
from ._pacing import PollPacing

_ATTEMPTS = 3
_WAITS_MAX = 60.0
"""The most seconds that a request waits in all, for the rate limit and between attempts."""
_JSON_BYTES_MAX = 64 * 1024 * 1024
_POLL_FIRST, _POLL_MAX = 0.25, 2.0
_ADDRESS = ("id", "address", "status")
_EMAIL = ("from", "to", "subject", "text_body", "html_body", "headers", "received_at", "size_bytes", "attachments")
_LAST_POLL = 2.0
"""A poll may take this many seconds even when the time is almost up."""


@dataclass(frozen=True)
class Address:
    """An address, with the members of the API as they are in ``content``."""

    id: str
    address: str
    status: str
    content: Mapping[str, Any]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would pass the API key on to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


class OneshotClient:
    """A client of an account. Methods have the names of the operations in the OpenAPI document.

    The base URL, which ends in ``/v1``, and the API key are by default those of the environment variables
    ``ONESHOT_BASE_URL`` and ``ONESHOT_API_KEY``. Threads may share it.
    """

    def __init__(
        self, base_url: str | None = None, api_key: str | None = None, *, request_timeout: float = 30.0
    ) -> None:
        base_url = base_url or os.environ.get("ONESHOT_BASE_URL")
        api_key = api_key or os.environ.get("ONESHOT_API_KEY")
        if not base_url or not api_key:
            name, variable = ("API key", "ONESHOT_API_KEY") if base_url else ("base URL", "ONESHOT_BASE_URL")
            raise ValueError(f"there is no {name}: give it to the client, or set {variable}")
        if not re.fullmatch(r"https?://[^\s?#]+", base_url):
            raise ValueError(f"the base URL must be as in https://mail.example.com/v1, not {base_url}")
        if not re.fullmatch("[!-~]+", api_key):
            raise ValueError("the API key has other characters than visible ASCII")
        self._base_url = base_url.rstrip("/")
        is_versioned = re.search("/v[0-9]+$", self._base_url)
        self._hint = "" if is_versioned else f"; the base URL {self._base_url} does not end in /v1"
        self._api_key = api_key
        self._request_timeout = request_timeout
        self._opener = urllib.request.build_opener(_NoRedirect)
        self._pacing = PollPacing()

    def create_address(
        self, *, ttl_seconds: int | None = None, label: str | None = None, send: Mapping[str, Any] | None = None
    ) -> Address:
        """Creates an address that receives one e-mail, or sends the one in ``send``."""
        body: dict[str, Any] = {"mode": "send", "send": dict(send)} if send else {}
        if ttl_seconds is not None:
            body["ttl_seconds"] = ttl_seconds
        if label is not None:
            body["label"] = label
        return _address(self._json("POST", "/addresses", body, key=str(uuid.uuid4()), needs=_ADDRESS))

    def get_address(self, address: str | Address) -> Address:
        return _address(self._json("GET", _path(address), needs=_ADDRESS))

    def list_addresses(
        self, *, status: str | None = None, mode: str | None = None, label: str | None = None
    ) -> Iterator[Address]:
        """The addresses of the account, newest first, read page by page."""
        query = {"limit": "100", "status": status, "mode": mode, "label": label}
        while True:
            given = {name: value for name, value in query.items() if value is not None}
            path = "/addresses?" + urllib.parse.urlencode(given)
            page = self._json("GET", path, needs=("items",))
            try:
                yield from map(_address, page["items"])
            except (KeyError, TypeError) as error:
                raise self._not_of_this_api(path) from error
            if page.get("next_cursor") in (None, query.get("cursor")):
                return
            query["cursor"] = page["next_cursor"]

    def delete_address(self, address: str | Address) -> None:
        self._send("DELETE", _path(address))

    def delete_addresses_by_label(self, label: str) -> None:
        """Deletes all addresses with this label. It is no error if there are none."""
        if not label:
            raise ValueError("label must not be empty; nothing is deleted")
        self._send("DELETE", "/addresses?" + urllib.parse.urlencode({"label": label}))

    def get_email(self, address: str | Address) -> Email:
        content = self._json("GET", _path(address) + "/email", needs=_EMAIL)
        return Email(*(content[name] for name in _EMAIL))

    def get_raw_email(self, address: str | Address) -> bytes:
        """The e-mail as it was received (RFC 5322)."""
        return self._send("GET", _path(address) + "/email/raw")

    def get_attachment(self, address: str | Address, index: int) -> bytes:
        """The decoded content of an attachment, by its position from 0."""
        if index < 0:
            raise ValueError(f"index must be at least 0, not {index}")
        return self._send("GET", f"{_path(address)}/email/attachments/{index}")

    def get_account(self) -> Mapping[str, Any]:
        return self._json("GET", "/account")

    def buy_credits(self, credits: int) -> Mapping[str, Any]:
        return self._json("POST", "/account/credits", {"credits": credits}, key=str(uuid.uuid4()))

    def replace_api_key(self) -> str:
        """Replaces the API key by a new one, which this client uses from then on. The request is never repeated."""
        self._api_key = str(self._json("POST", "/account/api-key", {}, waits_max=0, needs=("api_key",))["api_key"])
        return self._api_key

    def await_email(self, address: str | Address, timeout: float = 20.0) -> Email:
        """Waits for the e-mail of an address, at most ``timeout`` seconds; with 0 there is one poll.

        An outage of the service does not end the wait. If it lasts until the end, the error says so. All waits of a client
        together use at most four fifths of the account's rate.
        """
        end = time.monotonic() + timeout
        interval, polls = _POLL_FIRST, 0
        seen = "the address was never read"
        while True:
            _sleep_until(min(self._pacing.turn(), end))
            polls += 1
            pause = interval * random.uniform(0.8, 1.2)
            failure: OneshotError | None = None
            has_email = False
            try:
                left = max(end - time.monotonic(), _LAST_POLL)
                found = _address(self._json("GET", _path(address), waits_max=0, timeout=left, needs=_ADDRESS))
                if found.content.get("mode") == "send":
                    raise ValueError(f"{found.address} sends, and receives nothing")
                seen = f"{found.address} is {found.status}"
                has_email = found.content.get("email") is not None
                if has_email:
                    return self.get_email(address)
            except OneshotError as error:
                if not _may_pass(error):
                    raise
                failure = error
                if isinstance(error, ApiError):
                    pause = max(pause, error.retry_after or 0)
            left = end - time.monotonic()
            if left <= 0 and failure is not None and has_email:
                raise failure
            if left <= 0:
                last = f"; the last poll failed: {failure}" if failure else ""
                raise AwaitTimeoutError(f"no e-mail within {timeout:g} s ({polls} polls): {seen}{last}") from failure
            time.sleep(min(left, pause))
            interval = min(_POLL_MAX, interval * 2)

    def _json(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str | None = None,
        waits_max: float = _WAITS_MAX,
        timeout: float | None = None,
        needs: Sequence[str] = (),
    ) -> dict[str, Any]:
        """Sends a request; the response must be an object with these members."""
        content = self._send(
            method, path, body, key=key, waits_max=waits_max, timeout=timeout, bytes_max=_JSON_BYTES_MAX
        )
        if len(content) > _JSON_BYTES_MAX:
            raise OneshotError(f"the response of {self._base_url}{path} has more than {_JSON_BYTES_MAX} bytes")
        try:
            value = json.loads(content)
        except ValueError as error:
            raise self._not_of_this_api(path) from error
        if not isinstance(value, dict) or any(name not in value for name in needs):
            raise self._not_of_this_api(path)
        return value

    def _not_of_this_api(self, path: str) -> OneshotError:
        return OneshotError(f"the response of {self._base_url}{path} is not JSON of this API: is the base URL right?" + self._hint)

    def _send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str | None = None,
        waits_max: float = _WAITS_MAX,
        timeout: float | None = None,
        bytes_max: int | None = None,
    ) -> bytes:
        """Sends a request and reads the response, at most one byte beyond the bound. With ``waits_max=0`` there is one attempt."""
        headers = {"Authorization": f"Bearer {self._api_key}", "Accept": "*/*"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        failure: ApiError | ConnectionFailedError
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base_url + path, data, headers, method=method)
        request_timeout = min(self._request_timeout, timeout or self._request_timeout)
        failures, waited = 0, 0.0
        while True:
            wait = 0
            try:
                with self._opener.open(request, timeout=request_timeout) as response:
                    self._pacing.learn(response.headers)
                    return _content(response, bytes_max)
            except urllib.error.HTTPError as response:
                with response:
                    self._pacing.learn(response.headers)
                    failure = _api_error(response, self._hint)
                if response.code == 404 and method == "DELETE" and failures:
                    return b""  # An earlier attempt has deleted it, and its response was lost.
                wait = failure.retry_after or 0
                if response.code >= 500:
                    failures += 1
                elif response.code == 429 or (response.code == 409 and wait):
                    # 409 with Retry-After: the service still processes an earlier attempt.
                    wait = max(wait, 1)
                else:
                    raise failure from None
            except (OSError, HTTPException) as error:
                failure = ConnectionFailedError(f"{method} {self._base_url}{path}: {error}")
                failures += 1
            # With jitter, so that concurrent clients do not all come back at once.
            pause = wait + 0.25 * 2**failures * random.uniform(0.5, 1.0)
            waited += pause
            if failures == _ATTEMPTS or waited > waits_max:
                raise failure
            time.sleep(pause)


def _sleep_until(turn: float) -> None:
    time.sleep(max(0.0, turn - time.monotonic()))


def _content(response: HTTPResponse, bytes_max: int | None) -> bytes:
    if bytes_max is None:
        return response.read()
    content = response.read(bytes_max + 1)
    if response.length and len(content) <= bytes_max:
        raise IncompleteRead(content)
    return content


def _api_error(response: urllib.error.HTTPError, hint: str) -> ApiError:
    try:
        error = json.loads(response.read(65_536))["error"]
        code, message = str(error["code"]), str(error["message"])
    except (ValueError, KeyError, TypeError, OSError, HTTPException):
        code, message = "UNKNOWN", f"{response.url} responded without an error body of this API"
    kind = {404: NotFoundError, 410: AddressExpiredError}.get(response.code, ApiError)
    wait = response.headers.get("Retry-After", "")
    seconds = int(wait) if re.fullmatch("[0-9]{1,9}", wait) else None
    message += hint if response.code in (404, 405) else ""
    return kind(response.code, code, message, response.headers.get("X-Request-Id"), seconds)


def _may_pass(error: OneshotError) -> bool:
    """Whether the same request may succeed later, as after an outage."""
    return isinstance(error, ConnectionFailedError) or (
        isinstance(error, ApiError) and (error.status >= 500 or error.status == 429)
    )


def _address(content: Mapping[str, Any]) -> Address:
    return Address(content["id"], content["address"], content["status"], content)


def _path(address: str | Address) -> str:
    name = address.id if isinstance(address, Address) else address.partition("@")[0]
    if not re.fullmatch("[0-9A-Za-z]{1,64}", name):
        raise ValueError(f"not the id of an address: {name!r}")
    return "/addresses/" + name
