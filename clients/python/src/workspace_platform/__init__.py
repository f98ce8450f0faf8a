"""The typed client of the workspace platform."""

from .async_jobs import async_wait_for
from .credentials import AccessToken, ApiKey, Credential, ServicePrincipal
from .errors import (
    ApiError,
    AttemptTimeoutError,
    InvalidResponseError,
    JobFailedError,
    NetworkError,
    PlatformError,
    WaitTimeoutError,
)
from .generated.async_api import AsyncClient
from .generated.sync_api import Client
from .generated.sync_jobs import wait_for
from .request import CallOptions, RawResponse
from .result import Deleted, Page, Result
from .server_sent_events import ServerSentEvent
from .upload import Upload, file_upload
from .webhooks import WebhookDelivery, WebhookVerificationError, verify_webhook

__all__ = [
    "AccessToken",
    "ApiError",
    "ApiKey",
    "AsyncClient",
    "AttemptTimeoutError",
    "CallOptions",
    "Client",
    "Credential",
    "Deleted",
    "InvalidResponseError",
    "JobFailedError",
    "NetworkError",
    "Page",
    "PlatformError",
    "RawResponse",
    "Result",
    "ServerSentEvent",
    "ServicePrincipal",
    "Upload",
    "WaitTimeoutError",
    "WebhookDelivery",
    "WebhookVerificationError",
    "async_wait_for",
    "file_upload",
    "verify_webhook",
    "wait_for",
]
