import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { maxPreviewBytes } from '@wp/contracts'
import { type DataService, startDataService } from '../support/service.ts'
import { closeSites, respond, startSite } from '../support/sources/http-site.ts'

let service: DataService
beforeAll(async () => {
  service = await startDataService({ ENVIRONMENT: 'development' })
})
afterAll(() => service.stop())

type Body = string | Uint8Array | ReadableStream<Uint8Array>

const preview = (rawBody: Body, query: Record<string, string> = {}, contentType = 'application/octet-stream') =>
  service.request('POST', `/v1/data/preview?${new URLSearchParams(query)}`, {
    rawBody,
    headers: { 'content-type': contentType },
  })

const days = Array.from({ length: 30 }, (_, day) => `${String(day + 1).padStart(2, '0')}.01.2024`)

describe('a preview', () => {
  it('describes format, columns, rows and their use when the file is German', async () => {
    const csv = `Bericht\n\nDatum;Stunde;Gebäude;Gäste\n${days.map((day, n) => `${day};${n % 24};${'AB'[n % 2]};${n % 2 ? '1.386,5' : 'k.A.'}`).join('\n')}\nSumme;;;20,5\n`
    const { status, body } = await preview(gzipSync(Buffer.from(csv, 'latin1')))
    expect([status, body.data]).toMatchObject([
      200,
      {
        format: {
          type: 'csv',
          encoding: 'windows-1252',
          delimiter: ';',
          header_row: 3,
          compression: 'gzip',
          decimal: ',',
          thousands: '.',
          sheet: null,
          sheets: [],
        },
        columns: [
          { name: 'Datum', type: 'timestamp', format: 'DD.MM.YYYY', confidence: 1 },
          { name: 'Stunde', type: 'number', format: null },
          { name: 'Gebäude', type: 'string' },
          { name: 'Gäste', type: 'number', decimal: ',', thousands: '.', nulls: ['k.A.'] },
        ],
        row_count: 31,
        refused_count: 1,
        refused: [{ line: 34, reason: 'is a row of totals ("Summe") below the table' }],
        suggestions: {
          kind: 'counts',
          timestamp: ['Datum', 'Stunde'],
          value: ['Gäste'],
          group_by: ['Gebäude'],
          measure: null,
        },
      },
    ])
    expect(body.data.rows).toHaveLength(20)
    expect(body.data.rows.slice(0, 2)).toEqual([
      { Datum: '2024-01-01', Stunde: 0, Gebäude: 'A', Gäste: null },
      { Datum: '2024-01-02', Stunde: 1, Gebäude: 'B', Gäste: 1386.5 },
    ])
  })

  it('suggests a list of floors when rows below it are refused', async () => {
    const floors = ['Haus Nord', 'Haus Süd'].map((name) => `${name};EG;40\n${name};1. OG;55\n`).join('')
    const { body } = await preview(`Gebäude;Etage;Plätze\n${floors};2. OG;5\n;3. OG;5\n`)
    expect(body.data).toMatchObject({
      row_count: 6,
      refused_count: 2,
      suggestions: {
        dataset: { kind: 'spaces', mapping: { building: 'Gebäude', floor: 'Etage', capacity: 'Plätze' } },
      },
    })
  })

  it('suggests the dataset that a file of a workplace can become', async () => {
    const swipes = days.map((day, n) => `${day} 08:1${n % 10};${1000 + (n % 7)};${n % 2 ? 'Süd' : 'Nord'};Kommen`)
    const { body } = await preview(`Zeitpunkt;Ausweisnr;Leser;Richtung\n${swipes.join('\n')}\n`)
    expect(body.data.suggestions).toMatchObject({
      kind: 'badge_events',
      dataset: {
        kind: 'badge_events',
        mapping: { time: 'Zeitpunkt', person: 'Ausweisnr', space: 'Leser', direction: 'Richtung' },
      },
      personal: ['Ausweisnr'],
      value: [],
    })
    expect((await preview('room,people\nA,1\nB,2\n')).body.data.suggestions.dataset).toBeNull()
  })

  it.each([
    ['hours', ['00:00', '01:00', '02:00', '03:00', '04:00']],
    ['hours', ['7 Uhr', '8 Uhr', '9 Uhr', '10 Uhr']],
    ['hours', ['8-9', '9-10', '10-11', '11-12']],
    ['hours', ['6', '7', '8', '9', '10', '11', '12', '13']],
    ['weekdays', ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag']],
    ['weekdays', ['Mo.', 'Di.', 'Mi.', 'Do.']],
    ['days', ['2026-08-03', '2026-08-04', '2026-08-05', '2026-08-06']],
    ['days', ['03.08.2026', '04.08.2026', '05.08.2026', '06.08.2026']],
  ])('warns of a cross table of %s, and suggests none of its columns for a forecast: %j', async (word, names) => {
    const rows = days.map((day, n) => `${day};${names.map((_, hour) => n + hour).join(';')}`)
    const { body } = await preview(`Datum;${names.join(';')}\n${rows.join('\n')}\n`, { format: '{"header_row":1}' })
    expect(body.data).toMatchObject({
      warnings: [
        { code: 'cross_table', message: expect.stringContaining(`"${names[0]}" to "${names.at(-1)}" are ${word}`) },
      ],
      suggestions: { value: [] },
    })
  })

  it.each([
    [['North', 'South', 'East', 'West'], ['cross_table']],
    [['1', '2', '3', '4'], []],
    [['12:00', 'a', 'b', 'c', 'd'], []],
  ])('reads columns that are not moments as series, and warns if they are spaces: %j', async (names, codes) => {
    const rows = days.map((day, n) => `${day};${names.map((_, column) => n + column).join(';')}`)
    const { body } = await preview(`Datum;${names.join(';')}\n${rows.join('\n')}\n`, { format: '{"header_row":1}' })
    expect(body.data).toMatchObject({ warnings: codes.map((code) => ({ code })), suggestions: { value: names } })
  })

  it.each(['Wochentag', 'x'])('suggests no forecast for each weekday: %s', async (name) => {
    const weekdays = ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So']
    const rows = Array.from(
      { length: 28 },
      (_, n) => `2026-03-${String(n + 1).padStart(2, '0')};${weekdays[n % 7]};A${n % 2};${n}`,
    )
    const { body } = await preview(`Datum;${name};Etage;Personen\n${rows.join('\n')}\n`)
    expect(body.data.suggestions).toMatchObject({ timestamp: ['Datum'], value: ['Personen'], group_by: ['Etage'] })
  })

  it('suggests the people of a day, and not their share of the places beside them', async () => {
    const rows = days.map((day, n) => `${day};${n + 4};${n + 1},5`)
    const { body } = await preview(`Datum;Anwesende Personen;Auslastung in %\n${rows.join('\n')}\n`)
    expect(body.data.suggestions.value).toEqual(['Anwesende Personen'])
  })

  it.each([
    ['many', ''],
    ['12 €', '; if all of them are in €, state it as the unit of the column'],
  ])('names the value that cannot be read when it refuses a row: %s', async (value, hint) => {
    const rows = Array.from({ length: 20 }, (_, n) => `r${n},${n === 7 ? value : n}`)
    const { body } = await preview(`room,people\n${rows.join('\n')}\n`)
    expect(body.data.refused).toEqual([
      {
        line: 9,
        reason: `column "people": "${value}" is not a number, as the column has them${hint}`,
        column: 'people',
        value,
      },
    ])
  })

  it('asks with both readings when values do not decide, and reads as the answer says', async () => {
    const csv = 'time,people\n01/02/2024,5\n02/03/2024,6\n'
    const asked = await preview(csv)
    expect([asked.status, asked.body]).toMatchObject([
      400,
      {
        code: 'ambiguous_format',
        errors: [
          { pointer: '/columns/time', detail: expect.stringContaining('"01/02/2024" is 2024-02-01 or 2024-01-02') },
        ],
        questions: [
          {
            column: 'time',
            type: 'timestamp',
            readings: [
              {
                format: { timestamp_formats: { time: 'DD/MM/YYYY' } },
                values: [{ value: '01/02/2024', reading: '2024-02-01' }, {}],
              },
              {
                format: { timestamp_formats: { time: 'MM/DD/YYYY' } },
                values: [{ value: '01/02/2024', reading: '2024-01-02' }, {}],
              },
            ],
          },
        ],
      },
    ])
    for (const { format, values } of asked.body.questions[0].readings) {
      const answered = await preview(csv, { format: JSON.stringify(format) })
      expect(answered.body.data.rows[0].time).toBe(values[0].reading)
    }
  })

  it('reads the beginning of a file when it is truncated, without its last row', async () => {
    const csv = `time,people\n${days.map((day, n) => `${day},${n}`).join('\n')}`
    const cut = gzipSync(csv).subarray(0, 90)
    const { status, body } = await preview(cut, { truncated: 'true' })
    expect(status).toBe(200)
    expect(body.data.row_count).toBeGreaterThan(0)
    expect(body.data.refused).toEqual([])
    expect((await preview(cut)).body.code).toBe('malformed_body')
  })

  it('reads as the source does when it names one, with corrections over its format', async () => {
    const id = await service.createSource({
      config: { format: { decimal: ',', columns: { code: { type: 'string' } } } },
    })
    const csv = 'code;people\n1;1.386\n2;7\n'
    const as = async (query: Record<string, string>) =>
      (await preview(csv, { data_source_id: id, ...query })).body.data.rows[0]
    expect(await as({})).toEqual({ code: '1', people: 1386 })
    expect(await as({ format: JSON.stringify({ decimal: '.', thousands: '' }) })).toEqual({ code: '1', people: 1.386 })
  })

  it('suggests the word between numbers as no value, after which the column has numbers', async () => {
    const days = Array.from({ length: 20 }, (_, n) => `2026-01-${10 + n};${n % 7 > 4 ? 'geschl.' : 10 * n}\n`)
    const csv = `Datum;Personen\n${days.join('')}`
    const { suggestions } = (await preview(csv)).body.data
    expect(suggestions).toMatchObject({ nulls: ['geschl.'], value: [] })
    const corrected = (await preview(csv, { format: JSON.stringify({ nulls: suggestions.nulls }) })).body.data
    expect(corrected).toMatchObject({ warnings: [], suggestions: { nulls: [], value: ['Personen'] } })
  })

  it.each([
    ['a format that is not JSON', { format: '{' }, '?format'],
    ['an unknown member', { format: '{"delimiters":";"}' }, '?format'],
    ['a wrong member', { format: '{"decimal":"x"}' }, '?format/decimal'],
  ])('is rejected with a pointer when it has %s', async (_, query, pointer) => {
    const { status, body } = await preview('a,b\n1,2\n', query)
    expect([status, body]).toMatchObject([400, { code: 'validation_failed', errors: [{ pointer }] }])
  })

  it.each([
    [
      'a page',
      '<!doctype html><title>Hi</title><body>Sign in</body>',
      {},
      'malformed_body',
      'It is an HTML page, not a table: "Hi Sign in"',
    ],
    ['a header alone', 'id;room\n', {}, 'malformed_body', 'The file has names of columns, but no rows below them'],
    [
      'another type than stated',
      '[{"a":1}]',
      { format: '{"type":"csv"}' },
      'unexpected_format',
      expect.stringContaining('It is JSON, not csv'),
    ],
    [
      'prose',
      'Dear all,\nplease close the office.\n',
      { file_name: 'a.txt' },
      'unexpected_format',
      expect.stringContaining('It is a text, not a table'),
    ],
    [
      'an unknown source',
      'a,b\n1,2\n',
      { data_source_id: 'src_01h455vb4pex5vsknk084sn02q' },
      'unknown_reference',
      expect.any(String),
    ],
  ])('is refused when it is of %s', async (_, body, query, code, detail) => {
    const response = await preview(body, query)
    expect([response.status, response.body]).toMatchObject([400, { code, detail }])
  })

  it('is refused when a body of unknown length is larger than 32 MiB', async () => {
    const rows = `a,b\n${`1,${'x'.repeat(9_997)}\n`.repeat(3_356)}`
    const { status, body } = await preview(new Blob([rows]).stream())
    expect([status, body.code]).toEqual([413, 'payload_too_large'])
  })

  it('is refused for its length before it is read', async () => {
    // The bytes themselves are no table, which would be malformed.
    const { status, body } = await preview(Buffer.alloc(maxPreviewBytes + 1))
    expect([status, body.code]).toEqual([413, 'payload_too_large'])
  })
})

describe('a preview of the address of a source', () => {
  afterAll(closeSites)
  const previewOf = (id: string) => service.request('POST', `/v1/data/preview?data_source_id=${id}`)

  it('describes the document at the address when the request has no body, and stores nothing', async () => {
    const { url } = await startSite(respond('text/csv', 'Zeit;Gäste\n13.01.2024;1.386,5\n14.01.2024;12\n'))
    const id = await service.createSource({ provider: 'http', config: { url } })
    const { status, body } = await previewOf(id)
    expect([status, body.data]).toMatchObject([
      200,
      { format: { type: 'csv', delimiter: ';' }, rows: [{ Zeit: '2024-01-13', Gäste: 1386.5 }, {}], row_count: 2 },
    ])
    expect((await service.get(`/v1/data/sources/${id}`)).body.data).toMatchObject({
      record_count: 0,
      config: { format: 'auto' },
    })
  })

  it('reads the rows of a JSON document at the rows_path', async () => {
    const { url } = await startSite(respond('application/json', '{"data":{"items":[{"id":1},{"id":2}]}}'))
    const id = await service.createSource({ provider: 'http', config: { url, rows_path: '/data/items' } })
    expect((await previewOf(id)).body.data).toMatchObject({ rows: [{ id: 1 }, { id: 2 }] })
  })

  it('is refused when the address cannot be read or the source has none', async () => {
    const { url } = await startSite((response) => response.writeHead(403).end())
    const id = await service.createSource({ provider: 'http', config: { url } })
    const invalid = { status: 400, code: 'validation_failed', errors: [{ pointer: '?data_source_id' }] }
    expect((await previewOf(id)).body).toMatchObject({ ...invalid, detail: expect.stringContaining('403') })
    expect((await previewOf(await service.createSource())).body).toMatchObject(invalid)
  })
})
