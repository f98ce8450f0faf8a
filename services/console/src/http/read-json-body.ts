import type { IncomingMessage } from 'node:http'
import { problem } from '@wp/contracts'
import { parseJsonBody } from '@wp/service'

/** Maximum size of a body of the console's own endpoints, in bytes. */
const maxBodyBytes = 65_536

/**
 * Reads a JSON body; undefined if there is none.
 * @throws Problem if it is too large, malformed, or not `application/json`, the only type here that no form can send
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  // not destroyed when reading stops early: the error response is sent on the same connection
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = chunk
    size += bytes.length
    if (size > maxBodyBytes)
      throw problem('payload_too_large', { detail: `The body must have at most ${maxBodyBytes} bytes` })
    chunks.push(bytes)
  }
  if (size === 0) return undefined
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== 'application/json')
    throw problem('unsupported_media_type', { detail: 'The content type must be application/json' })
  return parseJsonBody(Buffer.concat(chunks))
}
