"""Verification of webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from typing import Any, TypedDict, cast


class WebhookDelivery(TypedDict):
    """A verified delivery. Ignore kinds of events that you do not know; store `request_id` to drop duplicates."""

    event: str
    workspace_id: str
    request_id: str
    payload: dict[str, Any]


class WebhookVerificationError(ValueError):
    """The request is not signed with the secret, or is not a delivery. The message says why. Respond 400."""


def verify_webhook(
    *,
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str,
    require_timestamp: bool = False,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookDelivery:
    """Verifies a webhook delivery by both schemes in constant time and returns it.

    `x-webhook-signature` is the lowercase hexadecimal HMAC-SHA-256 of the raw body, keyed with the secret. The headers of
    Standard Webhooks, whose signature covers the time, are verified if they are present; `require_timestamp` refuses a
    delivery without them, which protects against replays. During a rotation the previous secret is accepted too.

    Raises WebhookVerificationError; TypeError if the body is not the raw one; ValueError if the secret is empty.
    """
    if not isinstance(body, bytes | str):
        raise TypeError("body: must be the raw body, bytes or str; it is verified before it is parsed")
    if secret == "":
        raise ValueError("secret: must not be empty")
    raw = body.encode() if isinstance(body, str) else body
    known = {name.lower(): value for name, value in headers.items()}
    _verify_hex_signature(raw, known, secret)
    _verify_standard_signature(
        raw, known, secret, require_timestamp, tolerance_seconds, time.time() if now is None else now
    )
    try:
        return cast(WebhookDelivery, json.loads(raw))
    except ValueError as cause:
        raise WebhookVerificationError("the body is not JSON") from cause


def _verify_hex_signature(raw: bytes, headers: Mapping[str, str], secret: str) -> None:
    names = ("x-webhook-signature", "x-webhook-signature-previous")
    signatures = [headers[name] for name in names if name in headers]
    if not signatures:
        raise WebhookVerificationError(
            "the header x-webhook-signature is missing: the subscription has no secret, or a proxy removed it"
        )
    well_formed = [signature for signature in signatures if re.fullmatch(r"[0-9a-f]{64}", signature)]
    if not well_formed:
        raise WebhookVerificationError(
            "the header x-webhook-signature is malformed: it must be 64 lowercase hexadecimal digits"
        )
    expected = hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()
    if not any([hmac.compare_digest(signature, expected) for signature in well_formed]):
        raise WebhookVerificationError(
            "the signature does not match the body: the secret is another one, or the body is not the raw body as received"
        )


def _verify_standard_signature(
    raw: bytes,
    headers: Mapping[str, str],
    secret: str,
    require_timestamp: bool,
    tolerance_seconds: float,
    now: float,
) -> None:
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    if any(name not in headers for name in names):
        if not require_timestamp:
            return
        raise WebhookVerificationError(f"a header is missing: {', '.join(names)} are required")
    message_id, timestamp, signatures = (headers[name] for name in names)
    key = base64.b64decode(secret.removeprefix("whsec_")) if secret.startswith("whsec_") else secret.encode()
    digest = hmac.new(key, f"{message_id}.{timestamp}.".encode() + raw, hashlib.sha256).digest()
    expected = f"v1,{base64.b64encode(digest).decode()}".encode()
    if not any([hmac.compare_digest(signature.encode(), expected) for signature in signatures.split(" ")]):
        raise WebhookVerificationError(
            "the signature in webhook-signature does not match webhook-id, webhook-timestamp and the body"
        )
    age = now - float(timestamp)
    if abs(age) > tolerance_seconds:
        direction = "old" if age > 0 else "in the future"
        raise WebhookVerificationError(
            f"webhook-timestamp is {abs(round(age))} s {direction}, more than {tolerance_seconds:g} s: "
            "the delivery is replayed, or the clock is wrong"
        )
