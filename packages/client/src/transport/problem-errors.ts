// A class for every code of the error catalogue, named after it.
import type { ErrorCode } from '../contracts/types.ts'
import { ApiError } from './errors.ts'

export class MalformedRequestError extends ApiError {
  override readonly name = 'MalformedRequestError'
}
export class MalformedBodyError extends ApiError {
  override readonly name = 'MalformedBodyError'
}
export class ValidationFailedError extends ApiError {
  override readonly name = 'ValidationFailedError'
}
export class WorkspaceRequiredError extends ApiError {
  override readonly name = 'WorkspaceRequiredError'
}
export class AmbiguousCredentialsError extends ApiError {
  override readonly name = 'AmbiguousCredentialsError'
}
export class UnknownReferenceError extends ApiError {
  override readonly name = 'UnknownReferenceError'
}
export class UnknownEventKindError extends ApiError {
  override readonly name = 'UnknownEventKindError'
}
export class InvalidEndpointError extends ApiError {
  override readonly name = 'InvalidEndpointError'
}
export class AmbiguousFormatError extends ApiError {
  override readonly name = 'AmbiguousFormatError'
}
export class UnexpectedFormatError extends ApiError {
  override readonly name = 'UnexpectedFormatError'
}
export class TooManyDeletionsError extends ApiError {
  override readonly name = 'TooManyDeletionsError'
}
export class SeriesTooShortError extends ApiError {
  override readonly name = 'SeriesTooShortError'
}
export class InvalidCursorError extends ApiError {
  override readonly name = 'InvalidCursorError'
}
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError'
}
export class UnsupportedGrantTypeError extends ApiError {
  override readonly name = 'UnsupportedGrantTypeError'
}
export class UnsupportedTokenTypeError extends ApiError {
  override readonly name = 'UnsupportedTokenTypeError'
}
export class InvalidScopeError extends ApiError {
  override readonly name = 'InvalidScopeError'
}
export class InvalidTargetError extends ApiError {
  override readonly name = 'InvalidTargetError'
}
export class InvalidInvitationError extends ApiError {
  override readonly name = 'InvalidInvitationError'
}
export class InvalidGrantError extends ApiError {
  override readonly name = 'InvalidGrantError'
}
export class MissingCredentialError extends ApiError {
  override readonly name = 'MissingCredentialError'
}
export class InvalidCredentialError extends ApiError {
  override readonly name = 'InvalidCredentialError'
}
export class InvalidLoginError extends ApiError {
  override readonly name = 'InvalidLoginError'
}
export class ExpiredCredentialError extends ApiError {
  override readonly name = 'ExpiredCredentialError'
}
export class RevokedCredentialError extends ApiError {
  override readonly name = 'RevokedCredentialError'
}
export class InvalidTokenError extends ApiError {
  override readonly name = 'InvalidTokenError'
}
export class ReauthenticationRequiredError extends ApiError {
  override readonly name = 'ReauthenticationRequiredError'
}
export class InvalidClientError extends ApiError {
  override readonly name = 'InvalidClientError'
}
export class MissingScopeError extends ApiError {
  override readonly name = 'MissingScopeError'
}
export class InsufficientScopeError extends ApiError {
  override readonly name = 'InsufficientScopeError'
}
export class WorkspaceForbiddenError extends ApiError {
  override readonly name = 'WorkspaceForbiddenError'
}
export class WorkspaceMismatchError extends ApiError {
  override readonly name = 'WorkspaceMismatchError'
}
export class BearerRequiredError extends ApiError {
  override readonly name = 'BearerRequiredError'
}
export class UserRequiredError extends ApiError {
  override readonly name = 'UserRequiredError'
}
export class OriginForbiddenError extends ApiError {
  override readonly name = 'OriginForbiddenError'
}
export class PortalLinkForbiddenError extends ApiError {
  override readonly name = 'PortalLinkForbiddenError'
}
export class CallerNotAllowedError extends ApiError {
  override readonly name = 'CallerNotAllowedError'
}
export class OwnerRequiredError extends ApiError {
  override readonly name = 'OwnerRequiredError'
}
export class RecordsRestrictedError extends ApiError {
  override readonly name = 'RecordsRestrictedError'
}
export class PasskeyRequiredError extends ApiError {
  override readonly name = 'PasskeyRequiredError'
}
export class SignupClosedError extends ApiError {
  override readonly name = 'SignupClosedError'
}
export class ScopeEscalationError extends ApiError {
  override readonly name = 'ScopeEscalationError'
}
export class QuotaExceededError extends ApiError {
  override readonly name = 'QuotaExceededError'
}
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}
export class ProviderNotConfiguredError extends ApiError {
  override readonly name = 'ProviderNotConfiguredError'
}
export class MethodNotAllowedError extends ApiError {
  override readonly name = 'MethodNotAllowedError'
}
export class RequestTimeoutError extends ApiError {
  override readonly name = 'RequestTimeoutError'
}
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}
export class LastOwnerError extends ApiError {
  override readonly name = 'LastOwnerError'
}
export class AlreadyMemberError extends ApiError {
  override readonly name = 'AlreadyMemberError'
}
export class RoleInUseError extends ApiError {
  override readonly name = 'RoleInUseError'
}
export class NameTakenError extends ApiError {
  override readonly name = 'NameTakenError'
}
export class IntegrationInUseError extends ApiError {
  override readonly name = 'IntegrationInUseError'
}
export class IntegrationDisconnectedError extends ApiError {
  override readonly name = 'IntegrationDisconnectedError'
}
export class EmbeddingsNotConnectedError extends ApiError {
  override readonly name = 'EmbeddingsNotConnectedError'
}
export class AgentArchivedError extends ApiError {
  override readonly name = 'AgentArchivedError'
}
export class GateNotPassedError extends ApiError {
  override readonly name = 'GateNotPassedError'
}
export class ConversationBusyError extends ApiError {
  override readonly name = 'ConversationBusyError'
}
export class ModelNotConfiguredError extends ApiError {
  override readonly name = 'ModelNotConfiguredError'
}
export class SyncRunningError extends ApiError {
  override readonly name = 'SyncRunningError'
}
export class IdempotencyInFlightError extends ApiError {
  override readonly name = 'IdempotencyInFlightError'
}
export class SecretNotReplayableError extends ApiError {
  override readonly name = 'SecretNotReplayableError'
}
export class CursorExpiredError extends ApiError {
  override readonly name = 'CursorExpiredError'
}
export class ContentDeletedError extends ApiError {
  override readonly name = 'ContentDeletedError'
}
export class PreconditionFailedError extends ApiError {
  override readonly name = 'PreconditionFailedError'
}
export class PayloadTooLargeError extends ApiError {
  override readonly name = 'PayloadTooLargeError'
}
export class UnsupportedMediaTypeError extends ApiError {
  override readonly name = 'UnsupportedMediaTypeError'
}
export class IdempotencyKeyReusedError extends ApiError {
  override readonly name = 'IdempotencyKeyReusedError'
}
export class RateLimitedError extends ApiError {
  override readonly name = 'RateLimitedError'
}
export class HeaderFieldsTooLargeError extends ApiError {
  override readonly name = 'HeaderFieldsTooLargeError'
}
export class InternalError extends ApiError {
  override readonly name = 'InternalError'
}
export class ModelFailedError extends ApiError {
  override readonly name = 'ModelFailedError'
}
export class BadGatewayError extends ApiError {
  override readonly name = 'BadGatewayError'
}
export class ServiceUnavailableError extends ApiError {
  override readonly name = 'ServiceUnavailableError'
}
export class EmbeddingsUnavailableError extends ApiError {
  override readonly name = 'EmbeddingsUnavailableError'
}
export class SearchTimeoutError extends ApiError {
  override readonly name = 'SearchTimeoutError'
}
export class GatewayTimeoutError extends ApiError {
  override readonly name = 'GatewayTimeoutError'
}

/** The class of each code. A missing one is a compile error. */
const problemErrors = {
  malformed_request: MalformedRequestError,
  malformed_body: MalformedBodyError,
  validation_failed: ValidationFailedError,
  workspace_required: WorkspaceRequiredError,
  ambiguous_credentials: AmbiguousCredentialsError,
  unknown_reference: UnknownReferenceError,
  unknown_event_kind: UnknownEventKindError,
  invalid_endpoint: InvalidEndpointError,
  ambiguous_format: AmbiguousFormatError,
  unexpected_format: UnexpectedFormatError,
  too_many_deletions: TooManyDeletionsError,
  series_too_short: SeriesTooShortError,
  invalid_cursor: InvalidCursorError,
  invalid_request: InvalidRequestError,
  unsupported_grant_type: UnsupportedGrantTypeError,
  unsupported_token_type: UnsupportedTokenTypeError,
  invalid_scope: InvalidScopeError,
  invalid_target: InvalidTargetError,
  invalid_invitation: InvalidInvitationError,
  invalid_grant: InvalidGrantError,
  missing_credential: MissingCredentialError,
  invalid_credential: InvalidCredentialError,
  invalid_login: InvalidLoginError,
  expired_credential: ExpiredCredentialError,
  revoked_credential: RevokedCredentialError,
  invalid_token: InvalidTokenError,
  reauthentication_required: ReauthenticationRequiredError,
  invalid_client: InvalidClientError,
  missing_scope: MissingScopeError,
  insufficient_scope: InsufficientScopeError,
  workspace_forbidden: WorkspaceForbiddenError,
  workspace_mismatch: WorkspaceMismatchError,
  bearer_required: BearerRequiredError,
  user_required: UserRequiredError,
  origin_forbidden: OriginForbiddenError,
  portal_link_forbidden: PortalLinkForbiddenError,
  caller_not_allowed: CallerNotAllowedError,
  owner_required: OwnerRequiredError,
  records_restricted: RecordsRestrictedError,
  passkey_required: PasskeyRequiredError,
  signup_closed: SignupClosedError,
  scope_escalation: ScopeEscalationError,
  quota_exceeded: QuotaExceededError,
  not_found: NotFoundError,
  provider_not_configured: ProviderNotConfiguredError,
  method_not_allowed: MethodNotAllowedError,
  request_timeout: RequestTimeoutError,
  conflict: ConflictError,
  last_owner: LastOwnerError,
  already_member: AlreadyMemberError,
  role_in_use: RoleInUseError,
  name_taken: NameTakenError,
  integration_in_use: IntegrationInUseError,
  integration_disconnected: IntegrationDisconnectedError,
  embeddings_not_connected: EmbeddingsNotConnectedError,
  agent_archived: AgentArchivedError,
  gate_not_passed: GateNotPassedError,
  conversation_busy: ConversationBusyError,
  model_not_configured: ModelNotConfiguredError,
  sync_running: SyncRunningError,
  idempotency_in_flight: IdempotencyInFlightError,
  secret_not_replayable: SecretNotReplayableError,
  cursor_expired: CursorExpiredError,
  content_deleted: ContentDeletedError,
  precondition_failed: PreconditionFailedError,
  payload_too_large: PayloadTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  rate_limited: RateLimitedError,
  header_fields_too_large: HeaderFieldsTooLargeError,
  internal_error: InternalError,
  model_failed: ModelFailedError,
  bad_gateway: BadGatewayError,
  service_unavailable: ServiceUnavailableError,
  embeddings_unavailable: EmbeddingsUnavailableError,
  search_timeout: SearchTimeoutError,
  gateway_timeout: GatewayTimeoutError,
} as const satisfies Record<ErrorCode, typeof ApiError>

/** Creates the error of an error response: of the class of its code, or an ApiError if the code is unknown. */
export function createApiError(response: { status: number; headers: Headers }, problem: unknown): ApiError {
  const error = new ApiError(response, problem)
  const known: Partial<Record<string, typeof ApiError>> = problemErrors
  const Problem = Object.hasOwn(known, error.code) ? known[error.code] : undefined
  return Problem === undefined ? error : new Problem(response, problem)
}
