"""Credentials of a client."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field

_RENEW_BEFORE_SECONDS = 60.0


def _read_secret(name: str, value: str) -> str:
    """Returns a secret without the white space around it, such as the line break at the end of a file.

    Raises ValueError, without the secret, for one that no header can carry.
    """
    secret = value.strip()
    if secret == "":
        raise ValueError(f"{name}: is empty")
    if any(not "!" <= character <= "~" for character in secret):
        raise ValueError(f"{name}: contains white space, a control character or a letter beyond ASCII")
    return secret


@dataclass(frozen=True)
class ApiKey:
    """An API key. White space around it is removed."""

    value: str = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", _read_secret("API key", self.value))


@dataclass(frozen=True)
class AccessToken:
    """An access token, or a function that returns the current one."""

    value: str | Callable[[], str] = field(repr=False)

    def read(self) -> str:
        """Returns the current token."""
        return _read_secret("access token", self.value if isinstance(self.value, str) else self.value())


@dataclass(frozen=True)
class ServicePrincipal:
    """Exchanges the secret for access tokens, and renews them a minute before they expire."""

    client_id: str
    client_secret: str = field(repr=False)
    scope: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "client_id", self.client_id.strip())
        object.__setattr__(self, "client_secret", _read_secret("client secret", self.client_secret))

    def exchange_body(self) -> dict[str, str]:
        """Returns the body of the token request."""
        body = {"client_id": self.client_id, "client_secret": self.client_secret}
        return body if self.scope is None else body | {"scope": self.scope}


Credential = ApiKey | AccessToken | ServicePrincipal


def read_base_url(given: str | None) -> str:
    """Returns the address of the platform: the given one, or WP_BASE_URL."""
    base_url = given or os.environ.get("WP_BASE_URL")
    if not base_url:
        raise ValueError("base_url: give the address of the platform, or set WP_BASE_URL")
    return base_url


def read_credential(given: Credential | None) -> Credential:
    """Returns the given credential, or that of WP_API_KEY or WP_TOKEN."""
    if given is not None:
        return given
    key, token = os.environ.get("WP_API_KEY"), os.environ.get("WP_TOKEN")
    if key and token:
        raise ValueError("credential: WP_API_KEY and WP_TOKEN are both set; unset one of them")
    if key:
        return ApiKey(key)
    if token:
        return AccessToken(token)
    raise ValueError("credential: give one, or set WP_API_KEY or WP_TOKEN")


@dataclass
class CachedToken:
    """A token of a service principal, with the time from which it is renewed."""

    value: str = field(repr=False)
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
        return {"authorization": f"Bearer {credential.read()}"}
    return None
