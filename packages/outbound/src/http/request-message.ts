import { OutboundError } from '../error.ts'

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** A request as it goes onto a connection. */
export interface RequestMessage {
  method: string
  path: string
  headers: Record<string, string | string[]>
  body: string | Uint8Array | null
}

interface MessageInput {
  method: string
  url: URL
  headers?: RequestHeaders | undefined
  body?: string | Uint8Array | undefined
}

/**
 * Headers a caller may not choose: those that say where the message ends or whom it is for (a wrong one smuggles
 * another request), those of the connection (RFC 9110, 7.6.1), and the encoding, which is always identity.
 */
const reservedHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
// Line breaks and NUL would end the header; what is not Latin-1 cannot be written at all.
const headerValuePattern = /^[\t\x20-\x7e\x80-\xff]*$/

/** Builds the message. Throws an OutboundError of kind `invalid_request`, which names the header that is wrong. */
export function buildMessage({ method, url, headers = {}, body }: MessageInput): RequestMessage {
  if (!tokenPattern.test(method) || method === 'CONNECT')
    throw invalidRequest(`"${method.slice(0, 40)}" is not a method`)
  const outgoing: RequestMessage['headers'] = { 'accept-encoding': 'identity' }
  for (const [name, given] of Object.entries(headers)) {
    if (given === undefined) continue
    if (!tokenPattern.test(name)) throw invalidRequest(`"${name.slice(0, 100)}" is not a header name`)
    if (reservedHeaders.has(name.toLowerCase())) throw invalidRequest(`the header ${name.toLowerCase()} cannot be set`)
    const values = typeof given === 'string' ? [given] : [...given]
    if (!values.every((each) => headerValuePattern.test(each)))
      throw invalidRequest(`the header ${name} has a value that cannot be sent`)
    outgoing[name] = typeof given === 'string' ? given : values
  }
  return { method, path: url.pathname + url.search, headers: outgoing, body: body ?? null }
}

function invalidRequest(message: string): OutboundError {
  return new OutboundError('invalid_request', message)
}
