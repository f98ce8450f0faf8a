import { OutboundError, type OutboundStream, parseRetryAfterMs } from '@wp/outbound'
import { AwsV4Signer } from 'aws4fetch'
import type { CrawlRequest } from '../source-reader.ts'
import { toS3Error } from './error-response.ts'
import { childText, parseXml } from './parse-xml.ts'
import type { S3Settings } from './settings.ts'

export interface S3Request {
  /** Encoded URL path after the bucket. */
  path: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  /** Names the operation at the beginning of error messages. */
  operation: string
}

export interface RequestContext extends Pick<CrawlRequest<unknown>, 'outbound' | 'protocols' | 'signal' | 'now'> {
  settings: S3Settings
  /** Cache of derived signing keys. */
  signingKeys: Map<string, ArrayBuffer>
}

/** Largest response other than the content of an object. */
const maxResponseBytes = 16 * 1024 * 1024
/** From the lookup until the last byte is consumed; an object is consumed as fast as its records are stored. */
const timeoutMs = 6 * 3_600_000

/** Sends one signed request. @throws the error of any response but success, and errors of the guarded client */
export async function sendRequest(
  { settings, signingKeys, outbound, protocols, signal, now }: RequestContext,
  { path, query = {}, headers = {}, operation }: S3Request,
): Promise<OutboundStream> {
  const { region, accessKeyId, secretAccessKey, bucketUrl } = settings
  const url = `${bucketUrl}${path}${queryString(query)}`
  const datetime = new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, '')
  const signer = new AwsV4Signer({
    url,
    headers,
    region,
    accessKeyId,
    secretAccessKey,
    service: 's3',
    datetime,
    cache: signingKeys,
  })
  const signed = await signer.sign()
  const response = await outbound.stream({
    url: signed.url,
    headers: { ...Object.fromEntries(signed.headers), 'user-agent': 'workspace-platform' },
    protocols,
    signal,
    timeoutMs,
    connectTimeoutMs: 10_000,
    stallTimeoutMs: 30_000,
    maxResponseBytes: Number.MAX_SAFE_INTEGER,
  })
  const { status, body } = response
  if (status === 200 || status === 206) return response
  const code = childText(parseXml(await readBodyText(body)), 'Code')
  const retryAfterMs = parseRetryAfterMs(response.headers['retry-after'], now())
  throw toS3Error({ status, code, operation, retryAfterMs })
}

/** Reads a response that is not the content of an object. */
export async function readBodyText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const bytes of body) {
    size += bytes.length
    if (size > maxResponseBytes)
      throw new OutboundError('too_large', `the response is larger than ${maxResponseBytes} bytes`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export const objectPath = (key: string): string => `/${key.split('/').map(encodeRfc3986).join('/')}`

/**
 * Returns false for keys that no URL can name: URL parsers remove `.` and `..` segments, and headers cannot hold NUL.
 */
export const isAddressable = (key: string): boolean =>
  !key.includes('\0') && !key.split('/').some((segment) => segment === '.' || segment === '..')

function queryString(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encodeRfc3986(name)}=${encodeRfc3986(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Encodes all characters but the unreserved ones (RFC 3986, 2.3), as signatures require. */
const encodeRfc3986 = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
