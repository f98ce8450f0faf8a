import { OutboundError } from './error.ts'

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** A request as it goes onto a connection. */
export interface Message {
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
const ours = new Set([
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

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
// Line breaks and NUL would end the header; what is not Latin-1 cannot be written at all.
const value = /^[\t\x20-\x7e\x80-\xff]*$/

/** Builds the message. Throws an OutboundError of kind `invalid_request`, which names the header that is wrong. */
export function messageOf({ method, url, headers = {}, body }: MessageInput): Message {
  if (!token.test(method) || method === 'CONNECT') throw invalid(`"${method.slice(0, 40)}" is not a method`)
  const written: Message['headers'] = { 'accept-encoding': 'identity' }
  for (const [name, given] of Object.entries(headers)) {
    if (given === undefined) continue
    if (!token.test(name)) throw invalid(`"${name.slice(0, 100)}" is not a header name`)
    if (ours.has(name.toLowerCase())) throw invalid(`the header ${name.toLowerCase()} cannot be set`)
    const values = typeof given === 'string' ? [given] : [...given]
    if (!values.every((each) => value.test(each))) throw invalid(`the header ${name} has a value that cannot be sent`)
    written[name] = typeof given === 'string' ? given : values
  }
  return { method, path: url.pathname + url.search, headers: written, body: body ?? null }
}

function invalid(message: string): OutboundError {
  return new OutboundError('invalid_request', message)
}
