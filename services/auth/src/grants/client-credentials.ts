import { invalidField, problem } from '@wp/contracts'
import { isUserClientId } from '../clients/registered-client.ts'
import { publicClientId } from '../tokens/access-token.ts'

export interface ClientCredentials {
  clientId: string
  clientSecret: string
}

export interface ClientParameters {
  /** The `Authorization` header. */
  authorization?: string | undefined
  client_id?: string | undefined
  client_secret?: string | undefined
}

/** The single error for all authentication failures, whether the client is unknown or disabled or its secret wrong. */
export const invalidClient = (fields: Record<string, string> = {}) =>
  problem('invalid_client', {
    detail: 'The client is unknown or disabled, or its secret is wrong',
    headers: { 'www-authenticate': 'Basic realm="token", charset="UTF-8"', ...fields },
  })

/**
 * Reads client credentials from HTTP Basic or the body (RFC 6749 section 2.3.1). Ignores other authorization schemes.
 * @throws Problem `invalid_request` if they are incomplete or given in both places; `invalid_client` for a malformed
 *   header
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
    throw invalidField('/client_secret', 'must not be sent together with HTTP Basic', 'invalid_request')
  if (client_id !== undefined && client_id !== basic.clientId)
    throw invalidField('/client_id', 'must equal the client id of HTTP Basic', 'invalid_request')
  return basic
}

/**
 * Returns true if the request names a public client or no client. An empty secret counts as none (RFC 6749 section
 * 2.3.1).
 * @throws Problem `invalid_client` if a secret is sent for a public client
 */
export function isPublicClient({ authorization, client_id, client_secret }: ClientParameters): boolean {
  const basic = authorization === undefined ? undefined : readBasic(authorization)
  const clientId = basic?.clientId ?? client_id
  const secret = basic?.clientSecret ?? client_secret ?? ''
  if (clientId !== undefined && clientId !== publicClientId && !isUserClientId(clientId)) return false
  if (secret !== '') throw invalidClient()
  return true
}

/**
 * Returns the id of the public client that a request names; undefined if it names none.
 * @throws Problem `invalid_client` if it names a client with a secret, or sends a secret
 */
export function readPublicClientId(parameters: ClientParameters): string | undefined {
  if (!isPublicClient(parameters)) throw invalidClient()
  const { authorization, client_id } = parameters
  const basic = authorization === undefined ? undefined : readBasic(authorization)
  return basic?.clientId ?? client_id
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

/** Decodes the form encoding of both parts: `+` is a space, `%` starts an octet. */
const decodeFormValue = (text: string): string => decodeOrReject(() => decodeURIComponent(text.replaceAll('+', ' ')))

function decodeOrReject(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw invalidClient()
  }
}
