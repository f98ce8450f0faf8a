import { Agent, request } from 'undici'
import type { Status } from './generator.ts'

export interface LoadRequest {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

export interface LoadResponse {
  status: Status
  /** Empty if there is no complete response. */
  body: string
}

/** A client that never rejects. */
export interface LoadClient {
  send(request: LoadRequest): Promise<LoadResponse>
  close(): Promise<void>
}

const timeoutMs = 10_000
const maxConnections = 512

/** Creates a client of an edge with persistent connections. A request takes 10 seconds at most. */
export function createLoadClient(baseUrl: string): LoadClient {
  const dispatcher = new Agent({ connections: maxConnections, pipelining: 1 })
  return {
    async send({ method, path, headers, body }) {
      try {
        const response = await request(baseUrl + path, {
          dispatcher,
          method,
          headers,
          ...(body === undefined ? {} : { body }),
          signal: AbortSignal.timeout(timeoutMs),
        })
        return { status: response.statusCode, body: await response.body.text() }
      } catch (error) {
        return { status: reasonOf(error), body: '' }
      }
    },
    close: () => dispatcher.destroy(),
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  if (error.name === 'TimeoutError') return 'timeout'
  return 'code' in error ? String(error.code) : error.name
}
