from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai_export.core.round_trip import round_trip
from whileai_export.core.secrets import secrets, secrets_in
from whileai_export.shared.schema import BadArguments
from whileai_export_tests.core.turns import assistant, call, user

RANDOM = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6kL9nP2rS5"
JWT = f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{RANDOM}"

SECRETS = [
    (f"sk-{RANDOM}", "an API key (sk-)"),
    (f"sk-proj-{RANDOM}", "an API key (sk-)"),
    (f"sk-ant-api03-{RANDOM[:19]}-{RANDOM}", "an API key (sk-)"),
    (f"sk_live_{RANDOM[:24]}", "a Stripe key"),
    (f"ghp_{RANDOM[:36]}", "a GitHub token"),
    (f"github_pat_{RANDOM}", "a GitHub token"),
    (f"glpat-{RANDOM[:20]}", "a GitLab token"),
    ("AKIAIOSFODNN7EXAMPLE", "an AWS access key"),
    (f"xoxb-123456789012-{RANDOM[:24]}", "a Slack token"),
    (f"AIza{RANDOM[:35]}", "a Google API key"),
    (f"ya29.{RANDOM}", "a Google access token"),
    (f"hf_{RANDOM[:34]}", "a Hugging Face token"),
    (f"npm_{RANDOM[:36]}", "an npm token"),
    (f"pypi-{RANDOM}{RANDOM}", "a PyPI token"),
    (f"SG.{RANDOM[:22]}.{RANDOM[:43]}", "a SendGrid key"),
    (JWT, "a JSON web token"),
    (f"Authorization: Bearer {RANDOM[:20]}", "a bearer token"),
    ("bearer aB3d+E6gH/9jK2.mN5_pQ8-sT==", "a bearer token"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIE", "a private key"),
    ("-----BEGIN PRIVATE KEY-----", "a private key"),
]


@pytest.mark.parametrize(("text", "kind"), SECRETS)
def test_a_secret_is_known_by_its_shape(text, kind):
    [finding] = secrets_in(f'the key is "{text}", keep it', "$.reason")
    assert (finding.gate, finding.at) == ("secrets", "$.reason")
    assert finding.problem == f"expected no secret, got {kind}"


@pytest.mark.parametrize(
    "text",
    [
        "The task-force-for-the-new-building met.",
        "sk-learn-pipeline-with-many-small-steps-and-words-in-it",
        "sk-short",
        "get_reservation_details credit_card_4421486 and more_words_in_one_name",
        "https://example.com/a/rather/long/path/to/some/page.html?with=query",
        "0123456789abcdef0123456789abcdef01234567",
        "AKIA is the prefix, ghp_ too",
        "-----BEGIN PUBLIC KEY-----",
        "a PRIVATE KEY is a file",
        "xoxoxoxoxoxoxoxoxoxoxoxoxoxo",
        "",
    ],
)
def test_other_long_words_are_no_secret(text):
    assert secrets_in(text, "$") == []
    assert secrets([{"role": "user", "content": text}]) == []


def test_every_turn_is_searched():
    call = {"id": "a", "name": "f", "arguments": {"deep": [{"key": f"ghp_{RANDOM[:36]}"}]}}
    messages = [
        {"role": "system", "content": "Use AKIAIOSFODNN7EXAMPLE."},
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": "", "reasoning_content": JWT, "tool_calls": [call]},
        {"role": "tool", "content": f"sk-{RANDOM} and AKIAIOSFODNN7EXAMPLE", "tool_call_id": "a"},
    ]
    found = [(finding.at, finding.problem.partition("got ")[2]) for finding in secrets(messages)]
    assert found == [
        ("$.messages[0].content", "an AWS access key"),
        ("$.messages[2].reasoning_content", "a JSON web token"),
        ("$.messages[2].tool_calls[0].arguments", "a GitHub token"),
        ("$.messages[3].content", "an API key (sk-)"),
        ("$.messages[3].content", "an AWS access key"),
    ]
    assert secrets(messages, round_trip(messages)[1]) == secrets(messages)


@pytest.mark.parametrize(
    ("turn", "at"),
    [
        ({"content": f"ghp_{RANDOM[:36]}"}, "content"),
        ({"reasoning_content": JWT}, "reasoning_content"),
        ({"tool_calls": [call({"q": "x"}), call({"q": JWT})]}, "tool_calls[1].arguments"),
        ({"tool_calls": [call(BadArguments(f'{{"q": "{JWT}', "cut"))]}, "tool_calls[0].arguments"),
    ],
)
def test_a_secret_is_found_where_it_is_the_only_one(turn, at):
    messages = [user("Hello."), assistant("") | turn, user("Thanks.")]
    assert [finding.at for finding in secrets(messages)] == [f"$.messages[1].{at}"]


def test_no_finding_shows_the_secret():
    for text, _ in SECRETS:
        assert RANDOM[:20] not in str(secrets_in(text, "$"))


@given(st.sampled_from(SECRETS), st.text(), st.text())
def test_a_secret_between_any_words_is_found(secret, before, after):
    text = f"{before} {secret[0]} {after}"
    assert secret[1] in str(secrets_in(text, "$"))
    assert secrets([{"role": "user", "content": before}, {"role": "tool", "content": text}])
