import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { DestinationErrorCode } from '@wp/contracts'
import { OutboundError, type OutboundErrorKind, type OutboundResponse, parseRetryAfterMs } from '@wp/outbound'
import { type SinkContext, SinkError } from './sink.ts'

/** Compresses a text. The same text gives the same bytes: the header has no time. */
export const compress = (text: string): Promise<Buffer> => promisify(gzip)(text)

export interface Post {
  url: string
  method?: 'POST' | 'PUT'
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array
}

/**
 * Sends a request that the other side must answer with 2xx.
 * @returns the beginning of the response, in a line
 * @throws SinkError with the status or the reason
 */
export async function post(context: SinkContext, { url, method = 'POST', headers, body }: Post): Promise<string> {
  const response = await send(context, { url, method, headers, body })
  const line = describe(response)
  const { status } = response
  if (status >= 200 && status < 300) return line
  const retryAfterMs = parseRetryAfterMs(response.headers['retry-after'], context.now())
  throw new SinkError(codeOf(status), `The other side responded ${line}`, { retryAfterMs })
}

type Received = Pick<OutboundResponse, 'status' | 'headers' | 'body'>

async function send({ outbound, timeoutMs, connectTimeoutMs, signal }: SinkContext, request: Post): Promise<Received> {
  try {
    return await outbound.request({
      ...request,
      headers: { 'user-agent': 'workspace-platform', ...request.headers },
      timeoutMs,
      connectTimeoutMs,
      signal,
      maxResponseBytes: 65_536,
      keepResponseBytes: 2_048,
      // A repetition follows after a pause, and is counted.
      idempotent: false,
    })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof OutboundError)) throw error
    const { status, headers } = error.attempt
    // The status decides; a compressed response is not read.
    if (error.kind === 'encoding' && status !== null) return { status, headers: headers ?? {}, body: Buffer.alloc(0) }
    throw toSinkError(error)
  }
}

/** Converts an error of the guarded client. */
export const toSinkError = (error: OutboundError): SinkError =>
  new SinkError(codes[error.kind], error.message, { cause: error })

const codes: Readonly<Record<OutboundErrorKind, DestinationErrorCode>> = {
  invalid_url: 'blocked_address',
  invalid_request: 'refused',
  blocked_address: 'blocked_address',
  connect: 'connect',
  tls: 'tls',
  timeout: 'timeout',
  aborted: 'reset',
  reset: 'reset',
  protocol: 'protocol',
  encoding: 'protocol',
  too_large: 'protocol',
}

function codeOf(status: number): SinkError['code'] {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 410) return 'gone'
  if (status === 413) return 'too_large'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'unavailable' : 'refused'
}

const maxLineLength = 300

const describe = ({ status, body }: Received): string =>
  `${status} ${body
    .toString('utf8')
    .replaceAll(/[\s\p{Cc}\ufffd]+/gu, ' ')
    .trim()
    .slice(0, maxLineLength)}`.trim()
