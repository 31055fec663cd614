"""What a call fails with."""

from __future__ import annotations


class OneshotError(Exception):
    """A call that failed. Raised itself if the response is not of this API."""


class ConnectionFailedError(OneshotError):
    """No whole response at any of the attempts."""


class AwaitTimeoutError(OneshotError):
    """No e-mail arrived in time. ``__cause__`` is the failure of the last poll, if it failed."""


class ApiError(OneshotError):
    """An error response of the service."""

    def __init__(
        self, status: int, code: str, message: str, request_id: str | None, retry_after: int | None = None
    ) -> None:
        super().__init__(f"{code} ({status}): {message}" + (f" [request {request_id}]" if request_id else ""))
        self.status = status
        self.code = code
        self.request_id = request_id
        self.retry_after = retry_after
        """Whole seconds to wait before the next attempt (``Retry-After``)."""


class NotFoundError(ApiError):
    """There is no such address, e-mail or attachment (404), or not yet."""


class AddressExpiredError(ApiError):
    """The time of the address is up (410)."""
