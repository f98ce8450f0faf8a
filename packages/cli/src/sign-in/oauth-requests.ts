import type { SessionTokens } from '@wp/contracts'

/** The part of the metadata of the authorization server (RFC 8414) that a sign-in needs. */
export interface ServerMetadata {
  issuer: string
  authorization_endpoint: string
  registration_endpoint: string
  token_endpoint: string
  scopes_supported: readonly string[]
}

const timeoutMs = 30_000

export const readMetadata = async (baseUrl: string): Promise<ServerMetadata> =>
  (await request(`${baseUrl}/.well-known/oauth-authorization-server`)) as unknown as ServerMetadata // by RFC 8414

/** Registers this program (RFC 7591) and returns its client id. The platform stores nothing. */
export async function registerClient(
  { registration_endpoint }: ServerMetadata,
  name: string,
  redirectUri: string,
): Promise<string> {
  const { client_id } = await request(registration_endpoint, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
  })
  return String(client_id)
}

/** Exchanges an authorization code (RFC 6749 section 4.1.3, RFC 7636). */
export async function exchangeCode(
  { token_endpoint }: ServerMetadata,
  grant: { clientId: string; code: string; verifier: string; redirectUri: string },
): Promise<SessionTokens> {
  const { data } = await request(token_endpoint, {
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: grant.clientId,
      code: grant.code,
      code_verifier: grant.verifier,
      redirect_uri: grant.redirectUri,
    }),
  })
  return data as SessionTokens // declared by the contract of the token endpoint
}

/** @throws Error with the detail of an error response */
async function request(
  url: string,
  post?: { headers?: Record<string, string>; body: string | URLSearchParams },
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    ...(post === undefined ? {} : { method: 'POST', ...post }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const body = (await response.json()) as Record<string, unknown> // the platform responds with objects
  if (response.ok) return body
  throw new Error(String(body.error_description ?? body.detail ?? `${url} responded with status ${response.status}`))
}
