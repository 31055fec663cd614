"""The client and the plugin on a running service, which the environment names."""

import importlib.util
import os
import pathlib
import re

import pytest
from oneshot_client import AwaitTimeoutError, NotFoundError

pytestmark = pytest.mark.skipif("ONESHOT_BASE_URL" not in os.environ, reason="NOT TESTED: no ONESHOT_BASE_URL")
if "ONESHOT_BASE_URL" not in os.environ:
    print("########## NOT TESTED: the Python client on a service: no ONESHOT_BASE_URL ##########")


def send(client, to, text):
    client.create_address(send={"to": to, "subject": "Welcome", "text_body": text})


def test_a_code_arrives(oneshot, mailbox):
    send(oneshot, mailbox.address, "Your verification code is 482913.")
    assert mailbox.await_code(timeout=180) == "482913"
    assert mailbox.await_email().subject == "Welcome"
    assert b"Subject: Welcome" in oneshot.get_raw_email(mailbox.id)


def test_a_wait_ends(mailbox):
    with pytest.raises(AwaitTimeoutError, match="waiting"):
        mailbox.await_email(timeout=0)


def test_a_wait_for_none(oneshot, mailbox):
    mailbox.await_none(timeout=0.5)
    send(oneshot, mailbox.address, "Hello")
    mailbox.await_email(timeout=180)
    with pytest.raises(AssertionError, match="with the subject 'Welcome'"):
        mailbox.await_none(timeout=60)


def test_the_example_of_the_documentation_works(pytester):
    readme = pathlib.Path(os.environ.get("README", pathlib.Path(__file__).parents[2] / "README.md"))
    (example,) = re.findall(r"```python\n(.*?)```", readme.read_text("utf-8"), re.DOTALL)
    pytester.makepyfile(example)
    pytester.runpytest_subprocess("-p", "oneshot_client.pytest_plugin").assert_outcomes(passed=1)


def test_an_address_is_listed_and_deleted(oneshot):
    created = oneshot.create_address(label="python")
    assert created.id in [address.id for address in oneshot.list_addresses(label="python")]
    oneshot.delete_addresses_by_label("python")
    with pytest.raises(NotFoundError):
        oneshot.get_address(created)


def test_the_mail_is_printed_if_a_test_or_its_fixture_fails(pytester):
    pytester.makepyfile(
        """
        import pytest

        def receive(oneshot, mailbox, text):
            oneshot.create_address(send={"to": mailbox.address, "subject": "Hi", "text_body": text})
            mailbox.await_email(timeout=180)

        def test_fails(oneshot, mailbox):
            receive(oneshot, mailbox, "the text of the test")
            assert False

        @pytest.fixture
        def signed_up(oneshot, mailbox):
            receive(oneshot, mailbox, "the text of the fixture")
            assert False

        def test_begins(signed_up):
            pass
        """
    )
    output = pytester.runpytest_subprocess("-p", "oneshot_client.pytest_plugin").stdout
    output.fnmatch_lines_random(["*e-mail of the mailbox*", "the text of the test", "the text of the fixture"])


@pytest.mark.parametrize("keep", [True, False])
def test_the_mail_of_a_failed_test_is_kept_if_the_settings_say_so(oneshot, pytester, keep):
    pytester.makeini(f"[pytest]\noneshot_keep_on_failure = {keep}\n")
    file = pytester.makepyfile(
        """
        def test_fails(mailbox):
            assert False

        def test_passes(mailbox):
            pass
        """
    )
    result = pytester.runpytest_subprocess("-p", "oneshot_client.pytest_plugin")
    result.assert_outcomes(passed=1, failed=1)
    assert len(list(oneshot.list_addresses(label=f"{file.name}::test_fails"))) == keep
    assert not list(oneshot.list_addresses(label=f"{file.name}::test_passes"))
    oneshot.delete_addresses_by_label(f"{file.name}::test_fails")


def test_each_test_has_an_address_of_its_own(pytester):
    """In two processes where pytest-xdist is installed, otherwise in one."""
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("code", ["482910", "482911", "482912", "482913"])
        def test_receives(oneshot, mailbox, code):
            oneshot.create_address(send={"to": mailbox.address, "subject": "Hi", "text_body": f"Your code is {code}."})
            assert mailbox.await_code(timeout=180) == code
            assert code != "482913"
        """
    )
    processes = ["-n", "2"] if importlib.util.find_spec("xdist") else []
    result = pytester.runpytest_subprocess("-p", "oneshot_client.pytest_plugin", *processes)
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["*e-mail of the mailbox*", "Your code is 482913."])
