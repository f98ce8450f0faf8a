import { invalidField, problem } from '@wp/contracts'

/** How a client says who it is. */
export interface ClientCredentials {
  clientId: string
  clientSecret: string
}

export interface ClientParameters {
  /** The header field, as it was sent. */
  authorization?: string | undefined
  client_id?: string | undefined
  client_secret?: string | undefined
}

/** The one answer to every client that is not let in, whatever the reason: unknown, wrong secret, disabled. */
export const invalidClient = (fields: Record<string, string> = {}) =>
  problem('invalid_client', {
    detail: 'The client is not known, its secret is wrong, or it may not be used',
    headers: { 'www-authenticate': 'Basic realm="token", charset="UTF-8"', ...fields },
  })

/**
 * Reads client credentials from HTTP Basic or the body (RFC 6749 section 2.3.1). Another authorization scheme is none
 * of ours and does not count.
 * @throws Problem `invalid_request` when they are given in both places or incompletely; `invalid_client` for a header
 *   that cannot be read
 */
export function readClientCredentials({
  authorization,
  client_id,
  client_secret,
}: ClientParameters): ClientCredentials {
  const basic = authorization === undefined ? undefined : readBasic(authorization)
  if (basic === undefined) {
    if (client_id === undefined) throw invalidField('/client_id', 'is required', 'invalid_request')
    if (client_secret === undefined) throw invalidField('/client_secret', 'is required', 'invalid_request')
    return { clientId: client_id, clientSecret: client_secret }
  }
  if (client_secret !== undefined)
    throw invalidField('/client_secret', 'must not be given beside HTTP Basic', 'invalid_request')
  if (client_id !== undefined && client_id !== basic.clientId)
    throw invalidField('/client_id', 'must be the one of HTTP Basic', 'invalid_request')
  return basic
}

/** The platform's own client, which people sign in with. It is public: it has no secret (RFC 6749 section 2.1). */
export const publicClientId = 'console'

/**
 * Whether a request comes from the public client: it says so, or says nothing of a client. An empty secret is none
 * (RFC 6749 section 2.3.1).
 * @throws Problem `invalid_client` where the public client is said to have a secret
 */
export function isPublicClient({ authorization, client_id, client_secret }: ClientParameters): boolean {
  const basic = authorization === undefined ? undefined : readBasic(authorization)
  const clientId = basic?.clientId ?? client_id
  const secret = basic?.clientSecret ?? client_secret ?? ''
  if (clientId !== undefined && clientId !== publicClientId) return false
  if (secret !== '') throw invalidClient()
  return true
}

function readBasic(authorization: string): ClientCredentials | undefined {
  const [scheme, encoded] = authorization.trim().split(/ +/, 2)
  if (scheme?.toLowerCase() !== 'basic') return undefined
  if (encoded === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) throw invalidClient()
  const pair = decodeOrReject(() => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64')))
  const colon = pair.indexOf(':')
  if (colon < 0) throw invalidClient()
  return { clientId: decodeFormValue(pair.slice(0, colon)), clientSecret: decodeFormValue(pair.slice(colon + 1)) }
}

/** Both halves travel form-encoded: `+` is a blank, `%` begins an octet. */
const decodeFormValue = (text: string): string => decodeOrReject(() => decodeURIComponent(text.replaceAll('+', ' ')))

function decodeOrReject(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw invalidClient()
  }
}
