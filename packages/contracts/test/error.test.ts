import { describe, expect, it } from '@jest/globals'
import { type ErrorCode, errorCodes, errors, invalidField, Problem, problem, problemBody } from '../src/index.ts'

/** The status of every code. Clients depend on it, so a code never moves to another status. */
const byStatus: Record<number, string> = {
  400: `malformed_request malformed_body validation_failed ambiguous_format unexpected_format workspace_required ambiguous_credentials unknown_reference unknown_event_kind
    invalid_endpoint series_too_short invalid_cursor invalid_request unsupported_grant_type invalid_scope invalid_target
    unsupported_token_type
    invalid_grant invalid_invitation`,
  401: 'reauthentication_required missing_credential invalid_credential expired_credential revoked_credential invalid_token invalid_client invalid_login',
  403: `missing_scope insufficient_scope workspace_forbidden workspace_mismatch bearer_required user_required origin_forbidden caller_not_allowed
    scope_escalation quota_exceeded signup_closed passkey_required owner_required records_restricted portal_link_forbidden`,
  404: 'not_found provider_not_configured',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: `conflict sync_running too_many_deletions idempotency_in_flight secret_not_replayable last_owner already_member role_in_use name_taken
    integration_in_use integration_disconnected embeddings_not_connected agent_archived conversation_busy gate_not_passed
    model_not_configured`,
  410: 'content_deleted cursor_expired',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'idempotency_key_reused',
  429: 'rate_limited',
  431: 'header_fields_too_large',
  500: 'internal_error',
  502: 'model_failed bad_gateway',
  503: 'service_unavailable embeddings_unavailable search_timeout',
  504: 'gateway_timeout',
}

describe('the error catalogue', () => {
  it('has the published status for each code', () => {
    const expected = Object.entries(byStatus).flatMap(([status, codes]) =>
      codes.split(/\s+/).map((code) => [code, Number(status)]),
    )
    const declared = errorCodes.map((code) => [code, errors[code].status])
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(expected))
  })

  it.each(errorCodes)('%s has a title and a help text', (code) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(errors[code].title).toMatch(/^[A-Z`].*[^.]$/)
    expect(errors[code].help).toMatch(/\.$/)
  })
})

describe('a problem', () => {
  it('has a body without its cause', () => {
    const thrown = problem('validation_failed', {
      detail: '/name: is required',
      errors: [{ pointer: '/name', detail: 'is required' }],
      extra: { required: 3 },
      cause: new Error('for the operator only'),
    })
    const body = problemBody(thrown, 'https://api.example.com', 'req-12345678')
    expect(body).toEqual({
      success: false,
      type: 'https://api.example.com/docs/errors/validation_failed',
      title: 'The request is not valid',
      status: 400,
      code: 'validation_failed',
      detail: '/name: is required',
      request_id: 'req-12345678',
      errors: [{ pointer: '/name', detail: 'is required' }],
      required: 3,
    })
    expect(thrown.cause).toEqual(new Error('for the operator only'))
  })

  it('has its title as detail, and no field errors, when none are given', () => {
    const body = problemBody(problem('not_found'), 'https://api.example.com', 'req-12345678')
    expect(body).toMatchObject({ detail: 'Not found', status: 404 })
    expect(body).not.toHaveProperty('errors')
  })

  it('is created from one invalid field with a code of its own', () => {
    const thrown = invalidField('/endpoint', 'must be https', 'invalid_endpoint')
    expect(thrown).toBeInstanceOf(Problem)
    expect(thrown).toMatchObject({
      code: 'invalid_endpoint' satisfies ErrorCode,
      status: 400,
      message: '/endpoint: must be https',
      errors: [{ pointer: '/endpoint', detail: 'must be https' }],
    })
  })
})
