"""The client on a server that gives scripted responses."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from oneshot_client import (
    AddressExpiredError,
    ApiError,
    AwaitTimeoutError,
    ConnectionFailedError,
    NotFoundError,
    OneshotClient,
    OneshotError,
    _client,
)
from oneshot_client._pacing import PollPacing

WAITING = {"id": "abc", "address": "abc@in.example", "mode": "receive", "status": "waiting", "email": None}
RECEIVED = {**WAITING, "status": "received", "email": {"subject": "Your code"}}
EMAIL = {
    "from": "ada@example.org",
    "to": "abc@in.example",
    "subject": "Your code",
    "text_body": "Your code is 482913.",
    "html_body": "",
    "headers": {},
    "received_at": "2026-01-31T12:00:05Z",
    "size_bytes": 99,
    "attachments": [],
}
BREAK = (None, "")
AWAY = (502, "<html>Bad Gateway</html>")


@pytest.fixture
def serve():
    """Gives the responses in turn, the last one for ever."""
    servers = []

    def start(*responses, path="/v1"):
        script = list(responses)

        class Handler(BaseHTTPRequestHandler):
            def do_DELETE(self):
                self.do_GET()

            def do_GET(self):
                status, body, *headers = script.pop(0) if len(script) > 1 else script[0]
                if status is None:
                    self.close_connection = True
                    return
                content = (body if isinstance(body, str) else json.dumps(body)).encode()
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return OneshotClient(f"http://127.0.0.1:{server.server_port}{path}", "key")

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("failure", [BREAK, AWAY], ids=str)
def test_an_outage_does_not_end_a_wait(serve, failure):
    responses = [(200, WAITING), *[failure] * 4, (200, RECEIVED), *[failure] * 3, (200, RECEIVED), (200, EMAIL)]
    assert serve(*responses).await_email("abc", 60).code().value == "482913"


def test_the_rate_limit_does_not_end_a_wait(serve):
    limited = (429, {}, ("Retry-After", "0"))
    responses = [(200, WAITING), *[limited] * 2, (200, RECEIVED), *[limited] * 4, (200, EMAIL)]
    assert serve(*responses).await_email("abc", 60).code().value == "482913"


def test_consecutive_waits_keep_to_the_rate_of_the_account(serve, monkeypatch):
    policy = ("RateLimit-Policy", '"account";q=1;w=100')
    client = serve((200, RECEIVED, policy), *[(200, EMAIL), (200, RECEIVED)] * 3, (200, EMAIL))
    slept = []
    monkeypatch.setattr(_client.time, "sleep", slept.append)
    for _ in range(4):
        client.await_email("abc", 3600)
    # The rate is known from the first response on. Then turns are 125 s apart, and the test takes less than 25 s.
    assert slept[:2] == [0, 0] and 100 < slept[2] <= 125 and 225 < slept[3] <= 250


def test_all_waits_together_use_four_fifths_of_the_rate():
    pacing = PollPacing()
    pacing.learn({"RateLimit-Policy": '"account";q=1000;w=2'})
    first = pacing.turn()
    for _ in range(999):
        pacing.turn()
    # A thousand of them fill 2.5 s at 400 a second.
    assert pacing.turn() - first >= 2.4999


def test_a_service_that_stays_away_is_a_time_out_that_says_so(serve):
    with pytest.raises(AwaitTimeoutError, match="never read; the last poll failed: GET http://") as error:
        serve(BREAK).await_email("abc", 1)
    assert isinstance(error.value.__cause__, ConnectionFailedError)


def test_an_email_that_cannot_be_read_is_no_time_out(serve):
    with pytest.raises(ApiError):
        serve((200, RECEIVED), (500, "")).await_email("abc", 0)


def test_an_expired_address_ends_a_wait(serve):
    gone = (410, {"error": {"code": "EXPIRED", "message": "the address has expired"}})
    with pytest.raises(AddressExpiredError, match="EXPIRED"):
        serve((200, WAITING), gone).await_email("abc", 60)


def test_a_page_of_another_server_names_the_url(serve):
    for body in ("<html>", [], {"message": "hello"}):
        with pytest.raises(OneshotError, match="http://127.0.0.1.*/v1/addresses/abc is not JSON of this API"):
            serve((200, body)).await_email("abc", 60)
    with pytest.raises(OneshotError, match="/v1/addresses/abc/email is not JSON of this API"):
        serve((200, WAITING)).get_email("abc")
    with pytest.raises(OneshotError, match="/v1/addresses.* is not JSON of this API"):
        list(serve((200, {"items": [{}]})).list_addresses())


def test_a_rate_limit_longer_than_a_minute_is_an_error(serve):
    limited = (429, {"error": {"code": "RATE_LIMITED", "message": "slow"}}, ("Retry-After", "61"))
    with pytest.raises(ApiError) as error:
        serve(limited).get_account()
    assert error.value.retry_after == 61


def test_requests_wait_for_the_rate_limit_at_most_a_minute_in_all(serve, monkeypatch):
    slept = []
    monkeypatch.setattr(_client.time, "sleep", slept.append)
    limited = (429, {"error": {"code": "RATE_LIMITED", "message": "slow"}}, ("Retry-After", "10"))
    assert serve(*[limited] * 5, (200, {"plan": "scale"})).get_account() == {"plan": "scale"}
    assert len(slept) == 5
    with pytest.raises(ApiError, match="RATE_LIMITED"):
        serve(limited).get_account()
    assert len(slept) == 10 and sum(slept[5:]) <= 60


def test_a_request_that_is_still_processed_is_repeated(serve):
    conflict = (409, {"error": {"code": "CONFLICT", "message": "still processed"}})
    assert serve((*conflict, ("Retry-After", "1")), (200, {"plan": "scale"})).get_account() == {"plan": "scale"}
    with pytest.raises(ApiError, match="CONFLICT"):
        serve(conflict, (200, {"plan": "scale"})).get_account()


@pytest.mark.parametrize(
    "response",
    [(404, {"error": {"code": "NOT_FOUND", "message": "no"}}), (405, ""), (200, "it works")],
    ids=str,
)
def test_a_base_url_without_its_version_is_named(serve, response):
    with pytest.raises(OneshotError, match="; the base URL http://127.0.0.1:[0-9]+ does not end in /v1"):
        serve(response, path="").get_account()
    with pytest.raises(OneshotError) as error:
        serve(response).get_account()
    assert "does not end in" not in str(error.value)


def test_a_delete_whose_response_was_lost_succeeds(serve):
    missing = (404, {"error": {"code": "NOT_FOUND", "message": "no"}})
    serve(BREAK, missing).delete_address("abc")
    with pytest.raises(NotFoundError):
        serve((429, "", ("Retry-After", "1")), missing).delete_address("abc")
    with pytest.raises(NotFoundError):
        serve(missing).delete_address("abc")


def test_a_deletion_needs_a_label(serve):
    with pytest.raises(ValueError, match="nothing is deleted"):
        serve((200, {})).delete_addresses_by_label("")


def test_no_more_of_a_response_is_read_than_the_bound(serve, monkeypatch):
    monkeypatch.setattr(_client, "_JSON_BYTES_MAX", 20)
    assert serve((200, '{"plan":"scale"}    ')).get_account() == {"plan": "scale"}
    with pytest.raises(OneshotError, match="/v1/account has more than 20 bytes"):
        serve((200, '{"plan":"scale"}     ')).get_account()


def test_a_response_that_is_cut_is_a_broken_connection(serve):
    cut = (200, {"plan": "scale"}, ("Content-Length", "1000"))
    assert serve(cut, (200, {"plan": "free"})).get_account() == {"plan": "free"}
    with pytest.raises(ConnectionFailedError, match="IncompleteRead"):
        serve(cut).get_account()
