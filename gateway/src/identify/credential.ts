import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { problem } from '@wp/contracts'

/** A credential as it was presented, with the hash it is cached under. */
export interface PresentedCredential {
  kind: 'bearer' | 'apiKey'
  value: string
  /** SHA-256, hexadecimal. */
  digest: string
}

/** The workspace a request asks for, and the credential it shows. */
export interface RequestClaims {
  credential: PresentedCredential | undefined
  /** `x-workspace-key`. */
  workspaceKey: string | undefined
}

const singleHeaders = new Set(['authorization', 'x-api-key', 'x-workspace-key'])

/**
 * Reads the credential of a request.
 * @throws Problem 400 when there are two, 401 when the one there is has no form of ours
 */
export function readClaims(request: IncomingMessage): RequestClaims {
  const { authorization, 'x-api-key': apiKey, 'x-workspace-key': workspaceKey } = request.headers
  if (authorization !== undefined && apiKey !== undefined) throw problem('ambiguous_credentials')
  const requestedWorkspace = typeof workspaceKey === 'string' ? workspaceKey : undefined
  if (typeof apiKey === 'string')
    return { credential: presentedCredential('apiKey', apiKey), workspaceKey: requestedWorkspace }
  if (authorization === undefined) return { credential: undefined, workspaceKey: requestedWorkspace }
  const token = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192})$/i.exec(authorization)?.[1]
  if (token === undefined) throw problem('invalid_credential', { detail: 'Authorization must be Bearer and a token' })
  return { credential: presentedCredential('bearer', token), workspaceKey: requestedWorkspace }
}

const presentedCredential = (kind: PresentedCredential['kind'], value: string): PresentedCredential => ({
  kind,
  value,
  digest: hash('sha256', value, 'hex'),
})

/**
 * Node keeps the first of two Authorization headers and joins others; only the raw list shows that there were two.
 * @throws Problem 400
 */
export function rejectRepeatedHeaders(rawHeaders: readonly string[]): void {
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (!singleHeaders.has(name)) continue
    if (seen.has(name)) throw problem('ambiguous_credentials', { detail: `${name} is given twice` })
    seen.add(name)
  }
}
