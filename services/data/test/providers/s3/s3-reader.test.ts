import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { S3Config } from '@wp/contracts'
import type { Outbound } from '@wp/outbound'
import { eventually } from '@wp/testkit'
import { rejectedAddresses } from '../../../../../packages/outbound/test/rejected-addresses.ts'
import { createS3Reader } from '../../../src/providers/s3/s3-reader.ts'
import type { CrawlRequest } from '../../../src/providers/source-reader.ts'
import { calendarOf } from '../../intake/calendar/write-calendar.ts'
import { type ObjectStore, startObjectStore } from '../../support/sources/object-store.ts'
import { crawlAll, crawlFailureOf, crawlRequest, localOutbound } from '../../support/sources/run-crawl.ts'

/** A reader with short pauses between attempts. */
const reader = createS3Reader({ initialBackoffMs: 1, maxObjectBytes: 3_000_000 })
/** Objects that are larger than what is read to detect their format. */
const largeObjects = createS3Reader({ initialBackoffMs: 1 })
const eightMegabytes = `n\n${`${'x'.repeat(999)}\n`.repeat(8_000)}`

let store: ObjectStore
let outbound: Outbound
beforeAll(() => {
  outbound = localOutbound()
})
afterAll(() => outbound.close())
beforeEach(async () => {
  store = await startObjectStore()
})
afterEach(() => store.close())

type More = Partial<CrawlRequest<S3Config>> & { integrationConfig?: Record<string, unknown>; secret?: string }

const crawling = (
  config: Partial<S3Config> = {},
  { integrationConfig, secret = store.secretAccessKey, ...more }: More = {},
): CrawlRequest<S3Config> =>
  crawlRequest<S3Config>({
    config: { prefix: '', format: 'auto', ...config },
    integration: {
      provider: 's3',
      config: {
        endpoint: store.url,
        region: store.region,
        bucket: store.bucket,
        access_key_id: store.accessKeyId,
        ...integrationConfig,
      },
      secrets: { secret_access_key: secret },
    },
    outbound,
    ...more,
  })

const crawl = (config?: Partial<S3Config>, more?: More) => crawlAll(reader, crawling(config, more))
const fails = (config?: Partial<S3Config>, more?: More) => crawlFailureOf(reader, crawling(config, more))

/** The versions of the parts that were read completely, as a sync stores them. */
const versionsIn = ({ pages }: Awaited<ReturnType<typeof crawl>>) =>
  new Map(
    pages.flatMap(({ part = '', completedPart }) =>
      completedPart === undefined ? [] : [[part, completedPart.version] as const],
    ),
  )

const knowing = (versions: ReadonlyMap<string, string>): More => ({
  findPartVersions: async (parts) =>
    new Map(parts.flatMap((part) => (versions.has(part) ? [[part, versions.get(part) ?? '']] : []))),
})

const parts = ({ pages }: Awaited<ReturnType<typeof crawl>>) => pages.flatMap(({ part }) => part ?? [])
const keysAsked = () => store.requests.map(({ key }) => key).filter((key) => key !== '')

describe('objects', () => {
  it('of every format become rows of a part with a version', async () => {
    store.put('a.csv', 'id,name\n1,Ann\n2,Bob\n')
    store.put('c.json', '[{"id":4}]')
    store.put('d.ndjson', '{"id":5}\n{"id":6}\n')
    store.put('e.jsonl.gz', gzipSync('{"id":7}\n'))
    store.put('texts/f.txt', 'A text.')
    store.put('texts/g.md', '# Heading\n\nIts text.')
    store.put('texts/h.html', '<title>Page</title><p>Its text.</p>')
    const crawled = await crawl()
    expect(crawled).toMatchObject({ end: 'complete' })
    expect(crawled.values).toEqual([
      { id: 1, name: 'Ann' },
      { id: 2, name: 'Bob' },
      { id: 4 },
      { id: 5 },
      { id: 6 },
      { id: 7 },
      { key: 'texts/f.txt', title: 'f.txt', text: 'A text.' },
      { key: 'texts/g.md', title: 'Heading', text: expect.stringContaining('Its text.') },
      { key: 'texts/h.html', title: 'Page', text: 'Its text.' },
    ])
    expect([...versionsIn(crawled).keys()]).toEqual([
      ...['a.csv', 'c.json', 'd.ndjson', 'e.jsonl.gz', 'texts/f.txt', 'texts/g.md', 'texts/h.html'],
    ])
  })

  it('are calendars, beside which others have their own columns', async () => {
    const calendar = calendarOf(['UID:a', 'DTSTART:20260105T090000Z', 'SUMMARY:Call'])
    store.put('a.ics', calendar)
    store.put('b.json', '[{"id":4}]')
    store.put('c.ics.gz', gzipSync(calendar))
    const { values, end } = await crawl()
    const event = expect.objectContaining({ uid: 'a', start: '2026-01-05T09:00:00Z', summary: 'Call' })
    expect([values, end]).toEqual([[event, { id: 4 }, event], 'complete'])
  })

  it('are parsed as configured', async () => {
    store.put('data', '{"data":{"items":[{"id":1}]}}')
    expect((await crawl({ format: 'json', rows_path: '/data/items' })).values).toEqual([{ id: 1 }])
    store.put('data', '{"data":{"items":[{"id":1}]},"errors":["shard 3"]}')
    const { pages } = await crawl({ format: 'json', rows_path: '/data/items' })
    expect(pages[0]?.warnings).toMatchObject([{ code: 'errors_beside_rows' }])
    store.put('data', Buffer.from('name\nJos\xe9\n', 'latin1'))
    expect((await crawl({ format: 'csv', charset: 'latin1' })).values).toEqual([{ name: 'José' }])
    store.put('data', 'Words.')
    expect((await crawl({ format: 'text', key: 'id', text_field: 'body', title_field: 'named' })).values).toEqual([
      { id: 'data', named: 'data', body: 'Words.' },
    ])
    expect(await fails({ charset: 'klingon' })).toMatchObject({
      code: 'config',
      message: expect.stringContaining('klingon'),
    })
  })

  it('are selected by prefix and pattern', async () => {
    for (const key of ['in/a.csv', 'in/b.csv', 'in/deep/c.csv', 'in/a.txt', 'out/d.csv', 'in/'])
      store.put(key, key === 'in/' ? '' : 'x\n1\n')
    expect(parts(await crawl({ prefix: 'in/', pattern: '**.csv' }))).toEqual(['in/a.csv', 'in/b.csv', 'in/deep/c.csv'])
    expect(parts(await crawl({ pattern: 'in/*.csv' }))).toEqual(['in/a.csv', 'in/b.csv'])
    expect(parts(await crawl({ pattern: '*/?.csv' }))).toEqual(['in/a.csv', 'in/b.csv', 'out/d.csv'])
    expect(parts(await crawl({ prefix: 'out/' }))).toEqual(['out/d.csv'])
    expect(await crawl({ prefix: 'nothing' })).toMatchObject({ end: 'unchanged', pages: [] })
  })

  it('are read by any key a URL can name; others are reported', async () => {
    const keys = [
      'a b.csv',
      'a+b.csv',
      'a%20b.csv',
      '100%.csv',
      'ü/😀.csv',
      `q?x=1&y#z'"<>()*!.csv`,
      '/slash//es/.csv',
      '~-_.csv',
      'a\\b.csv',
      '=:@,;$.csv',
    ]
    for (const [n, key] of keys.entries()) store.put(key, `n\n${n}\n`)
    const crawled = await crawl()
    expect([...versionsIn(crawled).keys()].toSorted()).toEqual(keys.toSorted())
    expect(crawled.values.map((row) => Number(Object(row).n)).toSorted((a, b) => a - b)).toEqual(keys.map((_, n) => n))
    expect(keysAsked().toSorted()).toEqual(keys.toSorted())
    store.put('a/../b.csv', 'n\n1\n')
    store.put('./c.csv', 'n\n1\n')
    store.put('nul\0.csv', 'n\n1\n')
    const [first, ...rest] = (await crawl()).pages
    expect(first).toEqual({
      rows: ['./c.csv', 'a/../b.csv', 'nul\\u0000.csv'].map((key) => ({
        line: 1,
        reason: `the object "${key}" has a key that cannot be used in a URL`,
      })),
    })
    expect(rest).toHaveLength(keys.length)
  })

  it('are listed in pages, also by a store that does not encode keys', async () => {
    store.pageSize = 2
    for (const key of ['a.csv', 'b.csv', 'c+d.csv', 'e&f.csv', 'g.csv']) store.put(key, 'n\n1\n')
    expect(parts(await crawl())).toEqual(['a.csv', 'b.csv', 'c+d.csv', 'e&f.csv', 'g.csv'])
    expect(store.requests.filter(({ query }) => query.has('list-type'))).toHaveLength(3)
    store.fault = ({ query }) => {
      query.delete('encoding-type')
      return undefined
    }
    expect(parts(await crawl())).toEqual(['a.csv', 'b.csv', 'c+d.csv', 'e&f.csv', 'g.csv'])
  })
})

describe('an unchanged object', () => {
  it('is reported and not read in both modes, unlike new and changed ones', async () => {
    store.pageSize = 2
    for (const key of ['a.csv', 'b.csv', 'c.csv']) store.put(key, `n\n${key}\n`)
    const versions = versionsIn(await crawl())
    expect(await crawl({}, knowing(versions))).toMatchObject({
      end: 'unchanged',
      pages: [
        { rows: [], unchangedParts: ['a.csv', 'b.csv'] },
        { rows: [], unchangedParts: ['c.csv'] },
      ],
    })
    expect(keysAsked()).toHaveLength(3)
    store.put('b.csv', 'n\nchanged\n')
    store.put('d.csv', 'n\nnew\n')
    const again = await crawl({}, { mode: 'full', ...knowing(versions) })
    expect(again).toMatchObject({ end: 'complete', values: [{ n: 'changed' }, { n: 'new' }] })
    expect(again.pages.flatMap(({ unchangedParts = [] }) => unchangedParts)).toEqual(['a.csv', 'c.csv'])
    // Nothing is new, but an object was deleted, which only a full crawl detects.
    store.remove('a.csv')
    const all = knowing(new Map([...versions, ...versionsIn(again)]))
    expect(await crawl({}, all)).toMatchObject({ end: 'unchanged', values: [] })
    expect(await crawl({}, { mode: 'full', ...all })).toMatchObject({ end: 'complete', values: [] })
  })

  it('is read again when the parsing config changes', async () => {
    store.put('a.csv', 'n\n1\n')
    const versions = versionsIn(await crawl())
    for (const config of [{ charset: 'latin1' }, { format: 'text' as const }, { rows_path: '/x' }])
      expect(parts(await crawl(config, knowing(versions)))).toEqual(['a.csv'])
    expect(parts(await crawl({ title_field: 'n' }, knowing(versions)))).toEqual([])
  })
})

describe('an object that cannot be read', () => {
  it.each<[string, string | Uint8Array, unknown[]]>([
    ['bad.csv', 'n,b\n1,2\n1\n3,4\n', [{ n: 1, b: 2 }, 'line 3: has 1 columns where the header has 2', { n: 3, b: 4 }]],
    ['bad.csv', '', ['line 1: The CSV cannot be read: it has no header row']],
    ['bad.csv', 'a,b\n1,2\n', [expect.stringContaining('lacks the column "n"; its columns are "a", "b"')]],
    ['bad.ndjson', '{"a":1}\nnothing\n{"a":2}\n', [{ a: 1 }, 'line 2: is not valid JSON', { a: 2 }]],
    ['bad.ndjson', 'nothing\n', ['line 1: The body is not NDJSON: line 1 is not valid JSON']],
    ['bad.json', '[{"a":1},{"a":', [expect.stringContaining('the document ends within element 2')]],
    ['bad.json.gz', gzipSync('[{"a":1}]').subarray(0, 15), [expect.stringContaining('gzip')]],
    ['bad.csv.gz', 'n\n1\n', [{ n: 1 }]],
    ['bad.txt', 'x'.repeat(300_000), ['line 1: is larger than 256 KiB']],
    ['bad.txt', ' ', ['line 1: has no text']],
    ['bad.csv', 'a\n'.padEnd(3_000_001, '1'), ['line 1: is larger than 2.86102294921875 MiB']],
    [
      'bad.ndjson.gz',
      gzipSync('\n'.repeat(4_000_000)),
      ['line 1: Uncompressed it is larger than 2.86102294921875 MiB'],
    ],
    ['bad.parquet', 'x', [expect.stringContaining('lacks the column "n"')]],
    ['bad', 'x', [expect.stringContaining('has no known extension')]],
  ])('is reported and does not affect others: %s (%#)', async (key, body, expected) => {
    store.put('a.csv', 'n\n1\n')
    store.put(key, body)
    store.put('z.csv', 'n\n2\n')
    const { pages } = await crawl()
    const of = (part: string) =>
      pages
        .filter((page) => page.part === part)
        .flatMap(({ rows }) => rows.map((row) => ('reason' in row ? `line ${row.line}: ${row.reason}` : row.value)))
    expect([of('a.csv'), of('z.csv')]).toEqual([[{ n: 1 }], [{ n: 2 }]])
    expect(of(key)).toEqual(expected)
  })

  it('keeps its records and is tried again', async () => {
    store.put('a.csv', 'n\n1\n', { isArchived: true })
    store.put('b.json', 'nonsense')
    const { pages } = await crawl()
    expect(pages.map(({ part, unchangedParts, completedPart }) => ({ part, unchangedParts, completedPart }))).toEqual([
      { part: 'a.csv', unchangedParts: ['a.csv'], completedPart: undefined },
      { part: 'b.json', unchangedParts: ['b.json'], completedPart: undefined },
    ])
    expect(pages[0]?.rows).toEqual([{ line: 1, reason: 'is archived: it must be restored to be read' }])
  })

  it('is read despite a content encoding in its metadata', async () => {
    store.put('a.csv', gzipSync('n\n1\n'), { contentEncoding: 'gzip' })
    store.put('b.csv', 'n\n2\n', { contentEncoding: 'aws-chunked' })
    expect((await crawl()).values).toEqual([{ n: 1 }, { n: 2 }])
  })
})

describe('an object written during the crawl', () => {
  it('is read in its current version only', async () => {
    store.put('a.csv', 'n\nold\n')
    store.put('b.csv', 'n\nold\n')
    let isWritten = false
    store.fault = ({ key }) => {
      if (key === 'a.csv' && !isWritten) {
        isWritten = true
        store.put('a.csv', 'n\nnew\nnewer\n')
        store.remove('b.csv')
      }
      return undefined
    }
    const crawled = await crawl()
    expect(crawled.values).toEqual([{ n: 'new' }, { n: 'newer' }])
    expect(parts(crawled)).toEqual(['a.csv'])
    store.fault = () => undefined
    expect((await crawl({}, knowing(versionsIn(crawled)))).end).toBe('unchanged')
  })

  it('is left to the next crawl when it is replaced while it is read, or repeatedly', async () => {
    store.put('a.csv', eightMegabytes)
    store.fault = ({ key, headers }) => {
      if (key !== 'a.csv') return undefined
      if (headers.range !== undefined) store.put('a.csv', 'n\nnew\n')
      return { cutAfter: 6_000_000 }
    }
    const replaced = await crawlAll(largeObjects, crawling())
    expect(replaced.pages.at(-1)).toMatchObject({ part: 'a.csv', unchangedParts: ['a.csv'] })
    expect(replaced.values.at(-1)).toBe('was replaced while it was read')
    expect(versionsIn(replaced).size).toBe(0)
    let times = 0
    store.fault = ({ key }) => {
      if (key === 'a.csv') store.put('a.csv', `n\n${times++}\n`)
      return undefined
    }
    expect((await crawl()).values).toEqual(['was replaced while it was read'])
    expect(times).toBe(3)
  })
})

describe('a failing store', () => {
  it.each([
    [503, 'SlowDown'],
    [429, 'TooManyRequests'],
    [500, 'InternalError'],
    [400, 'RequestTimeout'],
  ])('is retried after %i %s', async (status, code) => {
    store.put('a.csv', 'n\n1\n')
    let left = 2
    store.fault = ({ key }) =>
      left-- > 0 || (key !== '' && left-- > -4) ? { status, code, headers: { 'retry-after': '0' } } : undefined
    expect((await crawl()).values).toEqual([{ n: 1 }])
  })

  it.each<[string, { status: number; code: string }, string]>([
    ['is too busy', { status: 503, code: 'SlowDown' }, 'transient'],
    ['denies access', { status: 403, code: 'AccessDenied' }, 'auth'],
    ['redirects to another region', { status: 301, code: 'PermanentRedirect' }, 'config'],
    ['does not implement the request', { status: 501, code: 'NotImplemented' }, 'config'],
  ])('fails the crawl when it %s', async (_, fault, code) => {
    store.put('a.csv', 'n\n1\n')
    store.fault = () => fault
    const failure = {
      code,
      message: expect.stringContaining(`${fault.status} (${fault.code})`),
      retryable: code === 'transient',
    }
    expect(await fails()).toEqual(failure)
    const times = store.requests.length
    expect(times).toBe(code === 'transient' ? 5 : 1)
    store.fault = ({ key }) => (key === '' ? undefined : fault)
    expect(await fails()).toEqual({ ...failure, message: expect.stringMatching(/^Reading a\.csv: /) })
  })

  it('fails the crawl when bucket, key, secret, region or clock is wrong', async () => {
    const failing = (more: More) => fails({}, more)
    expect(await failing({ integrationConfig: { bucket: 'another' } })).toMatchObject({
      code: 'config',
      message: expect.stringContaining('NoSuchBucket'),
    })
    expect(await failing({ integrationConfig: { access_key_id: 'AKIA2' } })).toMatchObject({
      code: 'auth',
      message: expect.stringContaining('InvalidAccessKeyId'),
    })
    expect(await failing({ secret: 'wrong' })).toMatchObject({
      code: 'auth',
      message: expect.stringContaining('SignatureDoesNotMatch'),
    })
    expect(await failing({ integrationConfig: { region: 'us-east-1' } })).toMatchObject({
      code: 'config',
      message: expect.stringContaining('another region'),
    })
    expect(await failing({ now: () => Date.now() - 3_600_000 })).toMatchObject({
      code: 'auth',
      message: expect.stringContaining('RequestTimeTooSkewed'),
    })
    expect(await failing({ integration: undefined })).toMatchObject({ code: 'config' })
    expect(await failing({ integrationConfig: { endpoint: `${store.url}/` } }).catch(() => 'ok')).toBe('ok')
  })

  it.each([
    '<html><body>Sign in</body></html>',
    'nothing',
    '',
    '<ListBucketResult><Contents><Key>a.csv</Key><Size>4</Size></Contents>',
    '<ListBucketResult><Contents><Key>a.csv</Key></Contents></ListBucketResult>',
    '<ListBucketResult><Contents><Size>1</Size></Contents></ListBucketResult>',
    '<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>%zz</Key><Size>1</Size></Contents></ListBucketResult>',
    '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>',
    '<!DOCTYPE r [<!ENTITY a "x">]><ListBucketResult><Contents><Key>&a;</Key><Size>x</Size></Contents></ListBucketResult>',
  ])('fails the crawl when its response is not that of S3: %s', async (body) => {
    store.fault = () => ({ body })
    expect(await fails()).toMatchObject({ code: 'config', message: expect.stringContaining('does not answer like S3') })
  })

  it('is read on from the position where a connection was lost', async () => {
    const lines = Array.from({ length: 100_000 }, (_, n) => `row ${n}`)
    store.put('a.csv', `n\n${lines.join('\n')}\n`)
    let cuts = 0
    store.fault = ({ key }) => (key !== '' && cuts++ < 8 ? { cutAfter: 100_000 } : undefined)
    const crawled = await crawl()
    expect(crawled.values.map((row) => Object(row).n)).toEqual(lines)
    expect(cuts).toBe(9)
    expect(Math.max(...crawled.pages.map(({ rows }) => rows.length))).toBe(1000)
  })

  it.each([
    ['the same token each time', () => 'again'],
    ['pages without objects', (count: number) => `part ${count}`],
  ])('fails the crawl when its listing does not end: %s', async (_how, tokenOf) => {
    let listings = 0
    store.fault = () => ({
      body: `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${tokenOf(++listings)}</NextContinuationToken></ListBucketResult>`,
    })
    expect(await fails()).toMatchObject({ code: 'config', message: 'The listing of the bucket does not end' })
    expect(listings).toBeLessThan(110)
  })

  it('fails the crawl when every connection is lost', async () => {
    store.put('a.csv', `n\n${'x\n'.repeat(1000)}`)
    store.fault = ({ key }, response) => {
      if (key !== '') response.destroy()
      return undefined
    }
    expect(await fails()).toMatchObject({ code: 'transient', message: expect.stringMatching(/^Reading a\.csv: /) })
    // Five attempts, and one request on a kept-alive connection that was already closed.
    expect(keysAsked()).toHaveLength(6)
  })
})

it('a crawl does not read ahead of its consumer and ends when it is aborted', async () => {
  for (const key of ['a.csv', 'b.csv']) store.put(key, eightMegabytes)
  const controller = new AbortController()
  const iterator = largeObjects.crawl(crawling({}, { signal: controller.signal }))
  await iterator.next()
  await iterator.next()
  expect(keysAsked()).toEqual(['a.csv'])
  controller.abort(new Error('enough'))
  await expect(
    (async () => {
      for (;;) await iterator.next()
    })(),
  ).rejects.toThrow('enough')
  expect(keysAsked()).toEqual(['a.csv'])
})

describe('the address of a store', () => {
  it('is rejected when it is not public', async () => {
    // Some of those that the package `outbound` tests.
    for (const [address] of rejectedAddresses.filter((_, at) => at % 6 === 0)) {
      const lookup = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
      const strict = localOutbound({ allowCidrs: [], lookup })
      const more = { outbound: strict, integrationConfig: { endpoint: 'https://name.test:8443' } }
      expect([address, await fails({}, more)]).toEqual([
        address,
        {
          code: 'transient',
          message: expect.stringContaining('name.test is not a public address, and does not resolve to one'),
          retryable: true,
        },
      ])
      strict.close()
    }
    const strict = localOutbound({ allowCidrs: [] })
    for (const host of ['127.0.0.1', '2130706433', 'localhost', '[::1]', '169.254.169.254'])
      expect(
        await fails({}, { outbound: strict, integrationConfig: { endpoint: `https://${host}:8443` } }),
      ).toMatchObject({
        code: 'config',
        message: expect.stringContaining('is not a public address'),
      })
    strict.close()
  })

  it('is rejected when its protocol is not allowed', async () => {
    expect(await fails({}, { protocols: ['https:'] })).toMatchObject({
      code: 'config',
      message: expect.stringContaining('https://'),
    })
    expect(store.requests).toEqual([])
  })
})

describe('an object store that drips', () => {
  /** Sends a line at a time, without end. */
  const drip: ObjectStore['fault'] = ({ key }, response) => {
    if (key === '') return undefined
    response.writeHead(200, { 'content-type': 'text/csv' })
    const write = () => {
      if (!response.destroyed) response.write('1\n', () => setImmediate(write))
    }
    write()
    return undefined
  }
  beforeEach(() => {
    store.put('rows.csv', 'id\n1\n')
    store.fault = drip
  })

  it('fails the crawl after a minute at less than 1 KiB/s', async () => {
    let clock = Date.now()
    expect(await fails({}, { now: () => (clock += 2_000) })).toEqual({
      code: 'transient',
      message: expect.stringMatching(/^Reading rows.csv: the server sent \d+ bytes in 60 s, less than 1 KiB\/s$/),
      retryable: true,
    })
    expect(store.requests).toHaveLength(2)
  })

  it('ends at once when the crawl is aborted', async () => {
    const controller = new AbortController()
    const reason = new Error('the worker stops')
    const failure = crawlAll(reader, crawling({}, { signal: controller.signal })).catch((error: unknown) => error)
    await eventually(() => store.requests.length === 2)
    controller.abort(reason)
    expect(await failure).toBe(reason)
  })
})
