import { OutboundError } from '../error.ts'

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** A request as sent over a connection. */
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
 * Headers a caller must not set: those that define the length or the target of the message (a wrong value allows
 * request smuggling), connection headers (RFC 9110, section 7.6.1), and the encoding, which is always identity.
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
// Line breaks and NUL would end the header; only Latin-1 can be encoded.
const headerValuePattern = /^[\t\x20-\x7e\x80-\xff]*$/

/** Builds the message. @throws OutboundError `invalid_request`, which names the invalid header */
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
