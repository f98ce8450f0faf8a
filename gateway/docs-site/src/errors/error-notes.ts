import type { ErrorCode } from '@wp/contracts'

/** The cause of each error. Markdown of one line. */
export const errorNotes: Readonly<Record<ErrorCode, string>> = {
  malformed_request:
    'The head of the request could not be read: a header field, the method or the target breaks the syntax of HTTP.',
  malformed_body:
    'The body could not be parsed: for example JSON with a trailing comma or with a name twice in one object, text that is not UTF-8, or a body without its end.',
  validation_failed:
    'The body or a parameter breaks a rule. Each entry of `errors` has a JSON Pointer into the body, or `?name` of a parameter, and what is expected. Unknown fields and parameters are refused too, so that a misspelt one is not ignored.',
  workspace_required:
    'The credential is that of a user with several workspaces, so the request must name one. API keys and service principals have exactly one and need no header.',
  ambiguous_credentials:
    'The request has both `Authorization` and `x-api-key`, or one of them twice. It is refused because it could run as another principal than you expect.',
  unknown_reference:
    'A field of the body names a resource that does not exist in this workspace. `errors` names the field.',
  unknown_event_kind: 'A subscription selects a kind that does not exist. `errors` names the place in `events`.',
  invalid_endpoint:
    'Webhooks and integrations reach public HTTPS addresses only. Private networks, other schemes, and addresses with a user name are refused. To receive webhooks on your own machine, run `wp webhooks listen`, or give the receiver a certificate of `npm run certificate`.',
  ambiguous_format:
    'The values of a column admit two readings, such as `01/02/2026` or `1.386`, and no other value decides between them. `errors` shows both readings of three rows. Nothing was stored.',
  unexpected_format:
    'The file is of another type, encoding or structure than those the source has read so far, such as a sign-in page in place of CSV, or other decimal marks. `detail` states the difference. Nothing was stored or deleted.',
  too_many_deletions:
    'A full sync or upload did not contain most of the records that the source has, which is usually a fault of the file or feed. Nothing was deleted. `max_deletion_share` in the config of the source sets the limit.',
  series_too_short:
    'The models need a number of past steps to be tested on. `detail` says how many this frequency and horizon need.',
  invalid_cursor: 'The cursor belongs to another list, filter, resource or user, or a part of it is missing.',
  invalid_request:
    'A parameter of the token request is missing, is given twice, or contradicts another one, such as a client secret both in the body and as HTTP Basic. `errors` names it.',
  unsupported_grant_type:
    '`grant_type` is not one of `client_credentials`, `refresh_token` and `authorization_code`. There is no password grant: users sign in with a code by mail or with a provider.',
  unsupported_token_type:
    'An API key was sent to `POST /v1/auth/revoke`, which ends tokens and sessions (RFC 7009). Keys are resources of a workspace.',
  invalid_scope:
    '`scope` has a name that does not exist, or none that the principal has. An existing scope beyond those of the principal is left out as long as another one remains.',
  invalid_target:
    '`resource` is not an address of this platform, or not the one that was granted to the client before.',
  invalid_invitation:
    'The invitation does not exist, was accepted or withdrawn before, has expired, or its user is disabled. The response is the same for all of them.',
  invalid_grant:
    'The refresh token, authorization code or login code is unknown, expired, already used, or was issued to another client. An old refresh token that is used again ends its session.',
  missing_credential:
    'The request has no credential, or it is in the wrong header: an API key goes into `x-api-key`, a token into `Authorization: Bearer`.',
  invalid_credential:
    'The key or token is unknown here. Most often a character is missing, or it belongs to the other environment: production and sandbox have separate credentials.',
  invalid_login:
    'The code or link is wrong, was used before, has expired, or is no longer accepted after five wrong codes. A code of a provider is also refused without the `code_verifier` that began the sign-in.',
  expired_credential: 'The token or key has reached its `expires_at`. Access tokens are valid for one hour.',
  revoked_credential:
    'The key was deleted or rotated, the session was ended, or its member or service principal was removed.',
  invalid_token:
    'The token was issued for one resource (`resource`, RFC 8707), for example the MCP endpoint, and is used for another.',
  reauthentication_required:
    'The operation is sensitive, and the last sign-in of the session is more than ten minutes ago.',
  invalid_client: 'The client id is unknown, or the client secret is wrong or was rotated.',
  missing_scope:
    'The credential is valid, but its scopes do not include the one that the operation needs. `detail` names it. `write` does not include `read`.',
  insufficient_scope:
    'The token was narrowed with `scope`. This operation has no scope of its own, so a narrowed token never reaches it.',
  workspace_forbidden: '`x-workspace-key` names a workspace of which the user is not a member.',
  workspace_mismatch: '`x-workspace-key` names another workspace than the one of the key or token.',
  bearer_required:
    'Keys, service principals and sessions are managed with an access token only: a leaked API key cannot make further credentials.',
  user_required: 'The operation is about a person: a profile or a session. Keys and service principals have none.',
  origin_forbidden: 'A page in a browser sent the request, and the operator has not allowed its origin.',
  portal_link_forbidden:
    'The credential is that of a webhook portal link. It reaches the webhooks of one customer, by the endpoints that the portal uses, and nothing else.',
  caller_not_allowed:
    'A service of the platform called an internal operation that does not list it as a caller. Requests through the public address never get it.',
  owner_required:
    'Deleting the workspace, making someone an owner and restricting the records of a data source are for owners alone, whatever scopes a role has.',
  records_restricted:
    'The data source has `record_access: "aggregates"`: no credential reads its records. Forecasts of it and its schema are available.',
  passkey_required:
    'The user has chosen to sign in with passkeys only, and this proof is another one. It is told only to who has proved the mailbox or the identity at the provider.',
  signup_closed:
    'The operator admits only people who were invited, and the mail address of this sign-in has neither an account nor an invitation.',
  scope_escalation: 'A key, role or invitation would have a scope that the one who creates it does not have.',
  quota_exceeded:
    'The change would exceed a limit of the plan. `quota` names it; `limit` and `current` say how much is allowed and used. `GET /v1/system/usage` shows all of them.',
  not_found:
    'Nothing exists at this path or with this id. A resource of another workspace gets the same response, so that ids cannot be probed.',
  provider_not_configured: 'The operator of the platform has not set up signing in with this provider.',
  method_not_allowed: 'The path exists, but not with this method. `Allow` lists the methods.',
  request_timeout: 'The body stopped arriving. Nothing was changed.',
  conflict: 'The resource is in a state that does not allow the change, for example a job that has already ended.',
  last_owner: 'The change would leave the workspace without an owner. Two such changes at once cannot do it either.',
  already_member: 'The mail address of the invitation belongs to an active member of the workspace.',
  role_in_use: 'Members or pending invitations have the role, and they would be left without one.',
  name_taken: 'Another role of the workspace has this name. The built-in names are taken too.',
  integration_in_use: 'Data sources, agents or settings use the integration. `users` lists them.',
  integration_disconnected:
    'The integration was disconnected, so its secrets are not used: neither for a test nor by data sources and agents.',
  embeddings_not_connected:
    'A search by meaning (`semantic`, or a further page of `hybrid`) needs embeddings. The workspace has chosen no model for them, or the integration of the model is not connected.',
  agent_archived: 'Archived agents are kept with their versions and runs, and cannot be run.',
  gate_not_passed:
    'The agent has a gate, and the version has no finished evaluation with the cases as they are now, too few of them pass, or one fails that passes with the active version. `reasons` and `failing_cases` say which.',
  conversation_busy: 'A conversation has one run at a time. `run_id` names the run in progress.',
  model_not_configured:
    'The model `default` was named, and the operator has not set up a language model. `local` needs none.',
  sync_running: 'The source has a queued or running sync. Another one would read the same rows.',
  idempotency_in_flight: 'The first request with this key has not ended yet.',
  secret_not_replayable:
    'The first request succeeded and its response contained a secret, which is not stored. The id of the resource is in the response.',
  cursor_expired:
    'The ranking of a search is kept for an hour from its second page on. It is deleted earlier if the workspace begins many searches or the database restarts after a failure.',
  content_deleted:
    'The file of the export was deleted after its retention. The export itself, with its counts and its hash, remains readable.',
  precondition_failed: '`If-Match` does not match: the resource was changed since you read it.',
  payload_too_large: 'The body is larger than the operation accepts: 1 MiB of JSON, or 1 GiB of rows.',
  unsupported_media_type: '`Content-Type` is not one that the operation accepts, or the body has a content coding.',
  idempotency_key_reused:
    'The key was used in the last 24 hours for another body. The request was refused, because one of both would have been lost.',
  rate_limited:
    'More requests arrived in this minute than the limit allows. `RateLimit` says which policy is exhausted, and `Retry-After` when the window ends.',
  header_fields_too_large:
    'The header of the request has more bytes or more fields than the platform reads. Large cookies and long tokens are the usual cause.',
  internal_error:
    'Something failed on our side. It was logged with the `request_id`. The change was not made, or made completely.',
  model_failed:
    'The provider of the language model failed or rejected the request. The question stays in the conversation.',
  bad_gateway: 'A service closed the connection before its response was complete. The change may have been made.',
  service_unavailable: 'A service is starting, overloaded, or unreachable for the edge.',
  embeddings_unavailable:
    'The provider of the embedding model did not answer, answered with an error, or could not be reached, so the words of the query have no vector to compare. Only searches that need one fail; `hybrid` falls back to words and says so in `meta.warnings`.',
  search_timeout:
    'The search reached its time limit, or waited for it because too many searches of the workspace were running. `detail` says which.',
  gateway_timeout: 'A service did not respond in time. The change may have been made.',
}
