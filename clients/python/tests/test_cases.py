"""The mails in clients/cases, which the tests of the other languages read as well."""

import json
import os
import pathlib

import pytest
from oneshot_client import Email

CASES = pathlib.Path(os.environ.get("CASES", pathlib.Path(__file__).parents[2] / "cases"))
WORDS = pathlib.Path(__file__).parents[1] / "src/oneshot_client/words.txt"


def cases(file):
    return [pytest.param(case, id=case["name"]) for case in json.loads((CASES / file).read_text("utf-8"))]


def email(case):
    headers = {"CONTENT-TYPE": case["content_type"]} if "content_type" in case else {}
    return Email(
        subject=case.get("subject", ""),
        text_body=case.get("text", ""),
        html_body=case.get("html", ""),
        headers=headers,
    )


@pytest.mark.parametrize("case", cases("codes.json"))
def test_codes_are_found_best_first(case):
    assert [code.value for code in email(case).codes()] == case["codes"]


@pytest.mark.parametrize("case", cases("links.json"))
def test_links_are_found(case):
    assert [{"text": link.text, "href": link.href} for link in email(case).links()] == case["links"]
    link = email(case).verification_link()
    assert (link and link.href) == case["verification_link"]


@pytest.mark.parametrize("case", cases("authentication.json"))
def test_results_about_the_sender_are_read(case):
    found = Email(to=case["to"], headers={"authentication-Results": case["fields"]})
    results = found.authentication()
    if case["spf"] is None:
        assert results is None
    else:
        assert [results.spf, results.dkim, results.dmarc] == [case["spf"], case["dkim"], case["dmarc"]]
        assert [vars(result) for result in results.results] == case["results"]
    assert found.authentication("unknown.example") is None


@pytest.mark.parametrize("unit", json.loads((CASES / "repetitions.json").read_text("utf-8")), ids=ascii)
def test_a_hostile_mail_is_read(unit):
    body = "code: 482913\n" + unit * (200_000 // len(unit))
    mail = email({"text": body, "html": body, "content_type": "text/plain; format=flowed; delsp=yes"})
    assert len(mail.codes()) <= 500
    assert mail.verification_link() is None


def test_of_two_codes_that_are_equally_likely_none_is_guessed():
    mail = Email(text_body="Login code: 482913\nPayment code: 775120")
    assert [code.value for code in mail.codes()] == ["482913", "775120"]
    with pytest.raises(LookupError, match="equally likely: 482913, 775120"):
        mail.code()


def test_the_words_are_those_of_the_cases():
    assert WORDS.read_bytes() == (CASES / "words.txt").read_bytes(), "copy clients/cases/words.txt"
