import type { UploadBody } from '@wp/contracts'
import { serializeQuery } from '@wp/contracts/query'
import type { EndpointEntry } from './endpoint-table.ts'

/** Input of a method, by the parts of the request. */
export interface EndpointInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** A request without the headers of the credential. */
export interface OutgoingRequest {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream | undefined
  /** False for a stream, which can be sent only once. */
  isRepeatable: boolean
}

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal
  /** A call with the key of an earlier one gets its response. By default every call has its own key. */
  idempotencyKey?: string
  headers?: Record<string, string>
}

/** Builds a request as the contract declares it. All attempts send it under the same idempotency key. */
export function buildRequest(
  base: string,
  endpoint: EndpointEntry,
  { params = {}, query = {}, body }: EndpointInput,
  options: CallOptions,
): OutgoingRequest {
  const url = new URL(base + fillPath(endpoint.path, params))
  url.search = serializeQuery(query).toString()
  const { headers, ...rest } = buildBody(endpoint, body)
  const key = options.idempotencyKey ?? (needsIdempotencyKey(endpoint) ? crypto.randomUUID() : undefined)
  return {
    ...rest,
    url,
    method: endpoint.method,
    headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }), ...options.headers },
  }
}

/** Token requests change nothing, and the rows of an upload are idempotent. */
const needsIdempotencyKey = ({ method, input = 'json' }: EndpointEntry): boolean =>
  (method === 'POST' || method === 'PATCH') && input === 'json'

function buildBody(
  { input }: EndpointEntry,
  body: unknown,
): Pick<OutgoingRequest, 'headers' | 'body' | 'isRepeatable'> {
  if (body === undefined) return { headers: {}, body: undefined, isRepeatable: true }
  if (input !== 'stream')
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), isRepeatable: true }
  const { contentType, content } = body as UploadBody // the type of a stream endpoint's body
  const headers = { 'content-type': contentType }
  if (typeof content === 'string' || content instanceof Blob) return { headers, body: content, isRepeatable: true }
  if (content instanceof Uint8Array) return { headers, body: new Uint8Array(content), isRepeatable: true }
  return { headers, body: toReadableStream(content), isRepeatable: false }
}

/** Converts chunks to a stream. `ReadableStream.from` is missing in some browsers. */
function toReadableStream(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

const fillPath = (path: string, params: Record<string, unknown>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
