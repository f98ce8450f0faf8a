import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface StoreAccount {
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/**
 * Returns the error of a request whose signature is not valid. Computes the signature independently, as described in
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signatureError(
  request: IncomingMessage,
  store: StoreAccount,
): { status: number; code: string } | undefined {
  const [, accessKeyId, date = '', region, signedHeaders = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    ) ?? []
  if (accessKeyId !== store.accessKeyId) return { status: 403, code: 'InvalidAccessKeyId' }
  if (region !== store.region) return { status: 400, code: 'AuthorizationHeaderMalformed' }
  const stamp = String(request.headers['x-amz-date'])
  const age = Math.abs(Date.now() - Date.parse(stamp.replace(/(....)(..)(..T..)(..)(..)Z/, '$1-$2-$3:$4:$5Z')))
  if (!stamp.startsWith(date) || !(age < 900_000)) return { status: 403, code: 'RequestTimeTooSkewed' }
  if (!signedHeaders.split(';').includes('host')) return { status: 403, code: 'AccessDenied' }
  const scope = `${date}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical(request, signedHeaders))].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${store.secretAccessKey}`, date), region), 's3'), 'aws4_request')
  const isRight = hmac(key, toSign).toString('hex') === signature
  return isRight ? undefined : { status: 403, code: 'SignatureDoesNotMatch' }
}

function canonical({ method, url = '', headers }: IncomingMessage, signedHeaders: string): string {
  const [path = '', search = ''] = url.split('?')
  const query = search
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) =>
      pair
        .split('=')
        .map((part) => encoded(decodeURIComponent(part)))
        .join('='),
    )
    .toSorted()
    .join('&')
  const names = signedHeaders.split(';')
  const canonicalHeaders = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
  const payload = String(headers['x-amz-content-sha256'])
  const segments = path.split('/').map((segment) => encoded(decodeURIComponent(segment)))
  return [method, segments.join('/'), query, canonicalHeaders, signedHeaders, payload].join('\n')
}

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
