import { type Outbound, OutboundError, type OutboundResponse, type Protocol, parseRetryAfterMs } from '@wp/outbound'
import { EmbeddingFailure } from './embedding-failure.ts'
import type { TextRole } from './embedding-model.ts'
import { parseVectors } from './parse-embeddings.ts'
import { maxDimensions } from './vector-math.ts'

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
  /** Marks the texts as queries or as parts of records. */
  role: TextRole
  timeoutMs: number
  signal?: AbortSignal | undefined
  /** Milliseconds since 1970. */
  now: () => number
}

/** Limit of a response: bytes per dimension of each text, which fits any number in JSON, and what surrounds them. */
const [bytesPerDimension, overheadBytes] = [32, 16_384]

const maxResponseBytesOf = (inputs: number, dimensions: number) =>
  inputs * dimensions * bytesPerDimension + overheadBytes

/**
 * Embeds texts by an OpenAI-compatible server (POST /embeddings).
 * @returns vectors of length 1, in the order of the texts
 * @throws EmbeddingFailure
 */
export async function requestEmbeddings(
  { outbound, protocols }: OutboundAccess,
  { baseUrl, apiKey, model, dimensions }: EmbeddingEndpoint,
  inputs: readonly string[],
  { role, timeoutMs, signal, now }: RequestOptions,
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
      body: JSON.stringify({
        model,
        dimensions,
        encoding_format: 'float',
        input: inputs.map((text) => role.prefix + text),
        input_type: role.inputType,
      }),
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

function assertSuccess({ status, headers, body }: OutboundResponse, now: () => number): void {
  if (status >= 200 && status < 300) return
  const message = `The embedding provider answered ${status}`
  if (status === 401 || status === 403 || status === 407) throw new EmbeddingFailure('unauthorized', message)
  if (status === 400 || status === 413 || status === 422) throw new EmbeddingFailure('refused', message)
  // llama.cpp answers 500 to a text that is longer than its batch: repeated, it would fail for ever.
  if (status === 500 && tooLong.test(body.toString('utf8', 0, maxErrorBytes)))
    throw new EmbeddingFailure('refused', `${message}: a text is too long for the model`)
  const retryAfterMs = parseRetryAfterMs(headers['retry-after'], now())
  if (status === 408 || status === 429 || status >= 500)
    throw new EmbeddingFailure('unavailable', message, retryAfterMs === undefined ? {} : { retryAfterMs })
  throw new EmbeddingFailure('unusable', message)
}

const maxErrorBytes = 4_096
const tooLong = /too large to process|context length|maximum context|too many tokens/i
