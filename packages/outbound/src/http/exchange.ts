import { errorCode, resetErrorCodes } from '@wp/runtime'
import type { Dispatcher } from 'undici'
import type { Progress } from '../attempt-progress.ts'
import type { Connection } from '../connection/connection.ts'
import type { ConnectionPool } from '../connection/connection-pool.ts'
import { tlsReason } from '../connection/failure-reason.ts'
import { errorMessage, OutboundError, type ResponseHeaders } from '../error.ts'
import type { RequestMessage } from './request-message.ts'

/** Controls an exchange in progress. */
export interface ExchangeControl {
  pause(): void
  resume(): void
  /** Aborts the exchange and closes its connection. */
  abort(reason: OutboundError): void
}

/** Receives the response. Neither method is called after `end` or `fail`. */
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
  /** Maximum time without data from the server; default 0: only the deadline applies. */
  stallTimeoutMs?: number
}

/**
 * Sends one request over a connection and passes the response to `handler`. The connection returns to the pool after a
 * complete response and is closed otherwise. Redirects are not followed; an encoded response is rejected.
 */
export function runExchange(connection: Connection, options: ExchangeOptions, handler: ResponseHandler): void {
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
    handler.fail(asOutboundError(error, progress.status !== null))
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
  connection.expectResponse()
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
        const encoding = findEncoding(message.method, status, headers)
        if (encoding !== undefined) return controller.abort(encodingError(encoding))
        handler.head(status, headers, controller)
      },
      onResponseData(controller, chunk) {
        if (!isEnded) handler.data(chunk, controller)
      },
      onResponseEnd() {
        if (isEnded) return
        finish()
        // Deferred until the parser has processed the rest: only then is it known whether the socket stays open.
        queueMicrotask(() => pool.release(connection))
        handler.end()
      },
      onResponseError(_controller, error) {
        fail(error)
      },
    },
  )
}

/** Returns the content encoding of a body other than identity; undefined if there is none. */
function findEncoding(method: string, status: number, headers: ResponseHeaders): string | undefined {
  const encodings = [headers['content-encoding'] ?? []].flat()
  const isEncoded = encodings.some((value) => !/^\s*(identity)?\s*$/i.test(value))
  return isEncoded && hasBody(method, status, headers) ? encodings.join(', ') : undefined
}

/** Some servers send a content encoding with empty responses, which is harmless. */
function hasBody(method: string, status: number, headers: ResponseHeaders): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304 && headers['content-length'] !== '0'
}

function encodingError(encoding: string): OutboundError {
  return new OutboundError(
    'encoding',
    `the response is encoded (${encoding.slice(0, 100)}) although identity was requested`,
  )
}

const resetCodes = new Set([...resetErrorCodes, 'UND_ERR_SOCKET'])
const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

function asOutboundError(error: unknown, hasHead: boolean): OutboundError {
  if (error instanceof OutboundError) return error
  const code = errorCode(error) ?? ''
  const reason = errorMessage(error)
  const details = { code: code === '' ? undefined : code, cause: error }
  if (timeoutCodes.has(code)) return new OutboundError('timeout', 'the response stalled', details)
  if (code === 'UND_ERR_INVALID_ARG') return new OutboundError('invalid_request', reason, details)
  // TLS 1.3 servers reject a missing client certificate only after the handshake.
  if (code.startsWith('ERR_SSL'))
    return new OutboundError('tls', `the TLS connection failed: ${tlsReason(code)}`, details)
  // undici reports a truncated body by a code that it also uses for conflicting lengths, or by a message without code.
  const isTruncated =
    (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && hasHead) || reason.includes('Invalid EOF state')
  // When undici itself closes the socket ("bad response", "bad upgrade"), the error has the code of a closed socket.
  if (isTruncated || (resetCodes.has(code) && !reason.startsWith('bad '))) {
    return new OutboundError('reset', 'the connection was closed before the response was complete', details)
  }
  return new OutboundError('protocol', 'the response is not valid HTTP/1.1', details)
}
