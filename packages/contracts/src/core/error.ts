interface ErrorDeclaration {
  status: number
  title: string
  /** What a caller can do about it; shown on the error's documentation page. */
  help: string
}

const error = (status: number, title: string, help: string): ErrorDeclaration => ({ status, title, help })

/** Every error a caller can see, by its stable code. */
export const errors = {
  malformed_request: error(400, 'The request is not well-formed HTTP', 'Send HTTP/1.1 as RFC 9112 describes it.'),
  malformed_body: error(400, 'The body is not well-formed', 'Send a body of the declared content type that parses.'),
  validation_failed: error(400, 'The request is not valid', 'Correct the fields that `errors` points at.'),
  workspace_required: error(400, 'A workspace is required', 'Send `x-workspace-key` with the workspace identifier.'),
  ambiguous_credentials: error(
    400,
    'More than one credential was sent',
    'Send either one bearer token or one API key.',
  ),
  unknown_reference: error(400, 'A named resource does not exist', 'Name a resource of this workspace.'),
  unknown_event_kind: error(400, 'An event kind is not known', 'Choose from GET /v1/webhooks/events.'),
  invalid_endpoint: error(400, 'The address cannot be used', 'Use a public HTTPS address.'),
  series_too_short: error(400, 'A series is too short', 'Send at least the number of steps the answer names.'),
  invalid_cursor: error(400, 'The cursor is not valid', 'Use `next_cursor` of an earlier answer of the same list.'),
  invalid_request: error(400, 'The token request is not valid', 'See RFC 6749, section 5.2.'),
  unsupported_grant_type: error(400, 'The grant type is not supported', 'See RFC 6749, section 5.2.'),
  unsupported_token_type: error(400, 'The kind of token cannot be revoked here', 'Delete API keys instead.'),
  invalid_scope: error(400, 'The scope is not valid', 'Ask for known scopes that the principal may have.'),
  invalid_target: error(400, 'The resource is not one of ours', 'See RFC 8707; ask for the base address or MCP.'),
  invalid_invitation: error(400, 'The invitation is not valid', 'Ask to be invited again: an invitation lasts a week.'),
  invalid_grant: error(400, 'The grant is not valid', 'Sign in again.'),
  missing_credential: error(401, 'A credential is required', 'Send a bearer token or an API key.'),
  invalid_credential: error(401, 'The credential is not valid', 'Get a new token or use a live API key.'),
  invalid_login: error(401, 'The sign-in is not valid', 'Check the code, or begin again: a sign-in lasts ten minutes.'),
  expired_credential: error(401, 'The credential has expired', 'Get a new token.'),
  revoked_credential: error(401, 'The credential was revoked', 'Use another credential.'),
  invalid_client: error(401, 'The client could not be authenticated', 'Check client_id and client_secret.'),
  missing_scope: error(403, 'A scope is missing', 'Use a credential that carries the scope the answer names.'),
  workspace_forbidden: error(403, 'The workspace is not yours', 'Use a workspace you are a member of.'),
  workspace_mismatch: error(
    403,
    'The credential belongs to another workspace',
    'Drop `x-workspace-key` or use another credential.',
  ),
  bearer_required: error(403, 'A bearer token is required', 'API keys cannot do this; use a bearer token.'),
  user_required: error(403, 'Only users can do this', 'Use a bearer token of a signed-in user.'),
  caller_not_allowed: error(403, 'The calling service may not do this', 'Internal endpoints name their callers.'),
  owner_required: error(403, 'Only owners can do this', 'Ask an owner of the workspace.'),
  signup_closed: error(403, 'New accounts are not open here', 'Ask to be invited to a workspace.'),
  scope_escalation: error(
    403,
    'A scope beyond your own was asked for',
    'Grant only scopes that your credential carries.',
  ),
  quota_exceeded: error(403, 'A quota is used up', 'Remove something or change the plan.'),
  not_found: error(404, 'Not found', 'Check the identifier and the workspace.'),
  provider_not_configured: error(404, 'The provider is not set up here', 'Sign in by mail or with another provider.'),
  method_not_allowed: error(405, 'The method is not allowed here', 'Use a method of the `Allow` header.'),
  request_timeout: error(408, 'The request did not arrive in time', 'Send the whole request without long pauses.'),
  conflict: error(409, 'The state does not allow this', 'Read the resource and try again.'),
  last_owner: error(409, 'A workspace needs an owner', 'Make another member an owner first.'),
  already_member: error(409, 'The user is a member already', 'Change their role instead.'),
  role_in_use: error(409, 'The role is in use', 'Give its members and invitations another role first.'),
  name_taken: error(409, 'The name is taken', 'Choose another name.'),
  integration_in_use: error(
    409,
    'The integration is in use',
    'Remove what `users` names, or delete with `force=true`.',
  ),
  integration_disconnected: error(409, 'The integration is disconnected', 'Set its `status` to `pending` first.'),
  embeddings_not_connected: error(
    409,
    'Nothing that makes embeddings is connected',
    'Connect an integration that makes embeddings, or search in mode `lexical`.',
  ),
  sync_running: error(409, 'A sync is running', 'Wait for the sync that runs or cancel it.'),
  idempotency_in_flight: error(409, 'The same request is still being served', 'Try again shortly with the same key.'),
  secret_not_replayable: error(
    409,
    'The first answer held a secret',
    'The resource exists; rotate its secret if it was lost.',
  ),
  precondition_failed: error(412, 'The resource has changed', 'Read it again and retry with the new ETag.'),
  payload_too_large: error(413, 'The body is too large', 'Send less at once.'),
  unsupported_media_type: error(415, 'The content type is not supported', 'Use a content type the endpoint declares.'),
  idempotency_key_reused: error(
    422,
    'The idempotency key was used for another request',
    'Use a new key for a new request.',
  ),
  rate_limited: error(429, 'Too many requests', 'Wait as long as `Retry-After` says, with jitter.'),
  header_fields_too_large: error(431, 'The header fields are too large', 'Send smaller headers.'),
  internal_error: error(500, 'Something went wrong on our side', 'Try again; if it stays, give us the request id.'),
  bad_gateway: error(502, 'A service gave no usable answer', 'Try again shortly.'),
  service_unavailable: error(503, 'A service is not available', 'Try again shortly.'),
  embeddings_unavailable: error(
    503,
    'The provider of embeddings cannot be used now',
    'Try again shortly, or search in mode `lexical`.',
  ),
  gateway_timeout: error(504, 'A service took too long', 'Try again shortly.'),
} as const satisfies Record<string, ErrorDeclaration>

/** The stable code of an error. */
export type ErrorCode = keyof typeof errors

/** Every error code, for readers that walk the catalogue. */
export const errorCodes = Object.keys(errors) as ErrorCode[] // the keys of a constant object are exactly its declared names

/** One thing wrong with the input: a JSON pointer (RFC 6901) into the body, or `?name` for a query parameter. */
export interface FieldError {
  pointer: string
  detail: string
}

interface ProblemOptions {
  detail?: string
  errors?: FieldError[]
  /** Further members of the answer. Everything here is public. */
  extra?: Record<string, unknown>
  /** Further headers of the answer, for example `Retry-After`. */
  headers?: Record<string, string>
  /** What went wrong underneath. For the operator's log only. */
  cause?: unknown
}

/** The one error type: what the caller may know in its fields, what the operator needs in `cause`. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ErrorCode
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly errors: FieldError[]
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, options: ProblemOptions = {}) {
    const { status, title } = errors[code]
    super(options.detail ?? title, { cause: options.cause })
    this.code = code
    this.status = status
    this.title = title
    this.detail = options.detail ?? title
    this.errors = options.errors ?? []
    this.extra = options.extra ?? {}
    this.headers = options.headers ?? {}
  }
}

/** Makes the error that a caller sees as `code`, to be thrown. */
export const problem = (code: ErrorCode, options?: ProblemOptions): Problem => new Problem(code, options)

/** One invalid field of the body, as the whole reason for a refusal. */
export const invalidField = (pointer: string, detail: string, code: ErrorCode = 'validation_failed'): Problem =>
  new Problem(code, { detail: `${pointer}: ${detail}`, errors: [{ pointer, detail }] })

/**
 * The body of an error answer: RFC 9457 members beside the platform's envelope.
 * @param base the public base address, under which each code has a page
 */
export function problemBody(thrown: Problem, base: string, requestId: string): Record<string, unknown> {
  return {
    success: false,
    type: `${base}/docs/errors/${thrown.code}`,
    title: thrown.title,
    status: thrown.status,
    code: thrown.code,
    detail: thrown.detail,
    request_id: requestId,
    ...(thrown.errors.length > 0 ? { errors: thrown.errors } : {}),
    ...thrown.extra,
  }
}
