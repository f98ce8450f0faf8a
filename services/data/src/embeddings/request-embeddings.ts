import { type Outbound, OutboundError, type OutboundResponse, type Protocol } from '@wp/outbound'
import { z } from 'zod'
import { EmbeddingFailure } from './embedding-failure.ts'
import { maxDimensions, unitVector } from './quantized-vector.ts'

/** How providers are reached. */
export interface OutboundAccess {
  outbound: Outbound
  /** What addresses may begin with. */
  protocols: readonly Protocol[]
}

/** Whom to ask, and for what. */
export interface EmbeddingEndpoint {
  baseUrl: string
  apiKey: string | undefined
  model: string
  /** Undefined: the model's own. */
  dimensions: number | undefined
}

/** Texts of one request. */
export const maxInputs = 64

/** What so many of the longest vectors take as JSON. */
const maxResponseBytes = 16 * 1024 * 1024

const EmbeddingsResponse = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.array(z.number()).max(maxDimensions) })),
})

/**
 * Has texts embedded by a server that speaks OpenAI's interface (POST /embeddings).
 * @returns vectors of length 1, in the order of the texts
 * @throws EmbeddingFailure
 */
export async function requestEmbeddings(
  { outbound, protocols }: OutboundAccess,
  { baseUrl, apiKey, model, dimensions }: EmbeddingEndpoint,
  inputs: readonly string[],
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
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
  assertSuccess(response)
  return parseVectors(response, inputs.length, dimensions)
}

function embeddingsUrl(base: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`
  return url.href
}

function assertSuccess({ status, headers }: OutboundResponse): void {
  if (status >= 200 && status < 300) return
  const message = `The provider of embeddings answered ${status}`
  if (status === 401 || status === 403 || status === 407) throw new EmbeddingFailure('unauthorized', message)
  if (status === 400 || status === 413 || status === 422) throw new EmbeddingFailure('refused', message)
  const retryAfterMs = retryAfter(headers['retry-after'])
  if (status === 408 || status === 429 || status >= 500)
    throw new EmbeddingFailure('unavailable', message, retryAfterMs === undefined ? {} : { retryAfterMs })
  throw new EmbeddingFailure('unusable', message)
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function retryAfter(value: string | string[] | undefined): number | undefined {
  if (typeof value !== 'string') return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

function parseVectors(response: OutboundResponse, many: number, dimensions: number | undefined): Float32Array[] {
  const answer = EmbeddingsResponse.safeParse(parseJson(response))
  if (!answer.success) throw new EmbeddingFailure('unusable', 'The provider of embeddings gave none that can be read')
  const { data } = answer.data
  if (data.length !== many)
    throw new EmbeddingFailure('unusable', `The provider gave ${data.length} embeddings for ${many} texts`)
  const inOrder = data
    .map(({ index, embedding }, place) => ({ place: index ?? place, embedding }))
    .sort((one, other) => one.place - other.place)
  const size = dimensions ?? inOrder[0]?.embedding.length ?? 0
  return inOrder.map(({ place, embedding }, nth) => {
    if (place !== nth) throw new EmbeddingFailure('unusable', 'The provider gave two embeddings of one text')
    if (embedding.length !== size)
      throw new EmbeddingFailure('unusable', `The provider gave ${embedding.length} dimensions, not ${size}`)
    const vector = unitVector(embedding)
    if (vector === undefined) throw new EmbeddingFailure('unusable', 'The provider gave an embedding of no direction')
    return vector
  })
}

function parseJson({ body, truncated }: OutboundResponse): unknown {
  if (truncated) return undefined
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
