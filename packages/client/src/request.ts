import { type EndpointDefinition, serializeQuery, type UploadBody } from '@wp/contracts'

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
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | undefined
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
  definition: EndpointDefinition,
  { params = {}, query = {}, body }: EndpointInput,
  options: CallOptions,
): OutgoingRequest {
  const url = new URL(base + fillPath(definition.path, params))
  url.search = serializeQuery(query).toString()
  const { headers, ...rest } = buildBody(definition, body)
  const key = options.idempotencyKey ?? (needsIdempotencyKey(definition) ? crypto.randomUUID() : undefined)
  return {
    ...rest,
    url,
    method: definition.method,
    headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }), ...options.headers },
  }
}

/** Token requests change nothing, and the rows of an upload are idempotent. */
const needsIdempotencyKey = ({ method, input }: EndpointDefinition): boolean =>
  (method === 'POST' || method === 'PATCH') && input === undefined

function buildBody(
  definition: EndpointDefinition,
  body: unknown,
): Pick<OutgoingRequest, 'headers' | 'body' | 'isRepeatable'> {
  if (body === undefined) return { headers: {}, body: undefined, isRepeatable: true }
  if (definition.input !== 'stream')
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), isRepeatable: true }
  const { contentType, content } = body as UploadBody // the type of a stream endpoint's body
  const headers = { 'content-type': contentType }
  if (typeof content === 'string') return { headers, body: content, isRepeatable: true }
  if (content instanceof Uint8Array) return { headers, body: new Uint8Array(content), isRepeatable: true }
  return { headers, body: ReadableStream.from(content), isRepeatable: false }
}

const fillPath = (path: string, params: Record<string, unknown>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
