import { describe, expect, it } from '@jest/globals'
import { openTable } from '../../src/intake/open-table.ts'
import { previewTable } from '../../src/intake/preview/preview-table.ts'
import { readTable } from './read-table.ts'

const days = Array.from({ length: 28 }, (_, n) => `2026-02-${String(n + 1).padStart(2, '0')}`)
const table = (header: string, line: (day: string, n: number) => string): string =>
  `${header}\n${days.map(line).join('\n')}\n`

async function previewOf(content: string) {
  async function* chunks() {
    yield Buffer.from(content)
  }
  const input = { contentType: 'text/csv', now: () => Date.UTC(2026, 0, 5), format: {}, declarations: {} }
  return previewTable(await openTable({ ...input, chunks: chunks() }), false)
}

describe('a suggestion for a file as others export it', () => {
  it.each<[string, string, string[]]>([
    ['consumption with equal lengths', table('Zeit;Verbrauch', (day, n) => `${day};${100 + n * 31}`), ['Verbrauch']],
    ['totals that never come again', table('month,nonfarm', (day, n) => `${day},${130_000 + n * 777}`), ['nonfarm']],
    ['badges, whose numbers come again', table('time,tag', (day, n) => `${day},${40_001 + (n % 10)}`), []],
    ['tickets, whose numbers follow each other', table('time,ticket', (day, n) => `${day},${40_001 + n}`), []],
    [
      'a unit with a word of counts',
      table('Date,Speed in knots,Visits', (day, n) => `${day},${n},${n * 2}`),
      ['Visits'],
    ],
    [
      'directions of a door',
      table('Date,Door 1 In,Door 1 Out', (day, n) => `${day},${n},${n}`),
      ['Door 1 In', 'Door 1 Out'],
    ],
    [
      'names of two levels',
      table('Date,Floor 1,Floor 1,Floor 2,Floor 2\n,In,Out,In,Out', (day, n) => `${day},${n},${n},${n},${n}`),
      ['Floor 1 In', 'Floor 1 Out', 'Floor 2 In', 'Floor 2 Out'],
    ],
    ['years across', table('Country,2021,2022,2023,2024', (_, n) => `C${n},${n},2,3,4`), []],
    [
      'parts of a date beside it',
      table('Date,Hour,Visits per day', (day, n) => `${day},${n % 24},${n}`),
      ['Visits per day'],
    ],
  ])('finds the values to forecast in %s', async (_, content, value) => {
    expect((await previewOf(content)).suggestions.value).toEqual(value)
  })
})

describe('a warning about a file as others export it', () => {
  it.each<[string, string, string, string[]]>([
    ['two months across', 'Room,Jan 2026,Feb 2026', 'A,1,2', ['cross_table']],
    ['months across', 'Room,Jan,Feb,Mar,Apr', 'A,1,2,3,4', ['cross_table']],
    ['years across', 'Country,2021,2022,2023,2024', 'A,1,2,3,4', ['cross_table']],
    ['spaces across', 'day,Floor 1,2. Stock,Room A', '2026-02-01,1,2,3', ['cross_table']],
    ['goods in stock', 'day,Stock A,Stock B', '2026-02-01,1,2', []],
    ['tickets of levels', 'day,Level 1 tickets,Level 2 tickets', '2026-02-01,1,2', []],
    ['sensors of a room', 'day,room 1 temp,room 1 co2', '2026-02-01,21,800', []],
    ['numbers of spaces', 'day,Rooms,Desks', '2026-02-01,10,200', []],
    ['year and week', 'Jahr,KW,Besucher', '2026,7,12', ['split_date']],
    ['year, month and day', 'year,month,day,count', '2026,2,3,12', ['split_date']],
    ['costs of a month and a year', 'Etage,Nebenkosten/Monat,Reinigung TEUR/Jahr', '1. OG,3200,24.5', []],
    ['names of floors', 'day,Messung,in', '2026-02-01,1. OG,3', []],
    ['quarters', 'period,guests', '2026Q1,12', ['unread_times']],
    ['shares', 'date,room,used', '2026-02-01,A,3/20', ['kept_as_text']],
    ['thousands', 'date,visitors', '2026-02-01,"1,2k"', ['kept_as_text']],
    ['short years of birth', 'name,born', 'A,20.03.64', ['unread_times']],
    ['addresses', 'name,address', 'A,120 any st.', []],
    ['month and day in words', 'date,count', 'Jan-1-2026,5', []],
  ])('is given for %s', async (_, header, row, codes) => {
    const { warnings } = await readTable(`${header}\n${row}\n${row}\n`)
    expect(warnings.map(({ code }) => code)).toEqual(codes)
  })
})

describe('the rows of a file as others export it', () => {
  it('are refused in the preview where they cannot be stored', async () => {
    const { rows, refused, refused_count } = await previewOf('room,seats\nA\0,1\nB,2\n')
    expect(rows).toEqual([{ room: 'B', seats: 2 }])
    expect({ refused, refused_count }).toEqual({
      refused: [{ line: 2, reason: 'has a NUL character' }],
      refused_count: 1,
    })
  })

  it('are those with values when a spreadsheet wrote empty ones', async () => {
    const { values } = await readTable('room,seats\n,\nA,1\n , \nB,2\n,\n')
    expect(values).toEqual([
      { room: 'A', seats: 1 },
      { room: 'B', seats: 2 },
    ])
  })

  it('are asked about when the first has times of day in place of names', async () => {
    const bookings = Array.from({ length: 12 }, (_, n) => `AB${n},Mon,${n + 8}:00,${n + 9}:00`)
    await expect(readTable(bookings.join('\n'))).rejects.toMatchObject({
      code: 'ambiguous_format',
      detail: expect.stringContaining('AB0 | Mon | 8:00 | 9:00'),
    })
  })

  it('begin below a name that also means no value', async () => {
    const { values } = await readTable('Site,Mg,Na\nA,1,2\nB,3,4\n')
    expect(values[0]).toEqual({ Site: 'A', Mg: 1, Na: 2 })
  })

  it('are not those of an event without its calendar', async () => {
    await expect(readTable('BEGIN:VEVENT\nDTSTART:20260105T080000\nEND:VEVENT\n')).rejects.toMatchObject({
      detail: expect.stringContaining('BEGIN:VCALENDAR'),
    })
  })

  it('are not read from a workbook of Excel 4', async () => {
    await expect(readTable(Buffer.from('0904060000001000', 'hex'))).rejects.toMatchObject({
      detail: expect.stringContaining('save it as .xlsx'),
    })
  })
})
