import type { Readable } from 'node:stream'
import { OutboundError, type OutboundErrorKind } from '@wp/outbound'
import { crawlFailure, outboundFailure } from '../crawl-failure.ts'
import { createRateGuard, type RateGuard } from '../minimum-rate.ts'
import { RetryableError, type RetryPolicy, waitBeforeRetry } from '../retry.ts'
import type { CrawlRequest } from '../source-reader.ts'
import { type Listing, parseListing } from './parse-listing.ts'
import { objectPath, type RequestContext, readBodyText, sendRequest } from './send-request.ts'
import type { S3Settings } from './settings.ts'

/**
 * Reads a bucket and retries failed requests. All methods throw a JobFailure, ObjectUnavailable or the reason of the
 * signal.
 */
export interface BucketClient {
  list(query: ListQuery): Promise<Listing>
  /** Yields the bytes of an object in the listed version. Resumes after a lost connection. */
  read(object: ObjectVersion): AsyncGenerator<Uint8Array>
}

interface ListQuery {
  prefix: string
  /** Continues a listing. */
  token?: string | undefined
  limit?: number
}

interface ObjectVersion {
  key: string
  etag: string | undefined
}

interface ClientState extends RequestContext, Pick<CrawlRequest<unknown>, 'log'> {
  retryPolicy: RetryPolicy
  rateGuard: RateGuard
}

type ClientContext = Pick<CrawlRequest<unknown>, 'outbound' | 'protocols' | 'signal' | 'now' | 'log'>

export function createBucketClient(
  settings: S3Settings,
  { outbound, protocols, signal, now, log }: ClientContext,
  retryPolicy: RetryPolicy,
): BucketClient {
  const state: ClientState = {
    settings,
    outbound,
    protocols,
    signal,
    now,
    log,
    retryPolicy,
    signingKeys: new Map(),
    rateGuard: createRateGuard(now),
  }
  return { list: (query) => list(state, query), read: (object) => read(state, object) }
}

async function list(state: ClientState, { prefix, token, limit = 1_000 }: ListQuery): Promise<Listing> {
  const operation = 'Listing the bucket'
  const query = {
    'list-type': '2',
    'encoding-type': 'url',
    'max-keys': String(limit),
    ...(prefix === '' ? {} : { prefix }),
    ...(token === undefined ? {} : { 'continuation-token': token }),
  }
  for (let attempt = 1; ; attempt++)
    try {
      const { body } = await sendRequest(state, { path: '', query, operation })
      return parseListing(await readBodyText(state.rateGuard.watch(body, operation)))
    } catch (error) {
      await waitOrThrow(state, toFailure(state, error, operation), attempt)
    }
}

async function* read(state: ClientState, { key, etag }: ObjectVersion): AsyncGenerator<Uint8Array> {
  const operation = `Reading ${key}`
  let offset = 0
  let isIdentityRequested = false
  for (let attempt = 1; ; attempt++) {
    let body: Readable | undefined
    try {
      const headers = { ...(etag && { 'if-match': etag }), ...(offset > 0 && { range: `bytes=${offset}-` }) }
      const query = isIdentityRequested ? { 'response-content-encoding': 'identity' } : {}
      const response = await sendRequest(state, { path: objectPath(key), query, headers, operation })
      body = response.body
      if (offset > 0 && response.status !== 206)
        throw crawlFailure('transient', `${operation}: the store ignores the requested range`)
      for await (const bytes of state.rateGuard.watch(body, operation)) {
        offset += bytes.length
        attempt = 1
        yield bytes
      }
      return
    } catch (error) {
      // The metadata of some objects names a content encoding. The query replaces it, so that the stored bytes are
      // sent.
      if (isEncodingError(error) && !isIdentityRequested) {
        isIdentityRequested = true
        continue
      }
      const failure = toFailure(state, error, operation)
      // Without an ETag the rest may belong to another version of the object.
      if (failure instanceof RetryableError && offset > 0 && etag === undefined) throw failure.failure
      await waitOrThrow(state, failure, attempt)
    } finally {
      body?.destroy()
    }
  }
}

/** Converts the error of a request to the one to throw. */
function toFailure({ signal }: ClientState, error: unknown, operation: string): unknown {
  if (signal.aborted) return signal.reason
  if (!(error instanceof OutboundError)) return error
  const { code, message } = outboundFailure(error).error
  const failure = crawlFailure(code === 'transient' ? code : 'config', `${operation}: ${message}`, error)
  return failure.error.retryable && !permanentErrorKinds.has(error.kind) ? new RetryableError(failure) : failure
}

/** Errors that an immediate retry would meet again. */
const permanentErrorKinds: ReadonlySet<OutboundErrorKind> = new Set(['protocol', 'encoding', 'too_large'])

const isEncodingError = (error: unknown): boolean => error instanceof OutboundError && error.kind === 'encoding'

async function waitOrThrow({ log, retryPolicy, signal }: ClientState, error: unknown, attempt: number): Promise<void> {
  if (!(error instanceof RetryableError)) throw error
  log.info(
    { err: error.cause, attempt, event: 'object_store_request.retried' },
    'object store request failed; retrying',
  )
  await waitBeforeRetry(error, attempt, retryPolicy, signal)
}
