"""Verification of webhooks. The signature is that of the TypeScript test, made with openssl."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

import pytest
from workspace_platform import WebhookVerificationError, verify_webhook

BODY = '{"event":"FORECASTING_FINISHED","workspace_id":"ws_1","request_id":"dlv_1","payload":{"id":"fr_1","status":"finished"}}'
SECRET = "shhh"
SIGNATURE = "6168eb08640cad1bb32afa9792d6c129c51a882438c1524104adf52076001a0f"
SENT_AT = 1767605400


def standard(key: bytes, timestamp: int = SENT_AT) -> dict[str, str]:
    digest = hmac.new(key, f"dlv_1.{timestamp}.{BODY}".encode(), hashlib.sha256).digest()
    signature = f"v1,AAAA v1,{base64.b64encode(digest).decode()}"
    return {"webhook-id": "dlv_1", "webhook-timestamp": str(timestamp), "webhook-signature": signature}


def verify(headers: dict[str, str], **options: Any) -> Any:
    return verify_webhook(**{"body": BODY, "headers": headers, "secret": SECRET, "now": SENT_AT, **options})


def hexadecimal(secret: str) -> str:
    return hmac.new(secret.encode(), BODY.encode(), hashlib.sha256).hexdigest()


def test_accepts_a_body_signed_with_the_secret_or_the_previous_one() -> None:
    assert verify({"X-Webhook-Signature": SIGNATURE}) == json.loads(BODY)
    assert verify({"x-webhook-signature": SIGNATURE, **standard(b"shhh")}, body=BODY.encode()) == json.loads(BODY)
    assert verify({"x-webhook-signature": hexadecimal("new"), "x-webhook-signature-previous": SIGNATURE})


def test_accepts_a_whsec_secret_whose_decoded_bytes_are_the_key_of_the_second_signature() -> None:
    key = bytes([7]) * 32
    secret = f"whsec_{base64.b64encode(key).decode()}"
    assert verify({"x-webhook-signature": hexadecimal(secret), **standard(key)}, secret=secret)


@pytest.mark.parametrize(
    ("headers", "options", "message"),
    [
        ({}, {}, "x-webhook-signature is missing"),
        ({"x-webhook-signature": SIGNATURE.upper()}, {}, "64 lowercase hexadecimal digits"),
        ({"x-webhook-signature": f"{SIGNATURE}\n"}, {}, "64 lowercase hexadecimal digits"),
        ({"x-webhook-signature": hexadecimal("other")}, {}, "the secret is another one, or the body"),
        ({"x-webhook-signature": SIGNATURE}, {"body": BODY.replace("fr_1", "fr_2")}, "does not match the body"),
        ({"x-webhook-signature": SIGNATURE}, {"require_timestamp": True}, "a header is missing"),
        ({"x-webhook-signature": SIGNATURE, **standard(b"other")}, {}, "webhook-signature does not match"),
        ({"x-webhook-signature": SIGNATURE, **standard(b"shhh")}, {"now": SENT_AT + 301}, "301 s old, more than 300 s"),
        ({"x-webhook-signature": SIGNATURE, **standard(b"shhh")}, {"now": SENT_AT - 301}, "301 s in the future"),
    ],
)
def test_says_why_it_rejects(headers: dict[str, str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(WebhookVerificationError, match=message):
        verify(headers, **options)


def test_raises_when_the_secret_is_empty_or_the_body_was_parsed() -> None:
    with pytest.raises(ValueError, match="secret: must not be empty"):
        verify({}, secret="")
    with pytest.raises(TypeError, match="must be the raw body"):
        verify({}, body=json.loads(BODY))
