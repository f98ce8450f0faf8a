import { Readable } from 'node:stream'
import { problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { isRejectedToken } from '../session/call-as-user.ts'
import type { SessionRow } from '../store/sessions.ts'
import type { ProxyResponse } from './transport.ts'

interface UserRequest {
  /** Headers about the browser, for the refresh of the token. */
  headers: Record<string, string>
  send(token: string): Promise<ProxyResponse>
  /** Returns false once some of the body was sent. */
  isRepeatable(): boolean
}

/** More than any error response of the platform. */
const maxProblemBytes = 65_536

/**
 * Sends a request in the name of the session's user. If the edge rejects the access token, it is renewed and the
 * request sent once more, unless its body is gone: the app then repeats it.
 * @throws Problem of an ended session; `service_unavailable` if the request must be repeated
 */
export async function sendAsUser(
  { tokens }: Pick<Context, 'tokens'>,
  session: SessionRow,
  { headers, send, isRepeatable }: UserRequest,
): Promise<ProxyResponse> {
  const token = await tokens.current(session, headers)
  const answer = await send(token)
  if (answer.status !== 401) return answer
  const bytes = await readAtMost(answer.body, maxProblemBytes)
  if (!isRejectedToken(answer.status, codeOf(bytes))) return { ...answer, body: Readable.from([bytes]) }
  const renewed = await tokens.renew(session, token, headers)
  if (isRepeatable()) return await send(renewed)
  throw problem('service_unavailable', {
    detail: 'The session was renewed while the request was sent; send it again',
    headers: { 'retry-after': '1' },
  })
}

async function readAtMost(body: Readable, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    const bytes: Buffer = chunk
    size += bytes.length
    if (size > limit) throw problem('bad_gateway', { detail: 'The error response of the API is too large' })
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** Returns the code of a problem document; undefined if it is none. */
function codeOf(bytes: Buffer): unknown {
  try {
    const document: unknown = JSON.parse(bytes.toString())
    return typeof document === 'object' && document !== null ? Reflect.get(document, 'code') : undefined
  } catch {
    return undefined // a proxy in front of the edge responded
  }
}
