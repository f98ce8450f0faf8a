import type { Readable } from 'node:stream'
import { OutboundError, type OutboundErrorKind, type OutboundStream } from '@wp/outbound'
import { AwsV4Signer } from 'aws4fetch'
import { crawlFailure, outboundFailure } from '../crawl-failure.ts'
import { parseRetryAfterMs, RetryableError, type RetryPolicy, waitBeforeRetry } from '../retry.ts'
import type { CrawlRequest } from '../source-reader.ts'
import { toS3Error } from './error-response.ts'
import { type Listing, parseListing } from './parse-listing.ts'
import { childText, parseXml } from './parse-xml.ts'
import type { S3Settings } from './settings.ts'

/** A bucket, asked patiently. All throw a JobFailure, NotAsListed or the signal's reason. */
export interface BucketClient {
  list(query: { prefix: string; token?: string | undefined; limit?: number }): Promise<Listing>
  /** The bytes of an object in the version that was listed, whatever becomes of the connection meanwhile. */
  read(object: { key: string; etag: string | undefined }): AsyncGenerator<Uint8Array>
}

type ClientContext = Pick<CrawlRequest<unknown>, 'outbound' | 'protocols' | 'signal' | 'now' | 'log'>

interface S3Request {
  /** As a URL has it, from the bucket on. */
  path: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  operation: string
}

const maxResponseBytes = 16 * 1024 * 1024
/** Of one answer, from the lookup to its last byte being taken; objects are taken as fast as they can be stored. */
const timeoutMs = 6 * 3_600_000

export function createBucketClient(
  settings: S3Settings,
  outside: ClientContext,
  retryPolicy: RetryPolicy,
): BucketClient {
  const { outbound, protocols, signal, now, log } = outside
  const keys = new Map<string, ArrayBuffer>()

  /** One request; anything but success is thrown. */
  async function sendRequest({ path, query = {}, headers = {}, operation }: S3Request): Promise<OutboundStream> {
    const url = `${settings.bucketUrl}${path}${queryString(query)}`
    const { region, accessKeyId, secretAccessKey } = settings
    const datetime = new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, '')
    const signer = new AwsV4Signer({
      ...{ url, headers, region, accessKeyId, secretAccessKey, service: 's3', datetime, cache: keys },
    })
    const signed = await signer.sign()
    const answer = await outbound.stream({
      url: signed.url,
      headers: { ...Object.fromEntries(signed.headers), 'user-agent': 'workspace-platform' },
      ...{ protocols, signal, timeoutMs, connectTimeoutMs: 10_000, stallTimeoutMs: 30_000 },
      maxResponseBytes: Number.MAX_SAFE_INTEGER,
    })
    const { status, body } = answer
    if (status === 200 || status === 206) return answer
    const code = childText(parseXml(await readBodyText(body)), 'Code')
    throw toS3Error({ status, code, operation, afterMs: parseRetryAfterMs(answer.headers['retry-after'], now()) })
  }

  /** What a call failed at, as something to throw. */
  function failure(error: unknown, what: string): unknown {
    if (signal.aborted) return signal.reason
    if (!(error instanceof OutboundError)) return error
    const { code, message } = outboundFailure(error).error
    const failure = crawlFailure(code === 'transient' ? code : 'config', `${what}: ${message}`, error)
    return failure.error.retryable && !permanentErrorKinds.has(error.kind) ? new RetryableError(failure) : failure
  }

  async function waitOrThrow(error: unknown, tried: number): Promise<void> {
    if (!(error instanceof RetryableError)) throw error
    log.info({ err: error.cause, tried }, 'an object store is asked again')
    await waitBeforeRetry(error, tried, retryPolicy, signal)
  }

  return {
    async list({ prefix, token, limit = 1_000 }) {
      const what = 'Listing the bucket'
      const query = {
        'list-type': '2',
        'encoding-type': 'url',
        'max-keys': String(limit),
        ...(prefix === '' ? {} : { prefix }),
        ...(token === undefined ? {} : { 'continuation-token': token }),
      }
      for (let tried = 1; ; tried++)
        try {
          const { body } = await sendRequest({ path: '', query, operation: what })
          return parseListing(await readBodyText(body))
        } catch (error) {
          await waitOrThrow(failure(error, what), tried)
        }
    },

    async *read({ key, etag }) {
      const what = `Reading ${key}`
      let at = 0
      let isAsStored = false
      for (let tried = 1; ; tried++) {
        let body: Readable | undefined
        try {
          const headers = { ...(etag && { 'if-match': etag }), ...(at > 0 && { range: `bytes=${at}-` }) }
          const query = isAsStored ? { 'response-content-encoding': 'identity' } : {}
          const answer = await sendRequest({ path: objectPath(key), query, headers, operation: what })
          body = answer.body
          if (at > 0 && answer.status !== 206)
            throw crawlFailure('transient', `${what}: the store sends it from the beginning only`)
          for await (const chunk of body) {
            const bytes: Buffer = chunk // a stream of outbound gives nothing else
            at += bytes.length
            tried = 1
            yield bytes
          }
          return
        } catch (error) {
          // Some objects are kept packed and say so; then the store is asked to give the bytes for what they are.
          if (isEncodingError(error) && !isAsStored) {
            isAsStored = true
            continue
          }
          const known = failure(error, what)
          // Without a version nobody knows that the rest is of the same object.
          if (known instanceof RetryableError && at > 0 && etag === undefined) throw known.failure
          await waitOrThrow(known, tried)
        } finally {
          body?.destroy()
        }
      }
    },
  }
}

/** What will be the same when it is asked for again at once. */
const permanentErrorKinds: ReadonlySet<OutboundErrorKind> = new Set(['protocol', 'encoding', 'too_large'])

const isEncodingError = (error: unknown) => error instanceof OutboundError && error.kind === 'encoding'

/** Whether a URL can name a key: a step up or a step nowhere is taken away by whoever reads it; and nothing keeps a NUL. */
export const isAddressable = (key: string): boolean =>
  !key.includes('\0') && !key.split('/').some((part) => part === '.' || part === '..')

const objectPath = (key: string) => `/${key.split('/').map(encodeRfc3986).join('/')}`

const queryString = (query: Readonly<Record<string, string>>) => {
  const pairs = Object.entries(query).map(([name, value]) => `${encodeRfc3986(name)}=${encodeRfc3986(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** As signatures have it (RFC 3986, 2.3). */
const encodeRfc3986 = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/** What is not an object's content is short. */
async function readBodyText(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    const bytes: Buffer = chunk // a stream of outbound gives nothing else
    size += bytes.length
    if (size > maxResponseBytes)
      throw new OutboundError('too_large', `the answer is longer than ${maxResponseBytes} bytes`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}
