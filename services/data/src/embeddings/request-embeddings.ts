import { type Outbound, OutboundError, type OutboundResponse, type Protocol } from '@wp/outbound'
import { z } from 'zod'
import { EmbeddingFailure } from './embedding-failure.ts'
import { maxDimensions, unitVector } from './vector-math.ts'

/** The client for addresses that users configured. */
export interface OutboundAccess {
  outbound: Outbound
  /** Allowed URL schemes. */
  protocols: readonly Protocol[]
}

export interface EmbeddingEndpoint {
  baseUrl: string
  apiKey: string | undefined
  model: string
  /** Undefined: the default of the model. */
  dimensions: number | undefined
}

interface RequestOptions {
  timeoutMs: number
  signal?: AbortSignal | undefined
  /** Milliseconds since 1970. */
  now: () => number
}

/** Maximum number of texts per request. */
export const maxInputs = 64

/** Fits 64 vectors of the maximum size as JSON. */
const maxResponseBytes = 16 * 1024 * 1024

const EmbeddingsResponse = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.array(z.number()).max(maxDimensions) })),
})

/**
 * Embeds texts by an OpenAI-compatible server (POST /embeddings).
 * @returns vectors of length 1, in the order of the texts
 * @throws EmbeddingFailure
 */
export async function requestEmbeddings(
  { outbound, protocols }: OutboundAccess,
  { baseUrl, apiKey, model, dimensions }: EmbeddingEndpoint,
  inputs: readonly string[],
  { timeoutMs, signal, now }: RequestOptions,
): Promise<Float32Array[]> {
  const response = await outbound
    .request({
      url: embeddingsUrl(baseUrl),
      method: 'POST',
      headers: {
        'user-agent': 'workspace-platform',
        accept: 'application/json',
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input: inputs, dimensions, encoding_format: 'float' }),
      protocols,
      idempotent: true,
      timeoutMs,
      maxResponseBytes,
      keepResponseBytes: maxResponseBytes,
      ...(signal === undefined ? {} : { signal }),
    })
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error
      throw new EmbeddingFailure(error.isAddressRejected ? 'unusable' : 'unavailable', error.message, { cause: error })
    })
  assertSuccess(response, now)
  return parseVectors(response, inputs.length, dimensions)
}

function embeddingsUrl(base: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`
  return url.href
}

function assertSuccess({ status, headers }: OutboundResponse, now: () => number): void {
  if (status >= 200 && status < 300) return
  const message = `The embedding provider answered ${status}`
  if (status === 401 || status === 403 || status === 407) throw new EmbeddingFailure('unauthorized', message)
  if (status === 400 || status === 413 || status === 422) throw new EmbeddingFailure('refused', message)
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now)
  if (status === 408 || status === 429 || status >= 500)
    throw new EmbeddingFailure('unavailable', message, retryAfterMs === undefined ? {} : { retryAfterMs })
  throw new EmbeddingFailure('unusable', message)
}

/** Parses Retry-After (RFC 9110, 10.2.3): seconds or an HTTP date. */
function parseRetryAfter(value: string | string[] | undefined, now: () => number): number | undefined {
  if (typeof value !== 'string') return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

function parseVectors(response: OutboundResponse, count: number, dimensions: number | undefined): Float32Array[] {
  const parsed = EmbeddingsResponse.safeParse(parseJson(response))
  if (!parsed.success) throw unusable('The response of the embedding provider is not a valid embeddings response')
  const { data } = parsed.data
  if (data.length !== count)
    throw unusable(`The embedding provider returned ${data.length} embeddings for ${count} texts`)
  const inOrder = data
    .map(({ index, embedding }, position) => ({ index: index ?? position, embedding }))
    .sort((a, b) => a.index - b.index)
  const size = dimensions ?? inOrder[0]?.embedding.length ?? 0
  return inOrder.map(({ index, embedding }, nth) => {
    if (index !== nth) throw unusable('The embedding provider returned two embeddings of one text')
    if (embedding.length !== size)
      throw unusable(`The embedding provider returned ${embedding.length} dimensions instead of ${size}`)
    const vector = unitVector(embedding)
    if (vector === undefined) throw unusable('The embedding provider returned a vector of length zero')
    return vector
  })
}

const unusable = (message: string) => new EmbeddingFailure('unusable', message)

function parseJson({ body, truncated }: OutboundResponse): unknown {
  if (truncated) return undefined
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
