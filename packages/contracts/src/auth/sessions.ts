import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { listQuery } from '../core/shape/shape.ts'
import { RevokeRequest, Session, sessionPath } from './shapes/session-shapes.ts'

/** Sessions, sign-out and token revocation. */
export const authSessions = declareEndpoints('auth', {
  logout: {
    method: 'POST',
    path: '/v1/auth/logout',
    summary: 'End the session of the bearer token, or revoke the token if it has no session',
    description:
      'All tokens of the session, including refresh tokens, stop working within a second. The token of a service principal has no session; only that token is revoked.',
    credentials: ['bearer'],
    workspace: 'none',
    // The holder of a token can end its session at `revoke` too.
    acceptsDownscopedTokens: true,
    ok: z.object({
      id: z.string().describe('The session, or the token of a service principal'),
      ended: z.literal(true).describe('Always true'),
    }),
    audit: { action: 'session.ended', target: 'session' },
  },
  revokeToken: {
    method: 'POST',
    path: '/v1/auth/revoke',
    summary: 'Revoke a token (RFC 7009)',
    description:
      'Revoking a refresh token, or the access token of a user, ends its session; send `client_id=console`, no client, or the client that the session was granted to. The access token of a service principal is revoked individually, and only for that client, which authenticates by HTTP Basic or in the body. The response for an unknown or expired token is the same as for a revoked one.',
    credentials: 'none',
    input: 'form',
    headers: ['authorization'],
    body: RevokeRequest,
    ok: z.object({ revoked: z.literal(true).describe('Always true, also for an unknown token') }),
    limitClass: 'token',
    errors: ['invalid_request', 'invalid_client', 'invalid_grant', 'unsupported_token_type', 'rate_limited'],
  },
  listSessions: {
    method: 'GET',
    path: '/v1/auth/sessions',
    summary: 'List the active sessions of the signed-in user',
    description:
      'Lists where the user is signed in, with address and program. `current` marks the session of this request.',
    credentials: ['bearer'],
    principals: ['user'],
    workspace: 'none',
    query: listQuery({}),
    list: Session,
  },
  endSession: {
    method: 'DELETE',
    path: '/v1/auth/sessions/{id}',
    summary: 'End a session of the signed-in user; its tokens stop working within a second',
    description: 'Signs the user out at that place: its refresh token and access tokens are revoked.',
    credentials: ['bearer'],
    principals: ['user'],
    workspace: 'none',
    params: sessionPath,
    deleted: 'id',
    audit: { action: 'session.ended', target: 'session' },
  },
})
