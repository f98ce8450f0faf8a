import type { Edge } from './fleet.ts'
import { readResponse, type TestResponse } from './test-service.ts'

export interface EdgeRequestOptions {
  /** A bearer token, or an API key, which is recognized by its prefix. */
  as?: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged, with the content type in `headers`. */
  rawBody?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  headers?: Record<string, string>
  /** The edge to send the request to. Default: the first. */
  edge?: Pick<Edge, 'baseUrl'>
}

/** Sends a request to an edge. */
export async function sendToEdge(
  baseUrl: string,
  method: string,
  path: string,
  { as, body, rawBody, headers = {} }: EdgeRequestOptions,
): Promise<TestResponse> {
  const content = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const init = { method, headers: { ...type, ...credentialHeader(as), ...headers }, redirect: 'manual' as const }
  const options = content === undefined ? init : { ...init, body: content, duplex: 'half' as const }
  return readResponse(await fetch(baseUrl + path, options))
}

function credentialHeader(as: string | undefined): Record<string, string> {
  if (as === undefined) return {}
  return as.startsWith('key_') ? { 'x-api-key': as } : { authorization: `Bearer ${as}` }
}
