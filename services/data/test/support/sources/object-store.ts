import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type StoreAccount, signatureError } from './object-store-signature.ts'

interface StoredObject {
  body: Buffer
  etag: string
  contentEncoding?: string | undefined
  isArchived?: boolean | undefined
}

export interface ObjectRequest {
  key: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
}

/** A fault the store simulates. */
export interface Fault {
  status?: number
  code?: string
  headers?: Record<string, string>
  /** Sent in place of the response. */
  body?: string
  /** Closes the connection after this many bytes of the body. */
  cutAfter?: number
}

export interface ObjectStore extends StoreAccount {
  url: string
  /** In the order of arrival. */
  requests: ObjectRequest[]
  put(key: string, body: string | Uint8Array, more?: Pick<StoredObject, 'contentEncoding' | 'isArchived'>): void
  remove(key: string): void
  /** Largest number of objects in one page of a listing. */
  pageSize: number
  /** Called before each response. */
  fault: (asked: ObjectRequest, response: ServerResponse) => Fault | undefined
  close(): Promise<void>
}

/**
 * Starts a store with the read part of the S3 API (https://docs.aws.amazon.com/AmazonS3/latest/API/): signatures, paged
 * listings in byte order, encoded keys, ETags, `If-Match`, ranges, and errors in XML.
 */
export async function startObjectStore(): Promise<ObjectStore> {
  const objects = new Map<string, StoredObject>()
  const server = createServer((request, response) => serve(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // a server that listens on TCP has such an address

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const [path = '', search = ''] = (request.url ?? '').split('?')
    const [, bucket = '', ...parts] = path.split('/')
    const asked = {
      key: decodeURIComponent(parts.join('/')),
      query: new URLSearchParams(search),
      headers: request.headers,
    }
    store.requests.push(asked)
    const fault = store.fault(asked, response)
    if (response.destroyed || response.headersSent) return
    if (fault?.status !== undefined) return void refuse(response, fault.status, fault.code ?? '', fault.headers)
    if (fault?.body !== undefined) return void response.end(fault.body)
    const refusal = signatureError(request, store)
    if (refusal !== undefined) return void refuse(response, refusal.status, refusal.code)
    if (bucket !== store.bucket) return void refuse(response, 404, 'NoSuchBucket')
    if (request.method !== 'GET') return void refuse(response, 405, 'MethodNotAllowed')
    if (asked.key === '') return void list(asked.query, response)
    get(asked, response, fault?.cutAfter)
  }

  function list(query: URLSearchParams, response: ServerResponse): void {
    if (query.get('list-type') !== '2') return void refuse(response, 400, 'InvalidArgument')
    const encode = query.get('encoding-type') === 'url' ? formEncoded : escaped
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString()
    const limit = Math.min(store.pageSize, Number(query.get('max-keys') ?? 1000))
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && (after === '' || inBytes(key, after) > 0))
      .toSorted(inBytes)
    const shown = keys.slice(0, limit)
    const isTruncated = keys.length > shown.length
    const contents = shown.map((key) => {
      const { etag = '', body = '' } = objects.get(key) ?? {}
      return `<Contents><Key>${encode(key)}</Key><LastModified>2026-05-01T10:00:00.000Z</LastModified>
        <ETag>${escaped(etag)}</ETag><Size>${body.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`
    })
    const token = Buffer.from(shown.at(-1) ?? '').toString('base64url')
    response.writeHead(200, { 'content-type': 'application/xml' }).end(
      `<?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${store.bucket}</Name>
        ${query.has('prefix') ? `<Prefix>${encode(query.get('prefix') ?? '')}</Prefix>` : '<Prefix/>'}<KeyCount>${shown.length}</KeyCount>
        <MaxKeys>${limit}</MaxKeys>${query.has('encoding-type') ? '<EncodingType>url</EncodingType>' : ''}
        <IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}
        ${isTruncated ? `<NextContinuationToken>${token}</NextContinuationToken>` : ''}</ListBucketResult>`,
    )
  }

  function get({ key, query, headers }: ObjectRequest, response: ServerResponse, cutAfter: number | undefined): void {
    const object = objects.get(key)
    if (object === undefined) return void refuse(response, 404, 'NoSuchKey')
    if (object.isArchived) return void refuse(response, 403, 'InvalidObjectState')
    if (headers['if-match'] !== undefined && headers['if-match'] !== object.etag)
      return void refuse(response, 412, 'PreconditionFailed')
    const encoding = query.get('response-content-encoding') ?? object.contentEncoding
    const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
    if (Number(from ?? 0) > 0 && Number(from) >= object.body.length) return void refuse(response, 416, 'InvalidRange')
    const body = object.body.subarray(Number(from ?? 0))
    response.writeHead(from === undefined ? 200 : 206, {
      etag: object.etag,
      'content-length': body.length,
      'content-type': 'binary/octet-stream',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    })
    if (cutAfter === undefined || cutAfter >= body.length) return void response.end(body)
    response.write(body.subarray(0, cutAfter), () => response.destroy())
  }

  const store: ObjectStore = {
    url: `http://127.0.0.1:${port}`,
    bucket: 'the.bucket-1',
    region: 'eu-north-1',
    accessKeyId: 'AKIA1',
    secretAccessKey: randomBytes(20).toString('base64'),
    requests: [],
    pageSize: 1000,
    fault: () => undefined,
    put(key, body, more = {}) {
      const bytes = Buffer.from(body)
      objects.set(key, { body: bytes, etag: `"${createHash('md5').update(bytes).digest('hex')}"`, ...more })
    },
    remove: (key) => void objects.delete(key),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return store
}

function refuse(response: ServerResponse, status: number, code: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/xml', ...headers })
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message><RequestId>1</RequestId></Error>`,
  )
}

const inBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Encodes keys like Amazon: a space is a plus sign. */
const formEncoded = (text: string) => encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%2F', '/')
