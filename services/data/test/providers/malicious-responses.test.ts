import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { closeSites, startSite } from '../support/sources/http-site.ts'
import { startLimitedHeap } from '../support/sources/limited-heap.ts'
import { startObjectStore } from '../support/sources/object-store.ts'

const heap = startLimitedHeap()
const store = await startObjectStore()
afterAll(async () => {
  await heap.stop()
  await store.close()
  closeSites()
})

const mib = 1_048_576
/** Generates chunks of 64 KiB or a little more, so that the test itself does not hold the response. */
function* repeat(text: string, totalBytes: number, before = '', after = ''): Generator<string> {
  const chunk = text.repeat(Math.ceil(65_536 / text.length))
  yield before
  for (let bytes = 0; bytes < totalBytes; bytes += chunk.length) yield chunk
  yield after
}
function* manyKeys(totalBytes: number, before = '{', after = '"end":0}'): Generator<string> {
  yield before
  for (let [key, bytes] = [0, 0]; bytes < totalBytes; ) {
    let chunk = ''
    while (chunk.length < 65_536) chunk += `"${key++}":0,`
    bytes += chunk.length
    yield chunk
  }
  yield after
}

type Response = () => Iterable<string | Buffer>
const tooLarge = { failure: undefined, reasons: [expect.stringContaining('is larger than 256 KiB')] }
const notObjects = { failure: undefined, reasons: Array(3).fill(expect.stringContaining('object')) }
/** Responses, and what the crawl does with them. */
const responses: [string, string, Response, object][] = [
  ['zeros in place of rows', 'json', () => repeat('0,', mib / 2, '[', '0]'), notObjects],
  ['zeros in place of rows', 'ndjson', () => repeat('0\n', mib / 2), { failure: { code: 'unexpected_format' } }],
  ['deep nesting', 'json', () => repeat('[', 8 * mib), { failure: { code: 'schema' } }],
  ['deep nesting', 'ndjson', () => repeat('[', 8 * mib), tooLarge],
  ['deep nesting in a row', 'json', () => repeat('{"a":', 8 * mib, '['), { failure: { code: 'schema' } }],
  ['millions of keys in a row', 'json', () => manyKeys(32 * mib, '[{', '"end":0}]'), tooLarge],
  ['millions of keys in a row', 'ndjson', () => manyKeys(32 * mib), tooLarge],
  ['an endless line', 'csv', () => repeat('a', 32 * mib, 'id\n'), tooLarge],
  ['an endless header', 'csv', () => repeat('a,', 32 * mib), { failure: { code: 'schema' } }],
  ['an endless line', 'ndjson', () => repeat('a', 32 * mib), { failure: { code: 'unexpected_format' } }],
  ['an endless text', 'text', () => repeat('a', 32 * mib), {}],
  ['an endless tag', 'html', () => repeat('a="b" ', 32 * mib, '<p '), {}],
  ['deep nesting', 'html', () => repeat('<p><b>', 8 * mib), {}],
  ['a gzip bomb', 'csv', () => [gzipSync(Buffer.alloc(32 * mib, 'a'))], {}],
  ['a gzip bomb', 'json', () => [gzipSync(Buffer.alloc(32 * mib, '['))], { failure: { code: 'schema' } }],
]

let respond: Response = () => []
beforeEach(() => {
  respond = () => []
})

describe('a crawl', () => {
  it.each(responses)(
    'ends with bounded memory when an http server sends %s as %s',
    async (_what, format, body, result) => {
      respond = body
      const { url } = await startSite((response) => Readable.from(respond()).pipe(response.writeHead(200, {})))
      const ended = await heap.crawl({ provider: 'http', config: { url, format } })
      expect(ended).toMatchObject(result)
      expect(ended.bufferBytes).toBeLessThan(24 * mib)
    },
  )

  it.each([
    ['zeros', 'is larger than 16777216 bytes', () => repeat('0', 32 * mib)],
    ['elements without end', 'does not answer like S3', () => repeat('<Contents/>', 12 * mib, '<ListBucketResult>')],
    ['deep nesting', 'does not answer like S3', () => repeat('<a>', 12 * mib, '<ListBucketResult>')],
    [
      'objects of one letter',
      'does not answer like S3',
      () => repeat('<a/>', 12 * mib, '<ListBucketResult>', '</ListBucketResult>'),
    ],
  ] as [string, string, Response][])(
    'fails with bounded memory when an object store lists %s',
    async (_what, message, body) => {
      store.fault = (_asked, response) => {
        Readable.from(body()).pipe(response.writeHead(200))
        return undefined
      }
      const ended = await heap.crawl({
        provider: 's3',
        config: {},
        integration: {
          provider: 's3',
          config: { endpoint: store.url, region: store.region, bucket: store.bucket, access_key_id: store.accessKeyId },
          secrets: { secret_access_key: store.secretAccessKey },
        },
      })
      expect(ended).toMatchObject({ failure: { message: expect.stringContaining(message) } })
      expect(ended.bufferBytes).toBeLessThan(64 * mib)
    },
  )
})
