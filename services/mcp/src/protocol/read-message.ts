import { type BodyStream, Problem, problem } from '@wp/contracts'
import { maxBodyBytes, parseJsonBody } from '@wp/service'

/** A JSON-RPC message, not yet validated, or what is wrong with the body. */
export type ReadMessage = { message: object } | { code: number; detail: string }

/** Codes of JSON-RPC 2.0, section 5.1. */
const [parseError, invalidRequest] = [-32_700, -32_600]

/**
 * Reads the body of a request as one JSON-RPC message. Batches are not supported: revision 2025-06-18 removed them, and
 * one would be counted as a single request by the rate limits.
 * @throws Problem `payload_too_large`
 */
export async function readMessage({ chunks, contentLength }: BodyStream): Promise<ReadMessage> {
  const bytes = await readBytes(chunks, contentLength)
  try {
    const message = parseJsonBody(bytes)
    if (Array.isArray(message)) return { code: invalidRequest, detail: 'Batches are not supported; send one message' }
    if (typeof message !== 'object' || message === null)
      return { code: invalidRequest, detail: 'The body must be a JSON-RPC message' }
    return { message: withoutNulls(message) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { code: error.code === 'malformed_body' ? parseError : invalidRequest, detail: error.detail }
  }
}

/** Some clients write null for parameters that are absent. */
function withoutNulls({ params, ...message }: { params?: unknown }): object {
  if (params === undefined || params === null) return message
  if (typeof params !== 'object' || Array.isArray(params)) return { ...message, params }
  return { ...message, params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)) }
}

async function readBytes(chunks: AsyncIterable<Uint8Array>, contentLength = 0): Promise<Uint8Array> {
  if (contentLength > maxBodyBytes) throw tooLarge()
  const received: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBodyBytes) throw tooLarge()
    received.push(chunk)
  }
  return Buffer.concat(received)
}

const tooLarge = () => problem('payload_too_large', { detail: `The body must have at most ${maxBodyBytes} bytes` })
