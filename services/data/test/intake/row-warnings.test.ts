import { describe, expect, it } from '@jest/globals'
import { readTable } from './read-table.ts'

const days = 14
const hours = 12
/** Rows of each hour of two weeks: people come on working days. */
const rowsOf = (line: (row: { at: string; day: number; hour: number; people: number }) => string): string =>
  Array.from({ length: days * hours }, (_, n) => {
    const [day, hour] = [Math.floor(n / hours), n % hours]
    const at = new Date(Date.UTC(2026, 0, 5 + day, 8 + hour)).toISOString().slice(0, 16)
    return line({ at, day, hour, people: day % 7 > 4 ? n % 2 : 100 + ((n * 37) % 60) })
  }).join('\n')

const warningsOf = async (header: string, body: string) => (await readTable(`${header}\n${body}\n`)).warnings

describe('a warning about what rows mean', () => {
  let total = 0
  const addUp = (people: number) => {
    total += people
    return total
  }
  const files: [string, string, string, string | null][] = [
    [
      'days and times, which are joined',
      'day,time,door,people',
      rowsOf(({ at, people }) => `${at.replace('T', ',')},A,${people}`),
      null,
    ],
    ['counts of each hour', 'time,room,people', rowsOf(({ at, people }) => `${at},A,${people}`), null],
    ['a counter', 'time,gate,in', rowsOf(({ at, people }) => `${at},A,${addUp(people)}`), 'running_total'],
    ['a counter of each day', 'time,gate,in', rowsOf(({ at, hour }) => `${at},A,${hour * 40}`), 'running_total'],
    [
      'readings of a meter',
      'day,Zählerstand',
      [1, 2, 3, 4, 5, 6].map((day) => `2026-03-0${day},${day * 37}`).join('\n'),
      'running_total',
    ],
    [
      'times of day without a mark',
      'day,time,door,people',
      rowsOf(({ at, hour, people }) => `${at.slice(0, 10)},${8 + hour}15,A,${people}`),
      'unread_times',
    ],
    ['lengths of time', 'day,Dwell time', rowsOf(({ at, hour }) => `${at.slice(0, 10)},${hour + 7}.25`), null],
    ['numbers beyond a day', 'day,time', rowsOf(({ at, hour }) => `${at.slice(0, 10)},${hour * 9 + 9}.3`), null],
    ['growing counts', 'time,gate,in', rowsOf(({ at, day, hour }) => `${at},A,${500 + day * hours + hour}`), null],
    [
      'totals beside parts',
      'time,room,people',
      rowsOf(({ at, people }) => `${at},A,${people}\n${at},B,2\n${at},Total,${people + 2}`),
      'totals_among_parts',
    ],
    [
      'subtotals of parts',
      'time,room,people',
      `${rowsOf(({ at, people }) => `${at},A,${people}`)}\n,A Ergebnis,70\n2026-02-01T08:00,B,1`,
      'totals_among_parts',
    ],
    [
      '9999 for no value',
      'time,room,people',
      rowsOf(({ at, day, people }) => `${at},A,${day === 3 ? 9999 : people}`),
      'possible_null',
    ],
    [
      'a counter of four digits',
      'time,gate,in',
      rowsOf(({ at, people }) => `${at},A,${addUp(people) % 10_000}`),
      'running_total',
    ],
    [
      'codes of directions',
      'time,badge,door,direction',
      rowsOf(({ at, hour }) => `${at},B${hour},A,${1 + (hour % 2)}`),
      'unread_directions',
    ],
    [
      'letters of directions',
      'time,badge,door,direction',
      rowsOf(({ at, hour }) => `${at},B${hour},A,${hour % 2 ? 'K' : 'G'}`),
      null,
    ],
    ['places with others beside them', 'day,room,places', rowsOf(({ at }) => `${at},A,24 (+4)`), 'kept_as_text'],
    [
      'dates that are written in two ways',
      'day,team,until',
      rowsOf(({ at, hour }) => `${at.slice(0, 10)},T,${hour % 3 === 0 ? '2026-03-31' : '31.03.2026'}`),
      'kept_as_text',
    ],
    [
      'people who were not let in',
      'time,badge,door,result',
      rowsOf(({ at, hour }) => `${at},B${hour},A,Access ${hour % 5 === 0 ? 'denied' : 'granted'}`),
      'denied_access',
    ],
    [
      'numbers of cards without their last digits',
      'time,card number,door',
      rowsOf(({ at, hour }) => `${at},4.${10 + hour}E+17,A`),
      'shortened_numbers',
    ],
    [
      'days above their rows',
      'day,room,people',
      rowsOf(({ at, hour, people }) => `${hour === 0 ? at.slice(0, 10) : ''},R${hour},${people}`),
      'empty_below',
    ],
    [
      'times of another form',
      'moment,people',
      rowsOf(({ at, people }) => `${at.replace('T', ' past ')},${people}`),
      'unread_times',
    ],
  ]

  it.each(files)('is given for %s', async (_, header, body, code) => {
    const codes = (await warningsOf(header, body)).map((warning) => warning.code)
    expect(codes).toEqual(code === null ? [] : [code])
  })

  const people = (count: number, line: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => line(n)).join('\n')
  it.each([
    [
      'subtotals of people',
      'team,person',
      `${people(3, (n) => `IT,Ann ${n}`)}\nSubtotal IT,3 people\nHR,Bob`,
      'totals_among_parts',
    ],
    ['a short second table', 'room,people', 'A,5\nB,6\n\nDate,Visitors\n2026-01-05,100', 'table_below'],
    [
      'a second table of words',
      'room,owner',
      `${people(9, (n) => `R${n},Ann`)}\n\nCode,Meaning\nR,Room`,
      'table_below',
    ],
    ['groups of rows', 'room,owner', 'Atrium,Ann\nLobby,Bob\n\nHall,Cid\nCafe,Dan', null],
  ])('is given for %s in a table without numbers', async (_, header, body, code) => {
    const codes = (await warningsOf(header, body)).map((warning) => warning.code)
    expect(codes).toEqual(code === null ? [] : [code])
  })

  it.each([
    ['months', 'building,Jan 2026,Feb 2026,Mar 2026,Apr 2026', 'A,300,310,320,330\nB,200,210,220,230'],
    ['weeks', 'building,KW 1,KW 2,KW 3,KW 4', 'A,300,310,320,330\nB,200,210,220,230'],
    [
      'days',
      `employee,${Array.from({ length: 31 }, (_, n) => n + 1).join(',')}`,
      `E1${',8'.repeat(31)}\nE2${',7'.repeat(31)}`,
    ],
    ['days', 'employee,01/06/2026,02/06/2026,03/06/2026,04/06/2026', 'E1,X,,X,X\nE2,,X,X,'],
  ])('says that columns are %s', async (word, header, body) => {
    expect(await warningsOf(header, body)).toMatchObject([
      { code: 'cross_table', message: expect.stringContaining(`are ${word}: this is a cross table`) },
    ])
  })
})

describe('a text with unusual quotes', () => {
  it('is read when a spreadsheet is told that a value is a text', async () => {
    const { values } = await readTable('time,card\n2026-01-05 08:00,="00123"\n2026-01-05 09:00,="00456"\n')
    expect(values.map(({ card }) => card)).toEqual(['00123', '00456'])
  })

  it.each([
    ['lines are in quotes as a whole', '"time,people"\n"2026-01-05,1"\n"2026-01-06,2"', 'in quotes as a whole'],
    [
      'most fields have open quotes',
      'room,n\nA 15" screen,1\nB 15" screen,2\nC 15" screen,3',
      'line 2 has a quote within',
    ],
  ])('is refused with its reason when %s', async (_, text, reason) => {
    await expect(readTable(`${text}\n`)).rejects.toMatchObject({ detail: expect.stringContaining(reason) })
  })
})

it.each(['Media Room', 'Ø-101', 'Ø1', 'Ø2.01', 'Ø 1. sal', 'Ø 14'])(
  'is no row of totals when the last row is the room %s',
  async (room) => {
    const { refused } = await readTable(`name,seats\nAtrium,10\nLibrary,20\n${room},8\n`)
    expect(refused).toEqual([])
  },
)

it('warns of a column of which rows of JSON have the name in other capitals or with a space', async () => {
  const rows = (name: (n: number) => string) =>
    JSON.stringify(Array.from({ length: 20 }, (_, n) => ({ day: `2026-01-${10 + n}`, [name(n)]: n })))
  for (const other of ['People', 'people '])
    expect((await readTable(rows((n) => (n % 2 === 0 ? 'people' : other)))).warnings).toMatchObject([
      { code: 'split_column', message: expect.stringContaining(`"people" and "${other}"`) },
    ])
  for (const cells of ['1,A1', '1,']) expect((await readTable(`id,ID\n${cells}\n`)).warnings).toEqual([])
})
