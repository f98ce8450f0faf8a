import { serializeQuery } from './contracts/query.ts'
import type { UploadBody } from './contracts/types.ts'
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
  /** Returns the body of one attempt. @param onError is called when the source of a streamed body fails */
  openBody(onError: (error: unknown) => void): NonNullable<RequestInit['body']> | undefined
  /** False for a stream that can be sent only once. */
  isRepeatable: boolean
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, a pause before a retry included, with its reason. */
  signal?: AbortSignal
  /** Time limit of one attempt, in place of that of the client. */
  timeoutMs?: number
  /** Retries, in place of those of the client. */
  maxRetries?: number
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
  const url = new URL(base + fillPath(endpoint, params))
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
): Pick<OutgoingRequest, 'headers' | 'openBody' | 'isRepeatable'> {
  if (body === undefined) return { headers: {}, openBody: () => undefined, isRepeatable: true }
  if (input !== 'stream') {
    const text = JSON.stringify(body)
    return { headers: { 'content-type': 'application/json' }, openBody: () => text, isRepeatable: true }
  }
  const { contentType, content } = body as UploadBody // the type of a stream endpoint's body
  const headers = { 'content-type': contentType }
  if (typeof content === 'string' || content instanceof Blob)
    return { headers, openBody: () => content, isRepeatable: true }
  if (content instanceof Uint8Array) return { headers, openBody: () => new Uint8Array(content), isRepeatable: true }
  const isRepeatable = typeof content === 'function'
  const open = isRepeatable ? content : () => content
  return { headers, openBody: (onError) => toReadableStream(open(), onError), isRepeatable }
}

/** Converts chunks to a stream. `ReadableStream.from` is missing in some browsers. */
function toReadableStream(
  chunks: AsyncIterable<Uint8Array>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await iterator.next()
        if (next.done === true) controller.close()
        else controller.enqueue(next.value)
      } catch (error) {
        onError(error)
        throw error
      }
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

/** @throws TypeError if a parameter is missing, or would lead to another path */
const fillPath = ({ id, path }: EndpointEntry, params: Record<string, unknown>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === null || value === '')
      throw new TypeError(`${id}: the path parameter ${name} is missing`)
    if (value === '.' || value === '..') throw new TypeError(`${id}: the path parameter ${name} cannot be ${value}`)
    return encodeURIComponent(String(value))
  })
