import type { ErrorCode, Problem } from '../../core/error/error.ts'

/** The members of a problem that differ from request to request. */
type ProblemExample = Partial<Pick<Problem, 'errors' | 'extra'>> & Pick<Problem, 'detail'>

const field = (pointer: string, detail: string): ProblemExample => ({
  detail: `${pointer}: ${detail}`,
  errors: [{ pointer, detail }],
})

/** One occurrence of every error, as the code that throws it words it. */
export const problemExamples: Readonly<Record<ErrorCode, ProblemExample>> = {
  malformed_request: { detail: 'The Host header is missing' },
  malformed_body: { detail: 'The body is not UTF-8' },
  validation_failed: field('/name', 'is required'),
  workspace_required: { detail: 'A workspace is required' },
  ambiguous_credentials: { detail: 'The header authorization is given twice' },
  unknown_reference: field('/data_source_id', 'is not a data source of this workspace'),
  unknown_event_kind: field(
    '/events/0',
    '"DATA_SYNC_DONE" is not a known event kind; GET /v1/webhooks/events lists them',
  ),
  invalid_endpoint: field('/endpoint', 'port 22 is not allowed (allowed: 443, 8443, 1024 to 65535)'),
  ambiguous_format: {
    detail: 'The column "time" can be read in two ways',
    errors: [
      {
        pointer: '/columns/time',
        detail: '`01/02/2026` is 1 February 2026 (DD/MM/YYYY) or 2 January 2026 (MM/DD/YYYY)',
      },
    ],
  },
  unexpected_format: {
    detail: 'The file is an HTML page, where the source has CSV: "Sign in to continue"',
  },
  too_many_deletions: {
    detail: 'The upload would delete 980 of 1000 records',
    extra: { deletions: 980, records: 1_000 },
  },
  series_too_short: {
    detail: 'The series needs at least 28 days of history and has 5.',
    errors: [{ pointer: '/series/0/points', detail: 'The series needs at least 28 days of history and has 5.' }],
    extra: { required: 28, available: 5 },
  },
  invalid_cursor: field('?cursor', 'is not a cursor of this list with these filters; omit it to begin again'),
  invalid_request: field('/client_secret', 'is required'),
  unsupported_grant_type: { detail: 'grant_type must be client_credentials, refresh_token or authorization_code' },
  unsupported_token_type: { detail: 'An API key is not a token; delete it instead' },
  invalid_scope: { detail: 'scope must contain only known scopes, at least one of which you have' },
  invalid_target: {
    detail: 'resource must be one of https://api.example.com https://api.example.com/api/v1/mcp/mcp',
  },
  invalid_invitation: { detail: 'The invitation is not valid' },
  invalid_grant: { detail: 'The refresh token is invalid or has expired' },
  missing_credential: {
    detail: 'Send an access token as `Authorization: Bearer <token>` or an API key as `x-api-key: <key>`',
  },
  invalid_credential: { detail: 'An API key goes into x-api-key, not Authorization' },
  invalid_login: { detail: 'The sign-in is not valid' },
  expired_credential: { detail: 'The credential has expired' },
  revoked_credential: { detail: 'The credential was revoked' },
  invalid_token: {
    detail:
      'The token is valid only for https://api.example.com/api/v1/mcp/mcp; this address requires the audience https://api.example.com',
  },
  reauthentication_required: {
    detail: 'The last authentication was more than 600 seconds ago; re-authenticate and use the new token',
    extra: { max_age: 600 },
  },
  invalid_client: { detail: 'The client is unknown or disabled, or its secret is wrong' },
  missing_scope: { detail: 'The scope data:write is required', extra: { required_scope: 'data:write' } },
  insufficient_scope: { detail: 'The token is restricted by `scope`; use one that was requested without `scope`' },
  workspace_forbidden: { detail: 'Access to the workspace is forbidden' },
  workspace_mismatch: { detail: 'The credential belongs to another workspace' },
  bearer_required: { detail: 'A bearer token is required; API keys are not accepted here' },
  user_required: { detail: 'Only users can do this' },
  origin_forbidden: { detail: 'Pages of this origin may not use MCP' },
  portal_link_forbidden: { detail: 'Portal links cannot do this' },
  caller_not_allowed: { detail: 'solutions may not call integrations.resolveSecret' },
  owner_required: { detail: 'Only an owner of the workspace can assign the owner role' },
  records_restricted: { detail: 'The records of the data source are restricted to aggregates' },
  passkey_required: { detail: 'This account signs in with a passkey only' },
  signup_closed: { detail: 'Sign-up is closed' },
  scope_escalation: {
    detail: 'Your credential does not have billing:write',
    extra: { scopes_beyond: ['billing:write'] },
  },
  quota_exceeded: {
    detail: 'The workspace has 200 data sources; 1 more would exceed the limit of 200',
    extra: { quota: 'sources', limit: 200, current: 200 },
  },
  not_found: { detail: 'Not found' },
  provider_not_configured: { detail: 'The provider is not configured' },
  method_not_allowed: { detail: 'The method is not allowed here; allowed: GET, POST, HEAD' },
  request_timeout: { detail: 'The request body did not arrive in time' },
  conflict: { detail: 'The subscription is disabled; enable it first' },
  last_owner: { detail: 'The workspace would be left without an owner' },
  already_member: { detail: 'The user is already a member' },
  role_in_use: { detail: 'The role is in use' },
  name_taken: { detail: 'A role of this workspace has that name' },
  integration_in_use: {
    detail: 'The integration is in use by data_source src_01h455vb4pex5vsknk084sn02q',
    extra: { users: [{ service: 'data', type: 'data_source', id: 'src_01h455vb4pex5vsknk084sn02q' }] },
  },
  integration_disconnected: { detail: 'The integration is disconnected' },
  embeddings_not_connected: {
    detail: 'No model for embeddings is chosen, or its integration is not connected',
    errors: [{ pointer: '?mode', detail: 'requires a model for embeddings: choose one with PATCH /v1/data/embedding' }],
  },
  agent_archived: {
    detail: 'The agent agt_01h455vb4pex5vsknk084sn02q is archived; set its status to active to run it',
  },
  gate_not_passed: {
    detail:
      'Version 2 does not pass the gate. 50 % of the cases pass; the gate requires 100 %. Failing cases: “Desks in Berlin”: The answer lacks “44”',
    extra: {
      version: 2,
      reasons: ['50 % of the cases pass; the gate requires 100 %'],
      evaluation_id: 'eval_01h455vb4pex5vsknk084sn02q',
      pass_rate: 0.5,
      failing_cases: [
        {
          case_id: 'case_01h455vb4pex5vsknk084sn02q',
          name: 'Desks in Berlin',
          outcome: 'failed',
          regression: true,
          reason: 'The answer lacks “44”',
        },
      ],
    },
  },
  conversation_busy: {
    detail: 'The run run_01h455vb4pex5vsknk084sn02q of the conversation is in progress',
    extra: { run_id: 'run_01h455vb4pex5vsknk084sn02q' },
  },
  model_not_configured: { detail: 'The operator has configured no default model' },
  sync_running: { detail: 'A sync is running' },
  idempotency_in_flight: { detail: 'The same request is in progress' },
  secret_not_replayable: {
    detail: 'The first response contained a secret',
    extra: { key_id: 'akey_01h455vb4pex5vsknk084sn02q' },
  },
  cursor_expired: { detail: 'The cursor has expired' },
  content_deleted: { detail: 'The content expired at 2026-01-05T09:30:00.000Z; start another export' },
  precondition_failed: { detail: 'The resource has changed' },
  payload_too_large: { detail: 'The body must have at most 1048576 bytes' },
  unsupported_media_type: { detail: 'The content type must be application/json' },
  idempotency_key_reused: {
    detail: 'The `Idempotency-Key` was sent before with another request; send a new key with a new request',
  },
  rate_limited: { detail: 'The credential rate limit is exceeded; retry in 41 s' },
  header_fields_too_large: { detail: 'The header fields are too large' },
  internal_error: { detail: 'Something went wrong on our side' },
  model_failed: {
    detail: 'api.model.example cannot be reached, or stopped answering: connect ECONNREFUSED',
    extra: {
      run_id: 'run_01h455vb4pex5vsknk084sn02q',
      conversation_id: 'conv_01h455vb4pex5vsknk084sn02q',
      error: {
        code: 'model_unavailable',
        message: 'api.model.example cannot be reached, or stopped answering: connect ECONNREFUSED',
        retryable: false,
      },
    },
  },
  bad_gateway: { detail: 'A service sent an invalid response' },
  service_unavailable: { detail: 'The integrations service is unavailable; retry shortly' },
  embeddings_unavailable: {
    detail: 'The query could not be embedded: the integrations service is unavailable',
  },
  search_timeout: {
    detail: 'The search did not end within 5000 ms; use fewer words and phrases, or name `data_source_ids`',
  },
  gateway_timeout: { detail: 'A service took too long' },
}
