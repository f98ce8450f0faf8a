import {
  type authAuthorization,
  clientScopes,
  grantScopes,
  type InputOf,
  mcpScopes,
  Problem,
  type Scope,
} from '@wp/contracts'
import type { Client } from '../clients/client-metadata.ts'
import { matchesRedirectUri } from '../clients/redirect-uri.ts'
import { audienceForResources, onlyResourceOf } from '../tokens/access-token.ts'

/** The query of the authorization endpoint. */
export type AuthorizationQuery = InputOf<typeof authAuthorization.authorize>['query']

/** A valid authorization request of a client. */
export interface ClientAuthorizationRequest extends ResponseTarget {
  client: Client
  codeChallenge: string
  /** The scopes asked for; the user may have fewer. */
  scopes: readonly Scope[]
  /** The only resource of the tokens (RFC 8707); undefined for all. */
  resource: string | undefined
}

/** An error that is sent to the client. */
interface RequestRejection {
  error: AuthorizationErrorCode
  description: string
}

const rejection = (error: AuthorizationErrorCode, description: string): RequestRejection => ({ error, description })

/**
 * Returns the redirect URI of a request if it is one of the client's. Otherwise no error may be sent there (RFC 6749
 * section 4.1.2.1): any page could use this one to redirect anywhere.
 */
export const findRedirectUri = ({ redirectUris }: Client, requested: string | undefined): string | undefined =>
  redirectUris.some((registered) => requested !== undefined && matchesRedirectUri(registered, requested))
    ? requested
    : undefined

/** Checks the parameters of a request whose client and redirect URI are known. */
export function checkAuthorizationRequest(
  publicBaseUrl: string,
  client: Client,
  target: ResponseTarget,
  query: AuthorizationQuery,
): ClientAuthorizationRequest | RequestRejection {
  const { response_type: responseType, code_challenge: codeChallenge, code_challenge_method: method } = query
  if (responseType === undefined) return rejection('invalid_request', 'response_type is required')
  if (responseType !== 'code') return rejection('unsupported_response_type', 'response_type must be code')
  if (codeChallenge === undefined) return rejection('invalid_request', 'code_challenge is required (PKCE)')
  if (method !== 'S256') return rejection('invalid_request', 'code_challenge_method must be S256')
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge))
    return rejection('invalid_request', 'code_challenge must be the base64url SHA-256 of the verifier')
  // A client that names no scopes gets those of the MCP tools.
  const scopes = grantScopes(query.scope ?? mcpScopes.join(' '), clientScopes)
  if (scopes === null)
    return rejection('invalid_scope', 'scope must contain only known scopes, at least one of which a client may have')
  const audience = readAudience(publicBaseUrl, query.resource)
  if (audience instanceof Problem) return rejection('invalid_target', audience.detail)
  return { client, ...target, codeChallenge, scopes, resource: onlyResourceOf(audience) }
}

function readAudience(publicBaseUrl: string, resources: readonly string[] | undefined): string[] | Problem {
  try {
    return audienceForResources(publicBaseUrl, resources)
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_target') return error
    throw error
  }
}

/** The path of the authorization endpoint. */
const path = '/v1/auth/authorize'

/**
 * Returns the address of an authorization request, to which the browser returns after the sign-in. The query comes from
 * a form and is checked again there; the path and origin are ours, so it leads nowhere else.
 */
export const authorizationAddress = (publicBaseUrl: string, query: string): string =>
  `${publicBaseUrl}${path}?${new URLSearchParams(query)}`

/** Returns true if an address is one of an authorization request. */
export const isAuthorizationAddress = (publicBaseUrl: string, address: string): boolean =>
  address.startsWith(`${publicBaseUrl}${path}?`)

/** The error codes of an authorization response (RFC 6749 section 4.1.2.1, RFC 8707 section 2). */
type AuthorizationErrorCode =
  | 'invalid_request'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'

/** The target of the response to an authorization request. */
interface ResponseTarget {
  /** Compared with the redirect URIs of the client. */
  redirectUri: string
  state: string | undefined
}

type ResponseParameters = { code: string } | { error: AuthorizationErrorCode; error_description: string }

/**
 * Returns the URL of an authorization response: the redirect URI, whose own query stays, with the parameters, `state`
 * and `iss` (RFC 9207).
 */
export function authorizationResponseUrl(
  issuer: string,
  { redirectUri, state }: ResponseTarget,
  parameters: ResponseParameters,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...parameters, state, iss: issuer }))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** Returns the URI with the query parameter set. */
export function addQueryParameter(uri: string, name: string, value: string): string {
  const url = new URL(uri)
  url.searchParams.set(name, value)
  return url.href
}
