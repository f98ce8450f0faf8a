import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { problem } from '@wp/contracts'

/** The credential of a request. */
export interface RequestCredential {
  kind: 'bearer' | 'apiKey'
  value: string
  /** SHA-256 of the value, hexadecimal; caches use it as key, so that they hold no credential. */
  digest: string
}

/** The unverified claims of a request: its credential and the workspace it selects. */
export interface RequestClaims {
  credential: RequestCredential | undefined
  /** `x-workspace-key`. */
  workspaceKey: string | undefined
}

/**
 * Reads the credential of a request.
 *
 * @param acceptsKeyAsBearer an API key may also be the token of the Authorization header
 * @throws Problem 400 if there are two, 401 if it has no valid form
 */
export function readClaims(request: IncomingMessage, acceptsKeyAsBearer = false): RequestClaims {
  const { authorization, 'x-api-key': apiKey, 'x-workspace-key': workspaceHeader } = request.headers
  if (authorization !== undefined && apiKey !== undefined) throw problem('ambiguous_credentials')
  const workspaceKey = typeof workspaceHeader === 'string' ? workspaceHeader : undefined
  if (typeof apiKey === 'string') {
    if (tokenPattern.test(apiKey)) throw misplaced('A token goes into Authorization: Bearer, not x-api-key')
    return { credential: createCredential('apiKey', apiKey), workspaceKey }
  }
  if (authorization === undefined) return { credential: undefined, workspaceKey }
  if (acceptsKeyAsBearer && /^Bearer +key_/i.test(authorization))
    return { credential: createCredential('apiKey', authorization.replace(/^Bearer +/i, '')), workspaceKey }
  if (/^(?:\w+ +)?key_/i.test(authorization)) throw misplaced('An API key goes into x-api-key, not Authorization')
  const token = bearerTokenOf(authorization)
  if (token === undefined) throw misplaced('The Authorization header must be Bearer and a token')
  return { credential: createCredential('bearer', token), workspaceKey }
}

const maxTokenLength = 8192

/** Returns the token of an Authorization header; undefined if it has another form (RFC 6750 section 2.1). */
function bearerTokenOf(authorization: string): string | undefined {
  const [scheme] = /^Bearer +/i.exec(authorization) ?? []
  if (scheme === undefined) return undefined
  const token = authorization.slice(scheme.length)
  // one expression for scheme and token takes twice the time, a thirtieth of a request
  const isValid = token !== '' && token.length <= maxTokenLength && !/[^A-Za-z0-9._~+/=-]/.test(token)
  return isValid ? token : undefined
}

/** A JWT, as the platform issues them: its header is a JSON object. */
const tokenPattern = /^(?:Bearer +)?eyJ[\w-]+\.[\w-]+\.[\w-]+$/i

const misplaced = (detail: string) => problem('invalid_credential', { detail })

/** Returns the error for a request without a credential. */
export const missingCredential = () =>
  problem('missing_credential', {
    detail: 'Send an access token as `Authorization: Bearer <token>` or an API key as `x-api-key: <key>`',
  })

const createCredential = (kind: RequestCredential['kind'], value: string): RequestCredential => ({
  kind,
  value,
  digest: hash('sha256', value, 'hex'),
})

const singleHeaders = new Set(['authorization', 'x-api-key', 'x-workspace-key'])

/**
 * Rejects a request that repeats a credential header. Node.js keeps the first Authorization header and joins the values
 * of others, so only the raw header list shows the repetition.
 *
 * @throws Problem 400
 */
export function rejectRepeatedHeaders(rawHeaders: readonly string[]): void {
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (!singleHeaders.has(name)) continue
    if (seen.has(name)) throw problem('ambiguous_credentials', { detail: `The header ${name} is given twice` })
    seen.add(name)
  }
}
