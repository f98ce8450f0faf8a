/** The error codes of an authorization response (RFC 6749 section 4.1.2.1, RFC 8707 section 2). */
export type AuthorizationErrorCode =
  | 'invalid_request'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'

/** The target of the response to an authorization request. */
export interface ResponseTarget {
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
