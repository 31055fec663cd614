"""Client of oneshot: e-mail addresses that receive exactly one e-mail, or send exactly one."""

from ._authentication import Authentication, AuthenticationResult
from ._client import Address, OneshotClient
from ._codes import Code
from ._email import Email
from ._errors import (
    AddressExpiredError,
    ApiError,
    AwaitTimeoutError,
    ConnectionFailedError,
    NotFoundError,
    OneshotError,
)
from ._links import Link

__all__ = [
    "Address",
    "AddressExpiredError",
    "ApiError",
    "Authentication",
    "AuthenticationResult",
    "AwaitTimeoutError",
    "Code",
    "ConnectionFailedError",
    "Email",
    "Link",
    "NotFoundError",
    "OneshotClient",
    "OneshotError",
]
