import { describe, expect, it } from '@jest/globals'
import { readTable } from './read-table.ts'

const rowsOf = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => `${line(n)}\n`).join('')

describe('the encoding of a text', () => {
  it.each([
    ['utf-16le', Buffer.from('raum;gäste\nBüro;5\n', 'utf16le')],
    ['utf-16be', Buffer.from('raum;gäste\nBüro;5\n', 'utf16le').swap16()],
    ['windows-1252', Buffer.from('raum;gäste\nBüro;5\n', 'latin1')],
    ['macintosh', Buffer.from('raum;g\x8aste\nB\x9fro;5\n', 'latin1')],
  ])('is found to be %s when nothing states it', async (encoding, bytes) => {
    const { values, format } = await readTable(bytes)
    expect([values, format.encoding]).toEqual([[{ raum: 'Büro', gäste: 5 }], encoding])
  })

  it.each([
    ['windows-1252', 'M\xf8delokale', 'Mødelokale'],
    ['windows-1250', 'Pi\xeatro \xa3\xf3d\x9f', 'Piętro Łódź'],
    ['windows-1254', 'M\xfcd\xfcrl\xfc\xf0\xfc Giri\xfe A\xf0ustos', 'Müdürlüğü Giriş Ağustos'],
  ])('is found to be %s when the letters of its words are of one language', async (encoding, bytes, text) => {
    const { values, format } = await readTable(Buffer.from(`ort;wert\n${bytes};5\n`, 'latin1'))
    expect([values, format.encoding]).toEqual([[{ ort: text, wert: 5 }], encoding])
  })

  it('is found to be shift_jis when characters have bytes of ASCII signs', async () => {
    const header = '93fa95742c8c9a95a82c906c90940a'
    const rows = '323032362d30312d30352c967b8ed08372838b2c350a'.repeat(30)
    const { values, format } = await readTable(Buffer.from(header + rows, 'hex'))
    expect([values[0], format.encoding]).toEqual([{ 日付: '2026-01-05', 建物: '本社ビル', 人数: 5 }, 'shift_jis'])
  })

  it('is found to be shift_jis when most of a table is numbers', async () => {
    const row = Buffer.from('323032362f30332f30322030303a30302c318a4b2c300a', 'hex')
    const bytes = Buffer.concat([Buffer.from('93fa8e9e2c8374838d83412c906c90940a', 'hex'), ...Array(30).fill(row)])
    const { values, format } = await readTable(bytes)
    expect([values[0], format.encoding]).toEqual([{ 日時: '2026-03-02T00:00:00', フロア: '1階', 人数: 0 }, 'shift_jis'])
  })

  it('is that of Central Europe when its words are, and has the euro sign of Latin-9', async () => {
    const czech = Buffer.from(`den;budova;lid\xe9\n${rowsOf(30, (n) => `${n};\x8ei\x9ekov;${n}`)}`, 'latin1')
    expect((await readTable(czech)).values[0]).toEqual({ den: 0, budova: 'Žižkov', lidé: 0 })
    const french = Buffer.from(
      `date;b\xe2timent;co\xfbt \xa4\n${rowsOf(30, (n) => `${n};\xc9lys\xe9e;${n}`)}`,
      'latin1',
    )
    const { values, format } = await readTable(french)
    expect([values[0], format.encoding]).toEqual([{ date: 0, bâtiment: 'Élysée', 'coût €': 0 }, 'iso-8859-15'])
  })

  // Any text of one of these is well-formed in the others.
  it.each([
    ['euc-jp', 0xcf],
    ['euc-kr', 0xc8],
    ['gb18030', 0xd7],
  ])('is found to be %s by its common characters, and assumed when these are few', async (encoding, lastRow) => {
    const names = Array.from({ length: 60 }, (_, n) => Buffer.of(lastRow - (n % (lastRow - 0xaf)), 0xc0 + n))
    for (const [count, codes] of [
      [10, ['assumed_encoding']],
      [60, []],
    ] as const) {
      const rows = names.slice(0, count).map((name, n) => Buffer.concat([name, Buffer.from(`,${n},2026-01-05\n`)]))
      const { format, warnings } = await readTable(Buffer.concat([Buffer.from('room,people,day\n'), ...rows]))
      expect([format.encoding, warnings.map(({ code }) => code)]).toEqual([encoding, codes])
    }
  })

  it('is found to be iso-2022-jp by its escape sequences', async () => {
    const { values, format } = await readTable(Buffer.from('\x1b$B?M?t\x1b(B\n5\n', 'latin1'))
    expect([values, format.encoding]).toEqual([[{ 人数: 5 }], 'iso-2022-jp'])
  })

  it('is found to be of another script when its words are', async () => {
    const cyrillic = Buffer.from('e7e4e0ede8e5', 'hex')
    const bytes = Buffer.concat([
      Buffer.from('n;'),
      cyrillic,
      Buffer.from('\n1;'),
      Buffer.from('eaeeebe8f7e5f1f2e2eee4e5e920e2f0e5ecff', 'hex'),
      Buffer.from('\n'),
    ])
    expect((await readTable(bytes)).format.encoding).toBe('windows-1251')
  })

  it('is found to be windows-1254 when all its letters are Turkish', async () => {
    const text = 'Yer;Ki\xfei\n\xddstanbul \xdei\xfeli ofisi;5\nBah\xe7e, a\xf0a\xe7l\xfd;7\n'
    const { values } = await readTable(Buffer.from(text, 'latin1'))
    expect(values).toEqual([
      { Yer: 'İstanbul Şişli ofisi', Kişi: 5 },
      { Yer: 'Bahçe, ağaçlı', Kişi: 7 },
    ])
  })

  it('is asked for when the words do not tell it', async () => {
    await expect(readTable(Buffer.from([0x6e, 0x0a, 0x8c, 0x9a, 0x95, 0xa8, 0x0a]))).rejects.toMatchObject({
      code: 'ambiguous_format',
      errors: [{ pointer: '/encoding', detail: expect.stringContaining('shift_jis reads 建物') }],
    })
  })

  it.each([
    ['assumed with a warning', 'Wroc\xb3aw', ['assumed_encoding']],
    ['found without a doubt', 'B\xfcro', []],
  ])('is %s when a word alone is %j', async (_, word, codes) => {
    const { warnings } = await readTable(Buffer.from(`n,room\n${rowsOf(9, (n) => `${n},${word}`)}`, 'latin1'))
    expect(warnings.map(({ code }) => code)).toEqual(codes)
  })

  it.each([
    ['Turkish', 'ki\xfei say\xfds\xfd'],
    ['Cyrillic', '\xb4\xd0\xe2\xd0'],
  ])('is asked for when a word of %s is all there is', async (_, word) => {
    await expect(readTable(Buffer.from(`n,${word}\n1,2\n`, 'latin1'))).rejects.toMatchObject({
      code: 'ambiguous_format',
    })
  })

  it('is read right when the first letter beyond ASCII comes after the sample', async () => {
    const long = 'x'.repeat(100)
    const bytes = Buffer.from(`room,n\n${rowsOf(45_000, (n) => `room ${n} ${long},${n}`)}Büro,5\n`, 'latin1')
    const { rows } = await readTable(bytes)
    expect(rows.at(-1)).toMatchObject({ value: { room: 'Büro', n: 5 } })
  })

  it('contradicts what is pinned when the bytes are of another', async () => {
    const bytes = Buffer.from('raum;gäste\nBüro;5\n', 'latin1')
    await expect(readTable(bytes, { format: { encoding: 'utf-8' } })).rejects.toMatchObject({
      code: 'unexpected_format',
      detail: expect.stringContaining('not valid UTF-8, as `format.encoding` says; it looks like windows-1252'),
    })
  })
})

describe('the decision about a column', () => {
  it('is made by rows after the sample when those of it have two readings', async () => {
    const { values, format } = await readTable(
      `n;time\n${rowsOf(30_000, (n) => `1.386;0${1 + (n % 9)}/0${1 + (n % 8)}/2024`)}12,5;31/01/2024\n`,
    )
    expect([values[0], format.decimal]).toEqual([{ n: 1386, time: '2024-01-01' }, ','])
  })

  it('is asked for, without reading on, when a large file does not tell', async () => {
    let lines = 0
    async function* endless() {
      yield Buffer.from('n\n')
      for (;;) {
        lines += 10_000
        yield Buffer.from('1.386\n'.repeat(10_000))
      }
    }
    await expect(readTable(endless())).rejects.toMatchObject({ code: 'ambiguous_format' })
    expect(lines).toBeLessThan(2_000_000)
  })

  it('is withdrawn when a later row contradicts what was assumed', async () => {
    const early = rowsOf(1_000, (n) => `0${1 + (n % 9)}.0${1 + (n % 8)}.2024`)
    async function* file() {
      yield Buffer.from('time\n')
      for (let part = 0; part < 330; part++) yield Buffer.from(early)
      yield Buffer.from('01.31.2024\n')
    }
    await expect(readTable(file())).rejects.toMatchObject({
      code: 'unexpected_format',
      detail: expect.stringContaining('Line 330002: column "time": "01.31.2024" is not a time'),
    })
  })
})

describe('a pinned format', () => {
  const format = {
    type: 'csv',
    delimiter: ';',
    decimal: ',',
    thousands: '.',
    columns: { people: { type: 'number' } },
  } as const

  it.each([
    ['its column is missing', 'room;guests\nA;5\n', 'It lacks the column "people"; its columns are "room", "guests"'],
    ['its values are texts', 'room;people\nA;x\nB;y\n', 'Most values of the column "people" cannot be read'],
    [
      'its decimal mark is another',
      `room;people\n${rowsOf(30, (n) => `A;${n}`)}A;12.5\n`,
      'have the decimal mark ".", not ","',
    ],
    [
      'its numbers have decimals where digits were grouped',
      'room;people\nA;1,312\nB;2,040\n',
      'such as "1,312", would have decimals, while the files before group digits',
    ],
    ['it is JSON', '[{"people":1}]', 'It is JSON, not csv'],
    ['it is a page', '<html><body>Sign in', 'It is an HTML page, not a table: "Sign in"'],
  ])('refuses a file when %s', async (_, text, detail) => {
    await expect(readTable(text, { format })).rejects.toMatchObject({
      code: 'unexpected_format',
      detail: expect.stringContaining(detail),
    })
  })

  it.each([
    ['follow each other the other way round', [1, 2, 3, 6, 7], 4, 'seem to be DD/MM/YYYY, not MM/DD/YYYY'],
    ['are days that no month has', [8, 9, 10, 11, 13], 4, 'seem to be DD/MM/YYYY, not MM/DD/YYYY'],
    ['are the first days of months', [1, 2, 3, 4, 5], 1, undefined],
  ])('with the month first meets dates that %s', async (_, first, second, detail) => {
    const text = `day;people\n${first.map((n) => `${String(n).padStart(2, '0')}/0${second}/2026;5`).join('\n')}\n`
    const file = readTable(text, { format: { timestamp_formats: { day: 'MM/DD/YYYY' } } })
    if (detail === undefined) expect((await file).values.at(-1)).toEqual({ day: '2026-05-01', people: 5 })
    else await expect(file).rejects.toMatchObject({ detail: expect.stringContaining(detail) })
  })

  it('has a warning when a column of the files before is lost', async () => {
    const { format: known } = await readTable('day;people;room\n2026-01-05;5;A\n')
    const { warnings } = await readTable('people;day;more\n5;2026-01-06;1\n', { format: known })
    expect(warnings).toMatchObject([{ code: 'lost_column', column: 'room' }])
  })

  it('takes effect when it is changed', async () => {
    const first = await readTable('n;t\n1.5;2024-01-31\n')
    const changed = {
      ...first.format,
      decimal: ',',
      thousands: '.',
      nulls: ['-1'],
      timestamp_formats: ['DD/MM/YYYY'],
    } as const
    const { values } = await readTable('n;t\n1.500;01/02/2024\n-1;02/02/2024\n', {
      format: { ...changed, nulls: ['-1'], timestamp_formats: ['DD/MM/YYYY'] },
    })
    expect(values).toEqual([
      { n: 1500, t: '2024-02-01' },
      { n: null, t: '2024-02-02' },
    ])
  })
})

describe('a table', () => {
  it('is read without formulas around texts, and without invisible spaces around names', async () => {
    const { values } = await readTable('\u200bid\u200b,n\n"=""007""",1\n="008",2\n')
    expect(values).toEqual([
      { id: '007', n: 1 },
      { id: '008', n: 2 },
    ])
  })

  it('keeps every name of a column, and names what has none', async () => {
    const { values, warnings } = await readTable('__proto__,constructor,,a,a,\n1,2,3,4,5,\n')
    expect(Object.entries(values[0] ?? {})).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
      ['column_3', 3],
      ['a', 4],
      ['a_2', 5],
    ])
    expect(warnings.map(({ code }) => code)).toEqual(['unnamed_column', 'repeated_column'])
  })

  it('keeps the key of a refused row', async () => {
    const text = `id,n\n${rowsOf(20, (n) => `k${n},${n}`)}k20,many\n`
    expect((await readTable(text, { keyField: 'id' })).refused).toMatchObject([
      { key: 'k20', column: 'n', badValue: 'many' },
    ])
  })

  it.each([
    ['no header', 'A;5;6\nB;7;8\n', '/header_row'],
    ['two possible headers', 'room,people\nA,closed\nB,5\nC,7\n', '/header_row'],
    [
      'dates of a report above',
      `Site;Rome\nFrom;01.03.2026\nday;n\n${rowsOf(9, (n) => `1${n}.03.2026;5`)}`,
      '/header_row',
    ],
  ])('is asked about when it has %s', async (_, text, pointer) => {
    await expect(readTable(text)).rejects.toMatchObject({ code: 'ambiguous_format', errors: [{ pointer }] })
  })

  it('has years as names of columns when they are no values', async () => {
    expect((await readTable('room;2023;2024\nA;5;6\nB;7;8\n')).values).toEqual([
      { room: 'A', 2023: 5, 2024: 6 },
      { room: 'B', 2023: 7, 2024: 8 },
    ])
  })

  it.each([
    ['room;people\nA;5\nB;6\nTotal;11\n', 'is a row of totals ("Total") below the table'],
    ['room;people\nA;5\nB;6\nØ Gesamt;5\n', 'is a row of totals ("Ø Gesamt") below the table'],
    ['部屋;人数\nA;5\nB;6\n合計;11\n', 'is a row of totals ("合計") below the table'],
    ['room;people\nA;5\nB;6\nGesamtergebnis;11\n', 'is a row of totals ("Gesamtergebnis") below the table'],
    [
      'room;floor;kind\nA;1;x\nB;2;y\nSource: BMS;;\n',
      'is a note below the table: only its first column has a text, as in no row before',
    ],
    ['room;people\nA;5\nB;6\n;11\n', 'is below the table: its first column is empty, as in no row before'],
    ['room;people\nA;5\nB;6\n(2 rows)\n', 'has 1 columns where the header has 2'],
  ])('refuses its footer when it is %j', async (text, reason) => {
    const { values, refused } = await readTable(text)
    expect([values.length, refused]).toEqual([2, [expect.objectContaining({ line: 4, reason })]])
  })

  it('refuses its totals above a note', async () => {
    const { values, refused } = await readTable('room;people\nA;5\nB;6\nTotal;11\n* counted\n')
    expect([values.length, refused.map(({ line }) => line)]).toEqual([2, [4, 5]])
  })

  it.each(['Total', 'Zwischensumme 1. OG', 'Итого'])(
    'is named in a warning when %s is between its rows',
    async (label) => {
      const { warnings } = await readTable(
        `room;people\n${rowsOf(9, (n) => `A${n};5`)}${label};45\n${rowsOf(9, (n) => `B${n};5`)}`,
      )
      expect(warnings).toMatchObject([{ code: 'totals_among_parts', message: expect.stringContaining(label) }])
    },
  )

  it('has its header when the decimal marks of its values divide the rows below it too', async () => {
    const rows =
      "-£8|R$ 1,5|+8 Kč|'31,5 h\n£8|R$ 7,5|+5 Kč|'66,8\n-£1|2,1|+3 Kč|'75,8\n£4|4,3|+7 Kč|\n-£3|8,5|+4 Kč|'65,3 h\n"
    const { values } = await readTable(`name|cost|sum|time\n${rows}`)
    expect([values.length, values[0]?.['cost']]).toEqual([5, 'R$ 1,5'])
  })

  it.each(['- 5,5', '(5.50)', '\u200e-95', '–7'])('has its header when its first value is %j', async (first) => {
    const { values } = await readTable(`room;people\nA;${first}\n${rowsOf(9, (n) => `A${n};${n}`)}`)
    expect([values.length, typeof values[0]?.['people']]).toEqual([10, 'number'])
  })

  it('keeps rows named like totals when there are others before them', async () => {
    const text = `sex;people\n${rowsOf(20, (n) => `${['Total', 'Women'][n % 2]};${n}`)}Total;5\n`
    expect((await readTable(text)).refused).toEqual([])
  })
})

describe('JSON', () => {
  it('keeps plain numbers in texts, and reads texts with marks and times', async () => {
    const rows = [
      { zip: '10115', n: '1,386.5', at: '2024-01-31 08:00', v: 5 },
      { zip: '20095', n: 'n/a', at: null, v: null },
    ]
    const { values } = await readTable(JSON.stringify(rows), { contentType: 'application/json' })
    expect(values).toEqual([
      { zip: '10115', n: 1386.5, at: '2024-01-31T08:00:00', v: 5 },
      { zip: '20095', n: null, at: null, v: null },
    ])
  })
})

describe('a column of numbers with other signs', () => {
  const table = (cell: (n: number) => string) =>
    readTable(`day,people\n${rowsOf(20, (n) => `2026-01-${10 + n},${cell(n)}`)}`)

  it.each(['(337)', '337-', '337 min', "'337", '337*', 'rund 337', '±337', '337 (geschätzt)'])(
    'is kept as text, with a warning, when it has %j',
    async (cell) => {
      const { values, warnings } = await table(() => cell)
      expect(values[0]).toEqual({ day: '2026-01-10', people: cell })
      expect(warnings).toEqual([
        expect.objectContaining({ code: 'kept_as_text', message: expect.stringContaining(`such as "${cell}"`) }),
      ])
    },
  )

  it('is kept as text, with a warning, when JSON has only some of them in quotes', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => ({ day: `2026-01-${10 + n}`, people: n % 2 === 0 ? n : `${n}` }))
    expect((await readTable(JSON.stringify(rows))).warnings).toMatchObject([{ code: 'kept_as_text', column: 'people' }])
  })

  it('has no warning when it has names, or numbers alone', async () => {
    for (const cell of [(n: number) => `Room ${n}`, (n: number) => `${n}A`, (n: number) => `${n}`])
      expect((await table(cell)).warnings).toEqual([])
  })
})

describe('a table with damaged rows', () => {
  it('has the types of the rows that fit', async () => {
    const { values, refused } = await readTable(
      `day,room,people\n${rowsOf(20, (n) => (n % 5 === 0 ? `2026-01-${10 + n},A, 2nd floor,${n}` : `2026-01-${10 + n},B,${n}`))}`,
    )
    expect([values[0], refused.length]).toEqual([{ day: '2026-01-11', room: 'B', people: 1 }, 4])
  })
})

describe('a text that ends within its last row', () => {
  const whole = `day,room,people\n${rowsOf(20, (n) => `2026-01-${10 + n},A,${n}`)}`
  it.each([
    ['in a cell', '2026-01-30,A', 'line 22'],
    ['in its first cell', '2026-01-3', 'line 22'],
    ['in quotes', '2026-01-30,"Room A', 'line 22'],
    ['in quotes at the end of a line', '2026-01-30,"Room A,\n', 'line 22'],
    ['after rows that decide', `${rowsOf(21_000, (n) => `2026-01-30,B,${n}`)}2026-01-30,A`, 'line 21022'],
  ])('has a warning when it ends %s', async (_, end, line) => {
    const { warnings, refused } = await readTable(whole + end)
    expect(warnings).toMatchObject([{ code: 'truncated', message: expect.stringContaining(line) }])
    expect(refused).toHaveLength(1)
    expect((await readTable(whole + end, { isTruncated: true })).warnings).toEqual([])
  })

  it.each([
    ['its last row has all columns', '2026-01-30,A,2'],
    ['its last row lacks a column that has no name', '2026-01-30,A,2', ','],
    ['a note stands below it', 'Source: sensors'],
    ['a number of rows stands below it', '20 rows'],
    ['a short row has the end of its line', '2026-01-30,A\n'],
  ])('has no warning when %s', async (_, end, unnamed = '') => {
    const { warnings } = await readTable(whole.replaceAll('\n', `${unnamed}\n`) + end)
    expect(warnings.map(({ code }) => code)).not.toContain('truncated')
  })
})

describe('columns that spaces separate', () => {
  it('are refused, also when they are aligned', async () => {
    for (const separator of [' ', '     '])
      await expect(
        readTable(`date people\n${rowsOf(9, (n) => `2026-01-0${n + 1}${separator}${n}`)}`),
      ).rejects.toMatchObject({
        code: 'malformed_body',
        detail: expect.stringContaining('separated by spaces'),
      })
  })

  it('are no columns when each line is one time or number', async () => {
    for (const line of [(n: number) => `2026-01-0${n + 1} 08:00`, (n: number) => `${n + 1} 386`])
      expect((await readTable(`swipe time\n${rowsOf(9, line)}`)).values).toHaveLength(9)
  })

  it('are no columns when their parts are words, or their number differs', async () => {
    for (const line of [(n: number) => `meeting room ${n}`, (n: number) => (n % 2 === 0 ? '1 2' : '1 2 3')])
      expect((await readTable(`note of room\n${rowsOf(9, line)}`)).values).toHaveLength(9)
  })
})

describe('a column of times', () => {
  it('has a warning when some of them have no offset', async () => {
    const { warnings } = await readTable(
      `at,n\n${rowsOf(20, (n) => `2026-01-${10 + n}T08:00:00${n % 2 === 0 ? 'Z' : ''},${n}`)}`,
    )
    expect(warnings).toMatchObject([{ code: 'mixed_offsets', column: 'at' }])
  })
})

describe('the warnings about a table', () => {
  const codesOf = async (header: string, line: (n: number) => string) =>
    (await readTable(`${header}\n${rowsOf(20, line)}`)).warnings.map(({ code, column }) => `${code} ${column}`)

  it.each([
    ['week,people', (n: number) => `2026-W${10 + n},${n}`, ['weeks week']],
    ['date,people', (n: number) => `2026-07-${10 + n} 08:00 CET,${n}`, ['standard_time_in_summer date']],
    ['date,people', (n: number) => `2026-01-${10 + n} 08:00 CST,${n}`, ['unread_times date']],
    ['date,people', (n: number) => `1447-07-${10 + n},${n}`, ['kept_as_text date']],
    ['date,cost', (n: number) => `2026-01-${10 + n},${n} ${n % 2 === 0 ? '€' : '$'}`, ['mixed_units cost']],
    ['date,people', (n: number) => `${46_027 + n},${n}`, ['unread_times date']],
    ['date,people', (n: number) => `${n + 1}/1/2569,${n}`, ['buddhist_years date']],
    [
      'date,employee,present',
      (n: number) => `2026-01-${10 + n},E${n},${n % 2 === 0 ? 'Yes' : 'No'}`,
      ['yes_and_no present'],
    ],
    ['date,employee,present', (n: number) => `2026-01-${10 + n},E${n},${n % 2 === 0}`, ['yes_and_no present']],
    ['room,date of opening', (n: number) => `R${n},2026-01-${10 + n}`, []],
    ['data,people', (n: number) => `abc,${n}`, []],
    ['date,people', (n: number) => `2026-01-${10 + n},${n % 7 > 4 ? 'closed' : 10 * n}`, ['kept_as_text people']],
    ['date,room', (n: number) => `2026-01-${10 + n},${n % 7 > 2 ? 'Atrium' : n}`, []],
  ])('with the columns %s are %#', async (header, line, codes) => {
    expect(await codesOf(header, line)).toEqual(codes)
  })

  it.each([
    ['numbers', (n: number) => `2026-01-${10 + n},${n}`],
    ['texts', (n: number) => `R${n},open`],
  ])('say where the names of the columns are repeated above other %s', async (_, line) => {
    const { warnings } = await readTable(`a,b\n${rowsOf(10, line)}a,b\n${rowsOf(10, line)}`)
    expect(warnings).toEqual([
      { code: 'repeated_header', message: expect.stringContaining('Line 12 repeats the names of the columns') },
    ])
  })

  it.each([
    ['Time (UTC)', 'Z'],
    ['StartUtc', 'Z'],
    ['time_gmt+2', '+02:00'],
  ])('say that times of the column %p have the offset %s', async (name, offset) => {
    const { values, warnings } = await readTable(`${name},n\n${rowsOf(9, (n) => `2026-01-05 08:0${n},5`)}`)
    expect(values[3]).toEqual({ [name]: `2026-01-05T08:03:00${offset}`, n: 5 })
    expect(warnings).toMatchObject([{ code: 'stated_offset', column: name }])
  })

  it('say where another table begins below an empty line', async () => {
    const first = `room,n\n${rowsOf(9, (n) => `A${n},5`)}\n`
    const { warnings, refused, values } = await readTable(`${first}Teams,\nteam,sum\nX,7\nY,8\n`)
    expect(values.slice(9)).toEqual([{ room: 'Teams', n: null }])
    expect(refused.map(({ line }) => line)).toEqual([13, 14, 15])
    expect(warnings).toMatchObject([{ code: 'table_below', message: expect.stringContaining('Line 13 has words') }])
  })

  it('say where the lines above the names are others than in the file before', async () => {
    const linesAbove = (count: number) => `${rowsOf(count, (n) => `Filter ${n},all`)}\n`
    const table = `room,day,n\n${rowsOf(20, (n) => `A${n},2026-01-${10 + n},5`)}`
    const { format } = await readTable(`${linesAbove(3)}${table}`)
    const { format: next, values, warnings } = await readTable(`${linesAbove(7)}${table}`, { format })
    expect([format.header_row, next.header_row]).toEqual([5, 9])
    expect(values).toHaveLength(20)
    expect(warnings).toMatchObject([{ code: 'skipped_lines', message: expect.stringContaining('line 9') }])
  })
})

describe('a table of text with lines that are no rows', () => {
  const hours = rowsOf(12, (n) => `2026-01-${10 + n} 08:00;${n},5;${n}`)
  it.each([
    ['time;temp;people\n;°C;persons\n', 2],
    ['time;temp;people\n[date];[°C];[n]\n', 2],
    ['time;temp;people\ndatetime;double;int\n', 2],
    ['Report\n\ntime;temp;people\n;in °C;\n', 4],
    ['#datatype;double;long\ntime;temp;people\n', undefined],
  ])('is read without its units after %j', async (head, line) => {
    const { values, refused, warnings } = await readTable(head + hours)
    expect([values.length, refused, values[2]]).toEqual([12, [], { time: '2026-01-12T08:00:00', temp: 2.5, people: 2 }])
    const units = warnings.filter(({ code }) => code === 'skipped_units')
    expect(units.map(({ message }) => message.slice(0, 6))).toEqual(line === undefined ? [] : [`Line ${line}`])
  })

  it('keeps a first row of words that are no units, and one of a list of names', async () => {
    const closed = await readTable(`time;temp;people\n2026-01-09 08:00;-;-\n${hours}`)
    expect(closed.values).toHaveLength(13)
    expect((await readTable('name;team\nm;h\nAda;IT\n')).values).toHaveLength(2)
    // Names of columns may be units themselves.
    const { format } = await readTable(`Export of 2026\n\nday;kWh;count\n${hours}`)
    expect(format.header_row).toBe(3)
    await expect(readTable(`Site;Berlin;HQ\nday;kWh;count\n${hours}`)).rejects.toMatchObject({
      code: 'ambiguous_format',
    })
  })

  it.each([
    ['Markdown', '| day | room | people |\n|---|:---|---:|\n', (n: number) => `| 2026-01-${10 + n} | A | ${n} |`],
    [
      'a terminal',
      ' day        | room | people\n------------+------+-------\n',
      (n: number) => ` 2026-01-${10 + n} | A    | ${n}`,
    ],
  ])('is read without them when it is of %s', async (_, header, line) => {
    const { values, refused } = await readTable(`${header}${rowsOf(20, line)}`)
    expect([values.length, refused]).toEqual([20, []])
    expect(values[1]).toMatchObject({ day: '2026-01-11', people: 1 })
  })

  it('has the groups above its header in repeated names', async () => {
    const { values } = await readTable(
      `;North;;South;\nday;in;out;in;out\n${rowsOf(9, (n) => `2026-01-0${n + 1};1;2;3;${n}`)}`,
    )
    expect(values[8]).toEqual({ day: '2026-01-09', 'North in': 1, 'North out': 2, 'South in': 3, 'South out': 8 })
  })
})
