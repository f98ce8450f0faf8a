"""Credentials of a client."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

_RENEW_BEFORE_SECONDS = 60.0


@dataclass(frozen=True)
class ApiKey:
    """An API key."""

    value: str


@dataclass(frozen=True)
class AccessToken:
    """An access token, or a function that returns the current one."""

    value: str | Callable[[], str]


@dataclass(frozen=True)
class ServicePrincipal:
    """Exchanges the secret for access tokens, and renews them a minute before they expire."""

    client_id: str
    client_secret: str
    scope: str | None = None

    def exchange_body(self) -> dict[str, str]:
        """Returns the body of the token request."""
        body = {"client_id": self.client_id, "client_secret": self.client_secret}
        return body if self.scope is None else body | {"scope": self.scope}


Credential = ApiKey | AccessToken | ServicePrincipal


@dataclass
class CachedToken:
    """A token of a service principal, with the time from which it is renewed."""

    value: str
    renew_at: float

    @staticmethod
    def create(value: str, lifetime_seconds: float, now: float) -> CachedToken:
        """A token of a short lifetime is renewed after half of it."""
        return CachedToken(value, now + max(lifetime_seconds - _RENEW_BEFORE_SECONDS, lifetime_seconds / 2))


def fixed_headers(credential: Credential) -> dict[str, str] | None:
    """Returns the headers of a credential that needs no exchange; None for a service principal."""
    if isinstance(credential, ApiKey):
        return {"x-api-key": credential.value}
    if isinstance(credential, AccessToken):
        token = credential.value if isinstance(credential.value, str) else credential.value()
        return {"authorization": f"Bearer {token}"}
    return None
