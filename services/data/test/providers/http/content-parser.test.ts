import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from '@jest/globals'
import { gunzipIfCompressed } from '../../../src/parsers/encoding/gunzip.ts'
import {
  closeSites,
  crawlFailureOfSite,
  crawlSite,
  respond,
  startCrawl,
  startSite,
} from '../../support/sources/http-site.ts'

afterAll(closeSites)

const rows = [{ id: 'a' }, { id: 'b' }]
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

describe('an http source', () => {
  it.each<[string, string | undefined, string | Uint8Array, Record<string, unknown>, unknown[]]>([
    ['CSV by its media type', 'text/csv; header=present', 'id\na\nb\n', {}, rows],
    ['CSV by its extension, without a media type', undefined, 'id\na\nb\n', { path: '/x.csv' }, rows],
    [
      'CSV by its extension, sent as plain text',
      'text/plain',
      'id;v\na;"1\n2"\n',
      { path: '/x.csv' },
      [{ id: 'a', v: '1\n2' }],
    ],
    ['CSV by the configured format', 'application/octet-stream', 'id\na\nb\n', { format: 'csv' }, rows],
    ['CSV in UTF-16', 'text/csv', utf16('id\nä\n'), {}, [{ id: 'ä' }]],
    [
      'CSV in windows-1252',
      'text/csv; charset=windows-1252',
      Buffer.from('id\n\x80\xe4\n', 'latin1'),
      {},
      [{ id: '€ä' }],
    ],
    [
      'CSV in the charset of the config',
      'text/csv',
      Buffer.from('id\n\xe4', 'latin1'),
      { charset: 'latin1' },
      [{ id: 'ä' }],
    ],
    ['compressed CSV', 'application/gzip', gzipSync('id\na\nb\n'), { path: '/x.csv.gz' }, rows],
    ['NDJSON', 'application/x-ndjson', '{"id":"a"}\n{"id":"b"}\n', {}, rows],
    ['NDJSON sent as application/jsonl', 'application/jsonl', '{"id":"a"}\n\n{"id":"b"}', {}, rows],
    ['a JSON array', 'application/json', '[{"id":"a"},{"id":"b"}]', {}, rows],
    [
      'JSON by a +json media type',
      'application/vnd.api+json',
      '{"data":[{"id":"a"},{"id":"b"}]}',
      { rows_path: '/data' },
      rows,
    ],
    [
      'rows within a JSON document',
      'application/json',
      '{"x":[{"y":0}],"a/b":{"c":[{"id":"a"},{"id":"b"}]},"z":{}}',
      { rows_path: '/a~1b/c' },
      rows,
    ],
    ['a single JSON object', 'application/json', ' {"id":"a"} ', {}, [{ id: 'a' }]],
    [
      'a single object within a JSON document',
      'application/json',
      '{"d":{"id":"a"}}',
      { rows_path: '/d' },
      [{ id: 'a' }],
    ],
    ['null as no rows', 'application/json', '{"d":null}', { rows_path: '/d' }, []],
    [
      'text',
      'text/plain',
      '\ufeffone\r\ntwo\r\n',
      { path: '/x' },
      [{ text: 'one\ntwo', url: expect.stringMatching(/\/x$/) }],
    ],
    [
      'Markdown',
      'text/markdown',
      '# A title #\n\nwords',
      {},
      [{ title: 'A title', text: '# A title #\n\nwords', url: expect.any(String) }],
    ],
    [
      'text into the configured fields',
      'text/plain',
      'words',
      { text_field: 'body', url_field: 'at' },
      [{ body: 'words', at: expect.any(String) }],
    ],
  ])('reads %s', async (_, type, body, { path = '/data', ...config }, expected) => {
    const { url } = await startSite(respond(type, body))
    const { values, end } = await crawlSite({ url: `${url}${path}`, ...config })
    expect([values, end]).toEqual([expected, 'complete'])
  })
})

describe('an HTML page', () => {
  const page = `<!doctype html><html><head><meta charset="windows-1252"><title>Opening
    hours &amp; more</title><link rel=canonical href="/hours"><style>p { color: red }</style>
    <script>if (1 < 2) document.write("<p>never</p>")</script></head><body>
    <nav><a href="/">Home</a><ul><li>Rooms</ul></nav><h1>Opening <em>hours</em></h1>
    <p>Caf\xe9: 9&ndash;17&nbsp;h<br>closed on <b>Sun</b>days<p>Tel. &#x31;23
    <table><tr><th>Day<th>Hours<tr><td>Mon<td>9</table><ul><li>one<li>two</ul>
    <pre>  a\n    b</pre><div hidden>secret</div><svg><title>icon</title></svg>
    <template>no</template><!-- nor this --><h2>Where</h2>here</body></html>`

  it('becomes a title, headings, an address and lines of text, without scripts and hidden elements', async () => {
    const { url } = await startSite(respond('text/html', Buffer.from(page, 'latin1')))
    const { values } = await crawlSite({ url: `${url}/hours?utm=1` })
    expect(values).toEqual([
      {
        title: 'Opening hours & more',
        url: `${url}/hours`,
        headings: ['Opening hours', 'Where'],
        text: [
          'Opening hours',
          'Café: 9–17 h',
          'closed on Sundays',
          'Tel. 123',
          'Day\tHours',
          'Mon\t9',
          'one',
          'two',
          '  a',
          '    b',
          'Where',
          'here',
        ].join('\n'),
      },
    ])
  })

  it('is decoded by the charset of the response rather than its own', async () => {
    const { url } = await startSite(respond('text/html; charset="utf-8"', '<meta charset=windows-1252><p>Café'))
    expect((await crawlSite({ url })).values).toMatchObject([{ text: 'Café' }])
  })

  it('takes a canonical address only on its own host, and a heading as title when it has none', async () => {
    const { url } = await startSite(
      respond('text/html', '<link rel=canonical href=https://bank.example/><h2>Rooms</h2>'),
    )
    expect((await crawlSite({ url: `${url}/x` })).values).toMatchObject([{ url: `${url}/x`, title: 'Rooms' }])
  })

  it.each([
    ['without text', '<div><img src=x></div>', 'has no text'],
    ['nested too deep', '<svg>'.repeat(200_000), 'is nested deeper than 1000 levels'],
    ['with too much text', `<p>${'words '.repeat(60_000)}`, 'has a text that is larger than 256 KiB'],
    ['whose tag never ends', `<a title="${'x'.repeat(17_000_000)}`, 'is a page larger than 16 MiB'],
  ])('becomes a bad row when it is %s', async (_, body, reason) => {
    const { url } = await startSite(respond('text/html', body))
    expect((await crawlSite({ url })).values).toEqual([reason])
  })
})

describe('a malformed row', () => {
  it.each([
    ['text/csv', 'id,v\na,1\nb\nc,"2\n', { line: 3, reason: 'has 1 columns where the header has 2' }],
    ['application/x-ndjson', '{"id":"a"}\n{"id":\n{"id":"c"}', { line: 2, reason: 'is not valid JSON' }],
    ['application/json', '[{"id":"a"},\n{"id":},\n{"id":"c"}]', { line: 2, reason: 'element 2: is not valid JSON' }],
    ['application/json', '[{"id":"a"},\n7]', { line: 2, reason: 'element 2: is not a JSON object' }],
  ])('of %s is reported and does not affect the others: %j', async (type, body, bad) => {
    const { url } = await startSite(respond(type, body))
    const { pages, end } = await crawlSite({ url })
    expect(end).toBe('complete')
    expect(pages.flatMap(({ rows }) => rows)).toEqual(
      expect.arrayContaining([expect.objectContaining({ value: expect.objectContaining({ id: 'a' }) }), bad]),
    )
  })
})

describe('a document that cannot be read', () => {
  it.each<[string, string | undefined, string | Uint8Array, Record<string, unknown>, string | RegExp]>([
    ['CSV without a header', 'text/csv', '', {}, 'The CSV cannot be read: it has no header row'],
    ['JSON that is a page', 'application/json', '<html><p>Sign in', {}, 'It is an HTML page, not a table: "Sign in"'],
    [
      'JSON that ends within a row',
      'application/json',
      '[{"a":1},\n{"a"',
      {},
      'at line 2, character 15: the document ends within element 2, which begins on line 2',
    ],
    [
      'JSON that ends after a row',
      'application/json',
      '{"d":[{"a":1}]',
      { rows_path: '/d' },
      'at line 1, character 15: the document ends before it is complete',
    ],
    [
      'JSON with trailing text',
      'application/json',
      '[]\n[]',
      {},
      'at line 2, character 4: "[" is not expected after the end of the document',
    ],
    [
      'JSON with an invalid literal',
      'application/json',
      '{"a":tru,"d":[]}',
      { rows_path: '/d' },
      'at line 1, character 6: "tru" is not a JSON value',
    ],
    [
      'JSON without its rows',
      'application/json',
      '{"items":[]}',
      { rows_path: '/data' },
      'There is nothing at "/data"',
    ],
    [
      'JSON whose rows are a number',
      'application/json',
      '{"data":7}',
      { rows_path: '/data' },
      'at line 1, character 9: "/data" is neither an array nor an object',
    ],
    ['JSON that is empty', 'application/json', '', {}, 'it is empty'],
    [
      'JSON nested too deep',
      'application/json',
      '['.repeat(5000),
      { rows_path: '/x' },
      'nested deeper than 1000 levels',
    ],
    [
      'NDJSON that is a page',
      'application/x-ndjson',
      '<html><p>Sign in\n',
      {},
      'It is an HTML page, not a table: "Sign in"',
    ],
    ['an image', 'image/png', 'x', {}, 'Its content type is image/png'],
    [
      'an image with a configured format',
      'image/png',
      'x',
      { format: 'csv' },
      'Its content type is image/png, which has no rows',
    ],
    ['an unknown charset', 'text/csv; charset=klingon', 'a\n1', {}, 'The charset klingon is not supported'],
    [
      'truncated gzip',
      'text/csv',
      gzipSync('a\n1\n'.repeat(1000)).subarray(0, 30),
      {},
      /: Its gzip data is incomplete: it ends after \d+ uncompressed bytes$/,
    ],
    [
      'damaged gzip',
      'text/csv',
      gzipSync('a\n1\n'.repeat(1000)).fill(0x55, 10, 30),
      {},
      /: Its gzip data is damaged after \d+ uncompressed bytes$/,
    ],
    [
      'a cursor in CSV',
      'text/csv',
      'a\n1',
      { paging: { type: 'cursor', path: '/next', parameter: 'c' } },
      'needs JSON, but this is CSV',
    ],
    [
      'a cursor beside an array',
      'application/json',
      '[]',
      { paging: { type: 'cursor', path: '/next', parameter: 'c' } },
      'character 1: the rows are an array',
    ],
  ])('fails the crawl with address and position: %s', async (_, type, body, config, message) => {
    const { url } = await startSite(respond(type, body))
    expect(await crawlFailureOfSite({ url: `${url}/data?key=secret`, ...config })).toEqual({
      code: 'schema',
      message: expect.stringContaining(`${url}/data: `),
      retryable: false,
    })
    expect(await crawlFailureOfSite({ url: `${url}/data`, ...config })).toMatchObject({
      message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    })
  })

  it.each(['text/html', 'text/csv', undefined])(
    'is unexpected when a page is in place of CSV, sent as %s',
    async (type) => {
      const { url } = await startSite(respond(type, '<!doctype html><p>Sign in to go on'))
      for (const format of ['csv', { type: 'csv' }])
        expect(await crawlFailureOfSite({ url, format })).toMatchObject({
          code: 'unexpected_format',
          message: expect.stringMatching(/Sign in|text\/html/),
        })
    },
  )

  it('is one with a content encoding that was not requested', async () => {
    const { url } = await startSite(respond('text/csv', gzipSync('a\n1\n'), { 'content-encoding': 'gzip' }))
    expect(await crawlFailureOfSite({ url })).toMatchObject({
      code: 'schema',
      message: expect.stringContaining('encoded (gzip)'),
    })
  })
})

describe('a large document', () => {
  it('is not read ahead of the consumer, and its connection is closed', async () => {
    let written = 0
    const closed = Promise.withResolvers<void>()
    const { url } = await startSite((response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      response.on('close', closed.resolve)
      response.write('id,text\n')
      const write = () => {
        while (!response.destroyed) {
          const more = response.write(`${written},${'x'.repeat(990)}\n`.repeat(60))
          written += 60
          if (!more) return void response.once('drain', write)
        }
      }
      write()
    })
    const crawl = startCrawl({ url })
    for (let page = 0; page < 3; page++) {
      const next = await crawl.next()
      expect(next.done === true ? 0 : next.value.rows.length).toBeLessThan(1001)
    }
    await crawl.return('complete')
    await closed.promise
    // Includes what the socket buffers of both ends hold.
    expect(written).toBeLessThan(60_000)
  })

  it('reports progress by its content length', async () => {
    const body = `id\n${Array.from({ length: 10_000 }, (_, id) => id).join('\n')}`
    const { url } = await startSite(respond('text/csv', body, { 'content-length': String(body.length) }))
    const { pages } = await crawlSite({ url })
    const progress = pages.map((page) => page.progress ?? -1)
    expect(progress.length).toBeGreaterThan(5)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect([progress[0], progress.at(-1)]).toEqual([expect.any(Number), 1])
    expect(pages.flatMap(({ rows }) => rows)).toHaveLength(10_000)
  })

  it('is decompressed up to the size limit', async () => {
    const packed = async function* () {
      yield gzipSync(Buffer.alloc(3_000_000))
    }
    let size = 0
    const reading = (async () => {
      for await (const chunk of gunzipIfCompressed(packed(), 1_048_576)) size += chunk.length
    })()
    await expect(reading).rejects.toMatchObject({
      code: 'payload_too_large',
      detail: 'Uncompressed it is larger than 1 MiB',
    })
    expect(size).toBeLessThanOrEqual(1_048_576)
  })
})
