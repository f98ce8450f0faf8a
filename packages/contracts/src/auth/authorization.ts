import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { resourceParameter } from '../core/shape/resource.ts'

/** Longest query of an authorization request that the forms of its pages carry. */
const maxQueryLength = 30_000

/**
 * Query of an authorization request. Every parameter is optional here, because its error is a page or a redirect to the
 * client. RFC 6749 section 3.1: unknown parameters are ignored.
 */
const authorizationRequest = z.object({
  response_type: z.string().max(100).optional(),
  client_id: z.string().max(1000).optional(),
  redirect_uri: z.string().max(2000).optional(),
  scope: z.string().max(2000).optional(),
  state: z.string().max(2000).optional(),
  code_challenge: z.string().max(200).optional(),
  code_challenge_method: z.string().max(20).optional(),
  resource: resourceParameter(),
})

/** The query of the authorization request that a page belongs to. */
const authorization = z.string().max(maxQueryLength)

const words = z.array(z.string().max(200)).max(50).optional()

/** Metadata of a client (RFC 7591 section 2); unknown members are ignored. */
const ClientRegistration = z
  .object({
    client_name: z.string().max(200).optional().describe('Name that users see when they are asked to allow the client'),
    redirect_uris: z
      .array(z.string().max(2000))
      .max(50)
      .optional()
      .describe('Addresses to which users may be sent back'),
    grant_types: words.describe('If given, must contain `authorization_code`; the client gets it and `refresh_token`'),
    response_types: words.describe('If given, must contain `code`'),
    token_endpoint_auth_method: z.string().max(100).optional().describe('If given, must be `none`: clients are public'),
  })
  .meta({ id: 'ClientRegistration' })

/** The response of a registration (RFC 7591 section 3.2.1). */
const RegisteredClient = z
  .object({
    client_id: z.string().describe('Identifier of the client, which holds its metadata'),
    client_id_issued_at: z.int().describe('Seconds since 1970'),
    client_name: z.string().optional().describe('Name that users see; absent without one'),
    redirect_uris: z.array(z.string()).describe('Addresses to which users may be sent back'),
    grant_types: z.array(z.string()).describe('Grants that the client can use'),
    response_types: z.array(z.string()).describe('Responses of the authorization endpoint that it can use'),
    token_endpoint_auth_method: z.string().describe('How it authenticates at the token endpoint: not at all'),
  })
  .meta({ id: 'RegisteredClient' })

/** RFC 7591 section 3.2.2. */
const RegistrationError = z
  .object({
    error: z.string().describe('Code of the error (RFC 7591 section 3.2.2)'),
    error_description: z.string().describe('The error in words, in ASCII'),
  })
  .meta({ id: 'RegistrationError' })

/**
 * Common to the pages of an authorization, which users open in a browser. The cookie identifies the browser's session.
 */
const browserPage = {
  credentials: 'none',
  workspace: 'none',
  headers: ['cookie', 'sec-fetch-site'],
  response: 'html-or-redirect',
} as const

/** Authorization of clients by users (RFC 6749 section 4.1, with PKCE), in a browser. */
export const authAuthorization = declareEndpoints('auth', {
  registerClient: {
    method: 'POST',
    path: '/v1/auth/register',
    summary: 'Register a client that has no client id metadata document (RFC 7591)',
    description:
      'Takes `client_name` and `redirect_uris`; the client becomes a public client of the authorization code grant. Nothing is stored: the `client_id` of the response holds the metadata. Prefer a client id metadata document, whose host users can see.',
    credentials: 'none',
    workspace: 'none',
    body: ClientRegistration,
    response: 'http',
    httpResponses: {
      201: { description: 'The client was registered', content: { 'application/json': RegisteredClient } },
      400: {
        description: 'The metadata or the request is not valid: `invalid_redirect_uri`, or a problem with `error`',
        content: { 'application/json': RegistrationError },
      },
    },
    limitClass: 'token',
    errors: ['invalid_request'],
  },
  authorize: {
    method: 'GET',
    path: '/v1/auth/authorize',
    summary: 'Ask the user in the browser to authorize a client (authorization code with PKCE)',
    description:
      '`client_id` is the https URL of a client id metadata document, or the id of a registered client. `redirect_uri` must be one of its `redirect_uris`; a loopback address matches with any port. `code_challenge` with `code_challenge_method=S256` is required. `scope` limits the permissions, `resource` the audience (RFC 8707). The browser returns with `code`, `state` and `iss` (RFC 9207), or with `error`. Errors of `client_id` and `redirect_uri` are shown on a page.',
    ...browserPage,
    query: authorizationRequest,
    repeatable: ['resource'],
  },
  decideAuthorization: {
    method: 'POST',
    path: '/v1/auth/authorize',
    summary: 'Allow or deny a client, from the page that names it',
    ...browserPage,
    input: 'form',
    body: z.strictObject({
      consent: z.string().max(20_000).optional(),
      workspace_id: z.string().max(100).optional(),
      decision: z.string().max(20).optional(),
    }),
  },
  startAuthorizationLogin: {
    method: 'POST',
    path: '/v1/auth/authorize/login',
    summary: 'Request a sign-in mail, from the page of an authorization',
    ...browserPage,
    input: 'form',
    body: z.strictObject({ authorization, email: z.string().max(1_000).optional() }),
    errors: ['rate_limited'],
  },
  verifyAuthorizationLogin: {
    method: 'POST',
    path: '/v1/auth/authorize/verify',
    summary: 'Sign in with the code of the mail, from the page of an authorization',
    ...browserPage,
    input: 'form',
    body: z.strictObject({ authorization, code: z.string().max(64).optional() }),
    errors: ['rate_limited'],
  },
})
