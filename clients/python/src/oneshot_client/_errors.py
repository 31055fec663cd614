"""What a call fails with."""

from __future__ import annotations


class OneshotError(Exception):
    """A call that failed. Raised itself if the response is not of this API."""


class ConnectionFailedError(OneshotError):
    """No whole response at any of the attempts."""


class AwaitTimeoutError(OneshotError):
    """No e-mail arrived in time."""


class ApiError(OneshotError):
    """An error response of the service."""

    def __init__(self, status: int, code: str, message: str, request_id: str | None) -> None:
        super().__init__(f"{code} ({status}): {message}" + (f" [request {request_id}]" if request_id else ""))
        self.status = status
        self.code = code
        self.request_id = request_id


class NotFoundError(ApiError):
    """There is no such address, e-mail or attachment (404), or not yet."""


class AddressExpiredError(ApiError):
    """The time of the address is up (410)."""
