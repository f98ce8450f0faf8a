import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { SessionTokenResponse } from './shapes/session-shapes.ts'
import { TokenRequest, TokenResponse } from './shapes/shapes.ts'

const common = {
  scope: z.string().max(2000).optional().describe('Limits the scopes of the token; separated by spaces'),
  resource: z
    .string()
    .max(2000)
    .optional()
    .describe(
      'Resource that the token is for (RFC 8707): the base address, or the address of the MCP endpoint. In a form it may occur several times',
    ),
}

const workspace = {
  workspace_id: id('ws').optional().describe('Workspace that the token belongs to'),
}

const ClientCredentialsForm = z
  .strictObject({
    grant_type: z.literal('client_credentials').optional().describe('Required in a form'),
    client_id: z.string().max(1000).optional().describe('Absent if sent by HTTP Basic'),
    client_secret: z.string().max(500).optional().describe('Absent if sent by HTTP Basic'),
    ...workspace,
    ...common,
  })
  .meta({ id: 'ClientCredentialsForm', description: 'Form A: a service principal (RFC 6749 section 4.4)' })

const RefreshTokenForm = z
  .strictObject({
    grant_type: z.literal('refresh_token').optional().describe('Required in a form'),
    refresh_token: z.string().max(1000).describe('The refresh token of the last response; works once'),
    client_id: z.string().max(1000).optional().describe('The client of the session; default: the console'),
    ...workspace,
    ...common,
  })
  .meta({ id: 'RefreshTokenForm', description: 'Form B: the next tokens of a session (RFC 6749 section 6)' })

const AuthorizationCodeForm = z
  .strictObject({
    grant_type: z.literal('authorization_code').optional().describe('Required in a form'),
    code: z.string().max(1000).describe('The code of the redirect; works once, for 60 seconds'),
    redirect_uri: z.string().max(2000).describe('The address of the redirect'),
    code_verifier: z.string().min(43).max(128).describe('The verifier of the challenge (RFC 7636)'),
    client_id: z.string().max(1000).describe('The client that was authorized'),
    ...workspace,
    ...common,
  })
  .meta({ id: 'AuthorizationCodeForm', description: 'Form C: a client that a user has authorized, with PKCE' })

/** The forms of a token request, for the OpenAPI document. The operation itself checks the fields, as OAuth demands. */
const TokenForms = z.xor([ClientCredentialsForm, RefreshTokenForm, AuthorizationCodeForm])

/** Token exchange, and the public keys and metadata of the authorization server. */
export const tokenEndpoints = declareEndpoints('auth', {
  exchangeToken: {
    method: 'POST',
    path: '/v1/auth/token',
    summary:
      'Exchange the credentials of a service principal, a refresh token or an authorization code for an access token',
    description:
      'Form A: client_id and client_secret, in the body (JSON, or form-encoded with grant_type=client_credentials) or as HTTP Basic. RFC 6749 section 4.4. Form B: refresh_token (JSON, or form-encoded with grant_type=refresh_token), which works once: the response contains the next one. A repeated request gets the same response for ten seconds; a later one ends the session. A client other than the console sends its `client_id`. Form C: code, redirect_uri, code_verifier and client_id, with grant_type=authorization_code (RFC 6749 section 4.1.3, RFC 7636); the code works once, for 60 seconds, and using it again ends the session. `workspace_id` embeds a workspace in the new access token, `scope` limits its scopes, `resource` limits its audience (RFC 8707).',
    credentials: 'none',
    input: 'form',
    headers: ['authorization', 'content-type'],
    body: TokenRequest,
    documentedBody: TokenForms,
    repeatable: ['resource'],
    bare: z.union([SessionTokenResponse, TokenResponse]),
    setsHeaders: true,
    limitClass: 'token',
    errors: [
      'invalid_request',
      'invalid_client',
      'invalid_grant',
      'invalid_scope',
      'invalid_target',
      'unsupported_grant_type',
      'rate_limited',
    ],
  },
  keySet: {
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'The public keys that verify access tokens (RFC 7517)',
    description:
      'Verify access tokens with these keys instead of asking the platform about each one. The set holds the current key, the next one, and earlier ones whose tokens are still valid. Cache it, and read it again when a token names a key you do not have.',
    credentials: 'none',
    limitClass: 'metadata',
    bare: z.object({
      keys: z.array(z.record(z.string(), z.unknown())).describe('Public keys as JWKs (RFC 7517)'),
    }),
  },
  serverMetadata: {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Authorization server metadata (RFC 8414)',
    description:
      'The addresses and abilities of the authorization server, by which OAuth clients configure themselves: endpoints, grant types, ways to authenticate, and scopes.',
    credentials: 'none',
    limitClass: 'metadata',
    bare: z.record(z.string(), z.unknown()),
  },
})
