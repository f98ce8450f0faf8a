import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { gunzipIfCompressed } from '../../../src/parsers/encoding/gunzip.ts'
import { crawlFailureOfSite, crawlSite, respond, startCrawl, startSite } from '../../support/http-site.ts'

const rows = [{ id: 'a' }, { id: 'b' }]
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

describe('each format', () => {
  it.each<[string, string | undefined, string | Uint8Array, Record<string, unknown>, unknown[]]>([
    ['CSV by its type', 'text/csv; header=present', 'id\na\nb\n', {}, rows],
    ['CSV by the name of a file of no type', undefined, 'id\na\nb\n', { path: '/x.csv' }, rows],
    [
      'CSV by the name of a file of text',
      'text/plain',
      'id;v\na;"1\n2"\n',
      { path: '/x.csv' },
      [{ id: 'a', v: '1\n2' }],
    ],
    ['CSV because the config says so', 'application/octet-stream', 'id\na\nb\n', { format: 'csv' }, rows],
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
    ['CSV that is packed', 'application/gzip', gzipSync('id\na\nb\n'), { path: '/x.csv.gz' }, rows],
    ['NDJSON', 'application/x-ndjson', '{"id":"a"}\n{"id":"b"}\n', {}, rows],
    ['NDJSON as lines', 'application/jsonl', '{"id":"a"}\n\n{"id":"b"}', {}, rows],
    ['an array of JSON', 'application/json', '[{"id":"a"},{"id":"b"}]', {}, rows],
    [
      'JSON by its suffix',
      'application/vnd.api+json',
      '{"data":[{"id":"a"},{"id":"b"}]}',
      { rows_path: '/data' },
      rows,
    ],
    [
      'JSON within JSON',
      'application/json',
      '{"x":[{"y":0}],"a/b":{"c":[{"id":"a"},{"id":"b"}]},"z":{}}',
      { rows_path: '/a~1b/c' },
      rows,
    ],
    ['one object of JSON', 'application/json', ' {"id":"a"} ', {}, [{ id: 'a' }]],
    ['one object within JSON', 'application/json', '{"d":{"id":"a"}}', { rows_path: '/d' }, [{ id: 'a' }]],
    ['no rows as null', 'application/json', '{"d":null}', { rows_path: '/d' }, []],
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
      'text as the config names it',
      'text/plain',
      'words',
      { text_field: 'body', url_field: 'at' },
      [{ body: 'words', at: expect.any(String) }],
    ],
  ])('%s', async (_, type, body, { path = '/data', ...config }, expected) => {
    const { url } = await startSite(respond(type, body))
    const { values, end } = await crawlSite({ url: `${url}${path}`, ...config })
    expect([values, end]).toEqual([expected, 'complete'])
  })
})

describe('a page of HTML', () => {
  const page = `<!doctype html><html><head><meta charset="windows-1252"><title>Opening
    hours &amp; more</title><link rel=canonical href="/hours"><style>p { color: red }</style>
    <script>if (1 < 2) document.write("<p>never</p>")</script></head><body>
    <nav><a href="/">Home</a><ul><li>Rooms</ul></nav><h1>Opening <em>hours</em></h1>
    <p>Caf\xe9: 9&ndash;17&nbsp;h<br>closed on <b>Sun</b>days<p>Tel. &#x31;23
    <table><tr><th>Day<th>Hours<tr><td>Mon<td>9</table><ul><li>one<li>two</ul>
    <pre>  a\n    b</pre><div hidden>secret</div><svg><title>icon</title></svg>
    <template>no</template><!-- nor this --><h2>Where</h2>here</body></html>`

  it('becomes a title, headings, an address and lines of text', async () => {
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

  it('is read by the charset of its answer before its own', async () => {
    const { url } = await startSite(respond('text/html; charset="utf-8"', '<meta charset=windows-1252><p>Café'))
    expect((await crawlSite({ url })).values).toMatchObject([{ text: 'Café' }])
  })

  it('says its address itself only on its own site, and its title by a heading where it has no other', async () => {
    const { url } = await startSite(
      respond('text/html', '<link rel=canonical href=https://bank.example/><h2>Rooms</h2>'),
    )
    expect((await crawlSite({ url: `${url}/x` })).values).toMatchObject([{ url: `${url}/x`, title: 'Rooms' }])
  })

  it.each([
    ['without words', '<div><img src=x></div>', 'has no text'],
    ['nested beyond reason', '<svg>'.repeat(2_000_000), 'is nested deeper than 1000 levels'],
    ['with too many', `<p>${'words '.repeat(60_000)}`, 'has a text that is larger than 256 KiB'],
    ['whose tag never ends', `<a title="${'x'.repeat(17_000_000)}`, 'is a page larger than 16 MiB'],
  ])('%s is a bad row', async (_, body, reason) => {
    const { url } = await startSite(respond('text/html', body))
    expect((await crawlSite({ url })).values).toEqual([reason])
  })
})

describe('a malformed row among others', () => {
  it.each([
    ['text/csv', 'id,v\na,1\nb\nc,"2\n', { line: 3, reason: 'has 1 columns where the header has 2' }],
    ['application/x-ndjson', '{"id":"a"}\n{"id":\n{"id":"c"}', { line: 2, reason: 'is not valid JSON' }],
    ['application/json', '[{"id":"a"},\n{"id":},\n{"id":"c"}]', { line: 2, reason: 'element 2: is not valid JSON' }],
    ['application/json', '[{"id":"a"},\n7]', { line: 2, reason: 'element 2: is not a JSON object' }],
  ])('of %s costs that row alone: %j', async (type, body, bad) => {
    const { url } = await startSite(respond(type, body))
    const { pages, end } = await crawlSite({ url })
    expect(end).toBe('complete')
    expect(pages.flatMap(({ rows }) => rows)).toEqual(
      expect.arrayContaining([expect.objectContaining({ value: expect.objectContaining({ id: 'a' }) }), bad]),
    )
  })
})

describe('a document that cannot be read', () => {
  it.each<[string, string | undefined, string | Uint8Array, Record<string, unknown>, string]>([
    ['CSV without a header', 'text/csv', '', {}, 'The CSV cannot be read: it has no header row'],
    ['CSV with a column twice', 'text/csv', 'a,a\n', {}, 'its header row names the column "a" twice'],
    [
      'CSV whose header never closes its quote',
      'text/csv',
      'a,"b\n1,2\n',
      {},
      'its header row cannot be read: it opens a quote',
    ],
    ['JSON that is a page', 'application/json', '<html>', {}, 'The JSON cannot be read at line 1, character 1'],
    [
      'JSON that breaks off in a row',
      'application/json',
      '[{"a":1},\n{"a"',
      {},
      'at line 2, character 15: the document ends within element 2, which begins on line 2',
    ],
    [
      'JSON that breaks off after a row',
      'application/json',
      '{"d":[{"a":1}]',
      { rows_path: '/d' },
      'at line 1, character 15: the document ends before it is complete',
    ],
    [
      'JSON with more behind it',
      'application/json',
      '[]\n[]',
      {},
      'at line 2, character 4: "[" is not expected after the end of the document',
    ],
    [
      'JSON with a broken word',
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
      'JSON nested beyond reason',
      'application/json',
      '['.repeat(5000),
      { rows_path: '/x' },
      'nested deeper than 1000 levels',
    ],
    [
      'NDJSON that is a page',
      'application/x-ndjson',
      '<html>\n',
      {},
      'The body is not NDJSON: line 1 is not valid JSON',
    ],
    ['an image', 'image/png', 'x', {}, 'Its content type is image/png'],
    [
      'an image, whatever the config says',
      'image/png',
      'x',
      { format: 'csv' },
      'It should be CSV, but its content type is image/png',
    ],
    [
      'a page where CSV should be',
      'text/html',
      '<p>Sign in',
      { format: 'csv' },
      'It should be CSV, but its content type is text/html',
    ],
    ['no type and no name', undefined, 'x', {}, 'It has no content type'],
    ['an unknown charset', 'text/csv; charset=klingon', 'a\n1', {}, 'The charset klingon is not supported'],
    [
      'gzip that breaks off',
      'text/csv',
      gzipSync('a\n1\n'.repeat(1000)).subarray(0, 30),
      {},
      'Its gzip is broken after',
    ],
    [
      'a cursor in CSV',
      'text/csv',
      'a\n1',
      { paging: { type: 'cursor', path: '/next', parameter: 'c' } },
      'Cursor paging needs JSON, but this is CSV',
    ],
    [
      'a cursor beside an array',
      'application/json',
      '[]',
      { paging: { type: 'cursor', path: '/next', parameter: 'c' } },
      'character 1: the rows are an array',
    ],
  ])('%s is said, with where', async (_, type, body, config, message) => {
    const { url } = await startSite(respond(type, body))
    expect(await crawlFailureOfSite({ url: `${url}/data?key=secret`, ...config })).toEqual({
      code: 'schema',
      message: expect.stringContaining(`${url}/data: `),
      retryable: false,
    })
    expect(await crawlFailureOfSite({ url: `${url}/data`, ...config })).toMatchObject({
      message: expect.stringContaining(message),
    })
  })

  it('is one that is encoded, though no encoding was asked for', async () => {
    const { url } = await startSite(respond('text/csv', gzipSync('a\n1\n'), { 'content-encoding': 'gzip' }))
    expect(await crawlFailureOfSite({ url })).toMatchObject({
      code: 'schema',
      message: expect.stringContaining('encoded (gzip)'),
    })
  })
})

describe('a large document', () => {
  it('is read no further than it is asked for, and the sender is let go of', async () => {
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
    // What lay in the buffers of both ends is there too, but not a document without end.
    expect(written).toBeLessThan(60_000)
  })

  it('says how far it has come', async () => {
    const body = `id\n${Array.from({ length: 50_000 }, (_, id) => id).join('\n')}`
    const { url } = await startSite(respond('text/csv', body, { 'content-length': String(body.length) }))
    const { pages } = await crawlSite({ url })
    const progress = pages.map((page) => page.progress ?? -1)
    expect(progress.length).toBeGreaterThan(5)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect([progress[0], progress.at(-1)]).toEqual([expect.any(Number), 1])
    expect(pages.flatMap(({ rows }) => rows)).toHaveLength(50_000)
  })

  it('is unpacked to a limit', async () => {
    const packed = async function* () {
      yield gzipSync(Buffer.alloc(3_000_000))
    }
    let size = 0
    const reading = (async () => {
      for await (const chunk of gunzipIfCompressed(packed(), 1_048_576)) size += chunk.length
    })()
    await expect(reading).rejects.toMatchObject({
      code: 'payload_too_large',
      detail: 'Unpacked it is larger than 1 MiB',
    })
    expect(size).toBeLessThanOrEqual(1_048_576)
  })
})
