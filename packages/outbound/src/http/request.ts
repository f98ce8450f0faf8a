import { OutboundError, type ResponseHeaders, type Timings } from '../error.ts'
import { type CallOptions, type ClientContext, startCall } from './call.ts'
import { runExchange } from './exchange.ts'

export interface OutboundRequest extends CallOptions {
  /** For everything from the lookup to the last byte of the answer; 15,000 by default. */
  timeoutMs?: number
  /** How much of the answer is read before the connection is cut (65,536), and how much of that is kept (8,192). */
  maxResponseBytes?: number
  keepResponseBytes?: number
}

export interface OutboundResponse {
  status: number
  headers: ResponseHeaders
  /** The beginning of the answer, at most `keepResponseBytes`. */
  body: Buffer
  /** True when the answer was longer than `body`. */
  truncated: boolean
  /** The address connected to. */
  address: string
  /** True when it went over a kept-alive connection; the dns, connect and tls times are null then. */
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
          control.abort(new OutboundError('too_large', 'enough of the answer was read'))
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
