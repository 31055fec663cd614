"""The rate of polls."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Mapping

_SHARE = 0.8


class PollPacing:
    """Spreads the polls of all waits of a client, so that together they use at most four fifths of the account's rate.

    The service states the rate in each response (draft-ietf-httpapi-ratelimit-headers).
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seconds_between = 0.0
        self._next = 0.0

    def learn(self, headers: Mapping[str, str]) -> None:
        """Reads the rate from the header fields of a response, if they have it."""
        policy = re.search(r";\s*q=([0-9]{1,9})\s*;\s*w=([0-9]{1,9})", headers.get("RateLimit-Policy") or "")
        if policy:
            requests, seconds = (max(1, int(number)) for number in policy.groups())
            with self._lock:
                self._seconds_between = seconds / (requests * _SHARE)

    def turn(self) -> float:
        """Takes the next turn, and returns its time by ``time.monotonic()``: now or later."""
        with self._lock:
            turn = max(self._next, time.monotonic())
            self._next = turn + self._seconds_between
            return turn
