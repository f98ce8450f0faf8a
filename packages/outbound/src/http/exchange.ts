import { errorCode, resetErrorCodes } from '@wp/runtime'
import type { Dispatcher } from 'undici'
import type { Connection } from '../connection/connection.ts'
import type { ConnectionPool } from '../connection/connection-pool.ts'
import { errorMessage, OutboundError, type ResponseHeaders } from '../error.ts'
import type { Progress } from './progress.ts'
import type { RequestMessage } from './request-message.ts'

/** Steers an exchange under way. */
export interface ExchangeControl {
  pause(): void
  resume(): void
  /** Ends the exchange and its connection. */
  abort(reason: OutboundError): void
}

/** Hears how an exchange goes. After `end` or `fail` nothing more comes. */
export interface ResponseHandler {
  head(status: number, headers: ResponseHeaders, control: ExchangeControl): void
  data(chunk: Buffer, control: ExchangeControl): void
  end(): void
  fail(error: OutboundError): void
}

interface ExchangeOptions {
  pool: ConnectionPool
  message: RequestMessage
  signal: AbortSignal
  progress: Progress
  /** The longest silence while the head or the body is awaited; 0 by default, for none but the deadline. */
  stallTimeoutMs?: number
}

/**
 * One request and its answer over a connection, which goes back to the pool after a whole answer and is ended after
 * anything else. Redirects are answers like others; a compressed answer is refused.
 */
export function runExchange(connection: Connection, options: ExchangeOptions, receiver: ResponseHandler): void {
  const { pool, message, signal, progress, stallTimeoutMs = 0 } = options
  const { client } = connection
  let control: Dispatcher.DispatchController | undefined
  let isEnded = false
  const finish = () => {
    isEnded = true
    signal.removeEventListener('abort', onAbort)
  }
  const fail = (error: unknown) => {
    if (isEnded) return
    finish()
    pool.discard(connection)
    receiver.fail(asOutboundError(error, progress.status !== null))
  }
  const onAbort = () => {
    control?.abort(signal.reason)
    fail(signal.reason)
  }

  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) {
    onAbort()
    return
  }
  progress.enter('request')
  client.dispatch(
    { ...message, headersTimeout: stallTimeoutMs, bodyTimeout: stallTimeoutMs },
    {
      onRequestStart(controller) {
        control = controller
      },
      onResponseStarted() {
        if (progress.stage === 'request') progress.enter('response')
      },
      onResponseStart(controller, status, headers) {
        if (status < 200 || isEnded) return
        progress.status = status
        progress.headers = headers
        const encoding = headers['content-encoding']
        if (isEncoded(encoding) && hasBody(message.method, status, headers)) {
          return controller.abort(encodingError(encoding))
        }
        receiver.head(status, headers, controller)
      },
      onResponseData(controller, chunk) {
        if (!isEnded) receiver.data(chunk, controller)
      },
      onResponseEnd() {
        if (isEnded) return
        finish()
        // Only after the parser has run on does its socket tell whether it stays open.
        queueMicrotask(() => pool.release(connection))
        receiver.end()
      },
      onResponseError(_controller, error) {
        fail(error)
      },
    },
  )
}

function isEncoded(encoding: string | string[] | undefined): boolean {
  return [encoding ?? []].flat().some((value) => !/^\s*(identity)?\s*$/i.test(value))
}

/** Servers name an encoding on empty answers too; there is nothing to refuse in those. */
function hasBody(method: string, status: number, headers: ResponseHeaders): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304 && headers['content-length'] !== '0'
}

function encodingError(encoding: string | string[] | undefined): OutboundError {
  return new OutboundError(
    'encoding',
    `the answer is encoded (${String(encoding).slice(0, 100)}) although identity was asked for`,
  )
}

const resetCodes = new Set([...resetErrorCodes, 'UND_ERR_SOCKET'])
const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

function asOutboundError(error: unknown, hasHead: boolean): OutboundError {
  if (error instanceof OutboundError) return error
  const code = errorCode(error) ?? ''
  const reason = errorMessage(error)
  const details = { code: code === '' ? undefined : code, cause: error }
  if (timeoutCodes.has(code)) return new OutboundError('timeout', 'the answer came to a halt', details)
  if (code === 'UND_ERR_INVALID_ARG') return new OutboundError('invalid_request', reason, details)
  // TLS 1.3 servers refuse a missing client certificate only after the handshake.
  if (code.startsWith('ERR_SSL')) return new OutboundError('tls', `the TLS connection broke: ${reason}`, details)
  // undici's names for a body that ended early: one that a head with two lengths shares, and one that has no code.
  const isTruncated =
    (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && hasHead) || reason.includes('Invalid EOF state')
  // What undici closes itself ("bad response", "bad upgrade") has the code of a closed socket.
  if (isTruncated || (resetCodes.has(code) && !reason.startsWith('bad '))) {
    return new OutboundError('reset', `the connection ended before the answer did (${code})`, details)
  }
  return new OutboundError('protocol', `the answer is not valid HTTP/1.1: ${reason}`, details)
}
