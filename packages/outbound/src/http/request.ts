import { OutboundError, type ResponseHeaders, type Timings } from '../error.ts'
import { type CallOptions, type ClientContext, startCall } from './call.ts'
import { runExchange } from './exchange.ts'

export interface OutboundRequest extends CallOptions {
  /** Limit from the lookup to the last byte of the response; default 15,000 ms. */
  timeoutMs?: number
  /** Bytes of the body read before the connection is closed (default 65,536), and bytes returned (default 8,192). */
  maxResponseBytes?: number
  keepResponseBytes?: number
}

export interface OutboundResponse {
  status: number
  headers: ResponseHeaders
  /** The first bytes of the body, at most `keepResponseBytes`. */
  body: Buffer
  /** True if the response was longer than `body`. */
  truncated: boolean
  /** Address of the connection. */
  address: string
  /** True for a kept-alive connection; the dns, connect and tls timings are null then. */
  reused: boolean
  timings: Timings
}

/** See `Outbound.request`. */
export async function sendRequest(client: ClientContext, request: OutboundRequest): Promise<OutboundResponse> {
  const { timeoutMs = 15_000, maxResponseBytes = 65_536, keepResponseBytes = 8_192 } = request
  const call = startCall(client, request, timeoutMs)
  try {
    return await call.withConnection((connection) => {
      const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>()
      const { address, reused } = connection
      let head: Pick<OutboundResponse, 'status' | 'headers'>
      const bodyParts: Buffer[] = []
      let keptBytes = 0
      let readBytes = 0
      const finish = () => {
        const body = Buffer.concat(bodyParts, keptBytes)
        resolve({ ...head, body, truncated: readBytes > keptBytes, address, reused, timings: call.progress.timings() })
      }
      runExchange(connection, call, {
        head: (status, headers) => {
          head = { status, headers }
        },
        data: (chunk, control) => {
          const part = chunk.subarray(0, keepResponseBytes - keptBytes)
          if (part.length > 0) bodyParts.push(part)
          keptBytes += part.length
          readBytes += chunk.length
          if (readBytes <= maxResponseBytes) return
          finish()
          control.abort(new OutboundError('too_large', 'the limit of the response body was reached'))
        },
        end: finish,
        fail: reject,
      })
      return promise
    })
  } catch (error) {
    throw call.addAttemptDetails(error)
  } finally {
    call.release()
  }
}
