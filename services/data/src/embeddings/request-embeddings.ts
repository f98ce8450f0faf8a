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

/** Limit of a response: bytes per dimension of each text, which fits any number in JSON, and what surrounds them. */
const [bytesPerDimension, overheadBytes] = [32, 16_384]

const maxResponseBytesOf = (inputs: number, dimensions: number) =>
  inputs * dimensions * bytesPerDimension + overheadBytes

/** Members and elements of a response beside its numbers: of each text, and of the response. */
const [maxMembersPerText, maxOtherMembers] = [16, 256]

/** One check of the whole array: a schema of its elements would make an issue for each invalid one. */
const Vector = z.custom<number[]>(
  (value) => Array.isArray(value) && value.length <= maxDimensions && value.every((part) => typeof part === 'number'),
)
const EmbeddingsResponse = z.object({
  data: z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= maxInputs),
})
const EmbeddingElement = z.object({ index: z.number().int().optional(), embedding: Vector })

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
  const maxResponseBytes = maxResponseBytesOf(inputs.length, dimensions ?? maxDimensions)
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
  const { data } = parseAs(EmbeddingsResponse, parseJson(response, count, dimensions ?? maxDimensions))
  if (data.length !== count)
    throw unusable(`The embedding provider returned ${data.length} embeddings for ${count} texts`)
  const inOrder = data
    .map((element) => parseAs(EmbeddingElement, element))
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

function parseAs<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw unusable('The response of the embedding provider is not a valid embeddings response')
  return parsed.data
}

/** Parses a response that is not larger than the vectors it must hold, in bytes and in members. */
function parseJson({ body, truncated }: OutboundResponse, count: number, dimensions: number): unknown {
  const maxMembers = count * (dimensions + maxMembersPerText) + maxOtherMembers
  if (truncated || !hasAtMost(body, maxMembers)) throw unusable('The response of the embedding provider is too large')
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** 1 for each byte that begins a member, element, array or object. */
const structuralBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  '[{,:'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

/**
 * Returns true if a JSON text has at most so many members, elements, arrays and objects. Small text can become large in
 * memory: `[[],[],…` takes 3 bytes an element as text and 16 and more as a value.
 */
function hasAtMost(body: Buffer, maxMembers: number): boolean {
  let count = 0
  for (let at = 0; at < body.length && count <= maxMembers; at++) count += structuralBytes[body[at] ?? 0] ?? 0
  return count <= maxMembers
}
