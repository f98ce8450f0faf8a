interface ErrorDeclaration {
  status: number
  title: string
  /** Advice for the caller, shown on the documentation page of the error. */
  help: string
}

const error = (status: number, title: string, help: string): ErrorDeclaration => ({ status, title, help })

/** The error catalogue: every error a caller can see, by its stable code. */
export const errors = {
  malformed_request: error(400, 'The request is not well-formed HTTP', 'Send HTTP/1.1 as RFC 9112 describes it.'),
  malformed_body: error(400, 'The body is not well-formed', 'Send a valid body of a declared content type.'),
  validation_failed: error(400, 'The request is not valid', 'Correct the fields listed in `errors`.'),
  ambiguous_format: error(
    400,
    'The file can be read in more than one way',
    'Choose one of the readings listed in `errors`, and set it in `config.format` of the data source.',
  ),
  unexpected_format: error(
    400,
    'The file is not of the format of the data source',
    'Correct the file, or change `config.format` of the data source.',
  ),
  workspace_required: error(400, 'A workspace is required', 'Send `x-workspace-key` with the workspace identifier.'),
  ambiguous_credentials: error(
    400,
    'More than one credential was sent',
    'Send either one bearer token or one API key.',
  ),
  unknown_reference: error(400, 'A referenced resource does not exist', 'Reference a resource of this workspace.'),
  unknown_event_kind: error(400, 'An event kind is not known', 'Use kinds listed by GET /v1/webhooks/events.'),
  invalid_endpoint: error(400, 'The address cannot be used', 'Use a public HTTPS address.'),
  series_too_short: error(400, 'A series is too short', 'Send at least the number of steps given in the response.'),
  invalid_cursor: error(
    400,
    'The cursor is not valid',
    'Use `next_cursor` of an earlier response to the same request, with the same filters.',
  ),
  invalid_request: error(400, 'The token request is not valid', 'See RFC 6749, section 5.2.'),
  unsupported_grant_type: error(400, 'The grant type is not supported', 'See RFC 6749, section 5.2.'),
  unsupported_token_type: error(400, 'This type of token cannot be revoked', 'To revoke an API key, delete it.'),
  invalid_scope: error(400, 'The scope is not valid', 'Request known scopes that the principal has.'),
  invalid_target: error(400, 'The resource is unknown', 'See RFC 8707; request the base address or the MCP address.'),
  invalid_invitation: error(
    400,
    'The invitation is not valid',
    'Ask for a new invitation; invitations expire after a week.',
  ),
  invalid_grant: error(400, 'The grant is not valid', 'Sign in again.'),
  missing_credential: error(
    401,
    'A credential is required',
    'Send `Authorization: Bearer <token>`, or an API key in `x-api-key`.',
  ),
  invalid_credential: error(401, 'The credential is not valid', 'Get a new token, or use an active API key.'),
  invalid_login: error(
    401,
    'The sign-in is not valid',
    'Check the code, or start again; codes expire after ten minutes.',
  ),
  expired_credential: error(401, 'The credential has expired', 'Get a new token.'),
  revoked_credential: error(401, 'The credential was revoked', 'Use another credential.'),
  invalid_token: error(
    401,
    'The token is for another resource',
    'Request a token without `resource`, or with the resource named in the response.',
  ),
  reauthentication_required: error(
    401,
    'A recent authentication is required',
    'Re-authenticate with POST /v1/auth/reauthentication, then repeat the request with the new access token.',
  ),
  invalid_client: error(401, 'The client could not be authenticated', 'Check client_id and client_secret.'),
  missing_scope: error(403, 'A scope is missing', 'Use a credential with the scope named in the response.'),
  insufficient_scope: error(
    403,
    'The token is restricted to some scopes',
    'Use a token that was requested without `scope`: no scope covers this endpoint.',
  ),
  workspace_forbidden: error(403, 'Access to the workspace is forbidden', 'Use a workspace you are a member of.'),
  workspace_mismatch: error(
    403,
    'The credential belongs to another workspace',
    'Omit `x-workspace-key`, or use another credential.',
  ),
  bearer_required: error(
    403,
    'A bearer token is required; API keys are not accepted here',
    'Sign in, and send the access token instead of the API key.',
  ),
  user_required: error(403, 'Only users can do this', 'Use a bearer token of a signed-in user.'),
  origin_forbidden: error(
    403,
    'Pages of this origin are not allowed',
    'Call from a page of an allowed origin, or from a client that is no page.',
  ),
  portal_link_forbidden: error(
    403,
    'Portal links cannot do this',
    'Use a credential of the workspace; a portal link reaches the webhooks of its customer only.',
  ),
  caller_not_allowed: error(403, 'The calling service may not do this', 'Internal endpoints list their callers.'),
  owner_required: error(403, 'Only owners can do this', 'Ask an owner of the workspace.'),
  records_restricted: error(
    403,
    'The records of the data source are restricted to aggregates',
    'Use forecasts and other aggregates of the data source; its records are shown to no reader.',
  ),
  passkey_required: error(
    403,
    'The account signs in with a passkey only',
    'Sign in with a passkey, or request a recovery with POST /v1/auth/login/recovery.',
  ),
  signup_closed: error(403, 'Sign-up is closed', 'Ask for an invitation to a workspace.'),
  scope_escalation: error(403, 'A scope beyond your own was requested', 'Grant only scopes that your credential has.'),
  quota_exceeded: error(403, 'A quota is exhausted', 'Delete resources or change the plan.'),
  not_found: error(404, 'Not found', 'Check the identifier and the workspace.'),
  provider_not_configured: error(404, 'The provider is not configured', 'Sign in by mail or with another provider.'),
  method_not_allowed: error(405, 'The method is not allowed here', 'Use a method of the `Allow` header.'),
  request_timeout: error(408, 'The request did not arrive in time', 'Send the whole request without long pauses.'),
  conflict: error(409, 'The state does not allow this', 'Read the resource and try again.'),
  last_owner: error(409, 'A workspace needs an owner', 'Make another member an owner first.'),
  already_member: error(409, 'The user is already a member', 'Change their role instead.'),
  role_in_use: error(409, 'The role is in use', 'First give its members and invitations another role.'),
  name_taken: error(409, 'The name is taken', 'Choose another name.'),
  integration_in_use: error(
    409,
    'The integration is in use',
    'Remove the resources listed in `users`, or delete with `force=true`.',
  ),
  integration_disconnected: error(409, 'The integration is disconnected', 'Set its `status` to `pending` first.'),
  embeddings_not_connected: error(
    409,
    'No model for embeddings is chosen or connected',
    'Choose a connected integration with PATCH /v1/data/embedding, or search in mode `lexical`.',
  ),
  agent_archived: error(409, 'The agent is archived', 'Set its `status` to `active`, or use another agent.'),
  gate_not_passed: error(
    409,
    'The version does not pass the gate of the agent',
    'See `failing_cases`: correct the version, evaluate it and activate it then.',
  ),
  conversation_busy: error(
    409,
    'A run is in progress in the conversation',
    'Wait for the end of the run named in the response, or cancel it.',
  ),
  model_not_configured: error(
    409,
    'The model is not configured',
    'Choose a model of GET /v1/ai/models that is available.',
  ),
  sync_running: error(409, 'A sync is running', 'Wait for the running sync, or cancel it.'),
  too_many_deletions: error(
    409,
    'Too many records would be deleted',
    'Check the file or source. To delete them all the same, send the request again with `allow_deletions`.',
  ),
  idempotency_in_flight: error(409, 'The same request is in progress', 'Retry shortly with the same key.'),
  secret_not_replayable: error(
    409,
    'The first response contained a secret',
    'The resource exists; rotate its secret if it was lost.',
  ),
  cursor_expired: error(
    410,
    'The cursor has expired',
    'Repeat the search without `cursor`; its pages show the records as they are now.',
  ),
  content_deleted: error(410, 'The content was deleted', 'Start another export.'),
  precondition_failed: error(412, 'The resource has changed', 'Read it again, then retry with the new ETag.'),
  payload_too_large: error(413, 'The body is too large', 'Send less data in one request.'),
  unsupported_media_type: error(
    415,
    'The content type is not supported',
    'Use a content type that the endpoint accepts.',
  ),
  idempotency_key_reused: error(
    422,
    'The idempotency key was used for another request',
    'Use a new key for a new request.',
  ),
  rate_limited: error(429, 'Too many requests', 'Wait for the time in `Retry-After`, with jitter.'),
  header_fields_too_large: error(431, 'The header fields are too large', 'Send smaller headers.'),
  internal_error: error(
    500,
    'Something went wrong on our side',
    'Retry; if the error persists, report the request id.',
  ),
  model_failed: error(502, 'The model did not answer', 'See the run named in the response for the cause; then retry.'),
  bad_gateway: error(502, 'A service sent an invalid response', 'Retry shortly.'),
  service_unavailable: error(503, 'A service is not available', 'Retry shortly.'),
  embeddings_unavailable: error(
    503,
    'The embedding provider is unavailable',
    'Retry shortly, or search in mode `lexical`.',
  ),
  search_timeout: error(
    503,
    'The search took too long',
    'Search for fewer words and phrases or in fewer data sources, and send fewer searches at a time.',
  ),
  gateway_timeout: error(504, 'A service took too long', 'Retry shortly.'),
} as const satisfies Record<string, ErrorDeclaration>

/** The stable code of an error. */
export type ErrorCode = keyof typeof errors

/** Every error code. */
export const errorCodes = Object.keys(errors) as ErrorCode[] // the keys of a constant object are exactly its declared names

/** An invalid field: a JSON pointer (RFC 6901) into the body, or `?name` for a query parameter. */
export interface FieldError {
  pointer: string
  detail: string
}

interface ProblemOptions {
  detail?: string
  errors?: FieldError[]
  /** Further members of the response. They are public. */
  extra?: Record<string, unknown>
  /** Headers of the response, for example `Retry-After`. */
  headers?: Record<string, string>
  /** The underlying error, for the operator's log only. */
  cause?: unknown
}

/** An error of the catalogue. Its fields are public; `cause` is for the operator. */
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

/** Creates the error with a code, to be thrown. */
export const problem = (code: ErrorCode, options?: ProblemOptions): Problem => new Problem(code, options)

/** Creates the error for one invalid field of the body. */
export const invalidField = (pointer: string, detail: string, code: ErrorCode = 'validation_failed'): Problem =>
  new Problem(code, { detail: `${pointer}: ${detail}`, errors: [{ pointer, detail }] })

/**
 * Returns the body of an error response: the members of RFC 9457 and those of the platform's envelope.
 * @param base the public base address, under which each code has a documentation page
 */
export function problemBody(error: Problem, base: string, requestId: string): Record<string, unknown> {
  return {
    success: false,
    type: `${base}/docs/errors/${error.code}`,
    title: error.title,
    status: error.status,
    code: error.code,
    detail: error.detail,
    request_id: requestId,
    ...(error.errors.length > 0 ? { errors: error.errors } : {}),
    ...error.extra,
  }
}
