import { describe, expect, it } from '@jest/globals'
import { addText, ambiguityOf, type ColumnHints, createColumnEvidence, decideColumns } from '../src/index.ts'

const columnOf = (texts: readonly string[], name = 'x', hints: ColumnHints = {}) => {
  const evidence = createColumnEvidence()
  for (const text of texts) addText(evidence, text, new Set(), text.includes(','))
  return { name, evidence, hints }
}
const decide = (texts: readonly string[], name?: string, hints?: ColumnHints) =>
  decideColumns([columnOf(texts, name, hints)])[0]
const counts = ['7', '12', '950', ...Array.from({ length: 20 }, (_, n) => `1,${String(n * 35 + 100)}`)]

describe('a column of numbers', () => {
  it.each([
    [['1.386.000', '1.386'], { decimal: ',', thousands: '.' }],
    [['1.386', '12.5'], { decimal: '.' }],
    [['1,386', '0,386'], { decimal: ',' }],
    [['1.386,0', '7,0'], { decimal: ',', thousands: '.' }],
    [['1,386.5', '1,386'], { decimal: '.', thousands: ',' }],
    [["1'386", '1.386'], { decimal: '.', thousands: "'" }],
    [['1 386', '12'], { thousands: ' ' }],
    [['1\u202f386,5', '12'], { decimal: ',', thousands: '\u202f' }],
    [['1_386', '12'], { thousands: '_' }],
    [['1,00,000', '12,34,567', '500'], { decimal: '.', thousands: ',' }],
    [['1.386', '1386'], { decimal: '.' }],
    [counts, { decimal: '.', thousands: ',' }],
    [['-5', '−7.25', '1.2e+05'], { decimal: '.' }],
    [['1.10', '2.50'], { decimal: '.' }],
  ])('is decided when it has %j', (texts, format) => {
    expect(decide(texts)).toMatchObject({ outcome: 'number', format })
  })

  it('is decided when a place has shares, but not when its name may end with a unit', () => {
    const share = { outcome: 'number', format: { decimal: ',' }, unit: '%' }
    expect(decide(['12,5 %', '0,0 %'], 'Raumauslastung')).toMatchObject(share)
    expect(decide(['12 m', '14 m'], 'Raum')).toMatchObject({ outcome: 'string' })
  })

  it('is text when its decimals are those of rooms, but not when they are measured in rooms', () => {
    const rooms = ['1.1', '1.2', '1.9']
    for (const name of ['Room', 'Raum-Nr.', 'Desk ID']) expect(decide(rooms, name)).toMatchObject({ outcome: 'string' })
    for (const name of ['Raumhöhe', 'Raumtemperatur', 'Level', 'Room area'])
      expect(decide(rooms, name)).toMatchObject({ outcome: 'number' })
  })

  it('is ambiguous when no value has one reading only', () => {
    const column = columnOf(['1.386', '2.513', '1.020'])
    const [decision] = decideColumns([column])
    if (decision === undefined) throw new Error('no decision')
    expect(ambiguityOf(column, decision)).toEqual({
      column: 'x',
      kind: 'number',
      settings: [',', '.'],
      values: [
        { text: '1.386', readings: ['1386', '1.386'] },
        { text: '2.513', readings: ['2513', '2.513'] },
        { text: '1.020', readings: ['1020', '1.02'] },
      ],
    })
  })

  it('is decided by another column, and stays ambiguous when others contradict each other', () => {
    const open = columnOf(['1.386', '2.513'])
    expect(decideColumns([open, columnOf(['12,5'])])[0]).toMatchObject({
      outcome: 'number',
      format: { thousands: '.' },
    })
    expect(decideColumns([open, columnOf(['12.5'])])[0]).toMatchObject({ outcome: 'number', format: { decimal: '.' } })
    expect(decideColumns([open, columnOf(['12.5']), columnOf(['12,5'])])[0]).toMatchObject({
      outcome: 'ambiguousNumber',
    })
  })

  it.each([
    [['007', '12'], 'leading_zeros'],
    [['12345678901234567', '12'], 'too_many_digits'],
    [['1.9', '1.10', '1.11'], 'versions'],
    [['192.168.100.200', '192.168.100.201'], 'addresses'],
  ])('is text with a note when it has %j', (texts, note) => {
    expect(decide(texts)).toMatchObject({ outcome: 'string', note })
  })

  it.each([
    ['Raum-Nr.', 'string'],
    ['Price per room', 'number'],
    ['Fläche', 'number'],
  ])('named %s with numbers such as 1.10 and 2.50 is a %s', (name, outcome) => {
    expect(decide(['1.10', '1.20', '2.50'], name)).toMatchObject({ outcome })
  })

  it('named Zimmer is a number of rooms when its only fractions are halves', () => {
    expect(decide(['2.5', '3', '3.5'], 'Zimmer')).toMatchObject({ outcome: 'number' })
    expect(decide(['2.5', '3', '3.4'], 'Zimmer')).toMatchObject({ outcome: 'string' })
  })

  it.each([
    [['1e5', '2e6']],
    [['0x10', '0x20']],
    [['12 €', '5 $']],
    [['12 €', '5']],
    [['(5)', '(6)']],
    [['+49 30 123', '+49 30 124']],
    [['1/2', '3/4']],
    [['10-12', '11-13']],
    [['Infinity', 'Infinity']],
    [['1,38', '1.38', '2,5', '2.5']],
    [['12,34,56', '1,2,3']],
    [['1.386.00', '5']],
    [['17.18.130', '5']],
    [['N/A', '-', '']],
    [['5', '6', 'many']],
  ])('is text when it has %j', (texts) => {
    expect(decide(texts)).toMatchObject({ outcome: 'string' })
  })

  it('is text when it is a key or identifier and one value is no number', () => {
    const texts = [...Array.from({ length: 50 }, (_, n) => `${1001 + n}`), '1001A']
    expect(decide(texts, 'asset')).toMatchObject({ outcome: 'number' })
    expect(decide(texts, 'asset', { isKey: true })).toMatchObject({ outcome: 'string' })
    expect(decide(texts, 'Room No.')).toMatchObject({ outcome: 'string' })
  })
})

const daily = (format: (day: string, month: string) => string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => format(String(from + n).padStart(2, '0'), '02'))

describe('a column of times', () => {
  it.each([
    [daily((day, month) => `${day}/${month}/2024`, 1, 13), 'DD/MM/YYYY'],
    [daily((day, month) => `${month}/${day}/2024 8:05 PM`, 1, 13), 'MM/DD/YYYY h:mm A'],
    [daily((day, month) => `32-${month}-${day}`, 26, 29), 'YY-MM-DD'],
    [['2024-01-31T08:00:00+01:00'], 'YYYY-MM-DDTHH:mm:ssZ'],
    [['2024/01/31 08:00:00.250'], 'YYYY/MM/DD HH:mm:ss.SSS'],
    [['5. März 2024 08:00'], 'D. MMM YYYY HH:mm'],
    [['January 5, 2024'], 'MMM D, YYYY'],
    [['05-JAN-24'], 'DD-MMM-YY'],
    [['31.01.2024\u00a008:00'], 'DD.MM.YYYY HH:mm'],
  ])('is decided when it has %j', (texts, format) => {
    expect(decide(texts)).toMatchObject({ outcome: 'timestamp', format, confidence: 1 })
  })

  it('is ambiguous when day and month can be exchanged, and decided by another column', () => {
    const open = columnOf(daily((day, month) => `${day}/${month}/2024`, 1, 12))
    expect(decideColumns([open])[0]).toMatchObject({ outcome: 'ambiguousOrder' })
    expect(decideColumns([open, columnOf(['31/01/2024'])])[0]).toMatchObject({ format: 'DD/MM/YYYY', basis: 'columns' })
  })

  it('has the order that is known of a column of the files before', () => {
    const known = { ...columnOf(['03/04/2024']), hints: { timestampFormat: 'DD/MM/YYYY HH:mm' } }
    expect(decideColumns([columnOf(['05/06/2024']), known])[0]).toMatchObject({ format: 'DD/MM/YYYY' })
  })

  it.each(['DD.MM.YYYY', 'DD MMM YYYY', 'DD-MMM-YY', 'MMM D, YYYY'])(
    'is asked about when another column has the format %s',
    (timestampFormat) => {
      const pinned = { ...columnOf(['01.02.2024']), hints: { timestampFormat } }
      expect(decideColumns([columnOf(['03/04/2024']), pinned])[0]).toMatchObject({ outcome: 'ambiguousOrder' })
    },
  )

  it('is asked about when the months of another column have names', () => {
    const named = columnOf(['05-JAN-24', '31-JAN-24'])
    expect(decideColumns([columnOf(['03/04/2024']), named])[0]).toMatchObject({ outcome: 'ambiguousOrder' })
  })

  it('is the same in either order when its days and months are equal', () => {
    for (const [texts, isSame] of [
      [['01/01/2024', '02/02/2024'], true] as const,
      [['01/01/2024', '01/02/2024'], false] as const,
    ]) {
      const column = columnOf(texts)
      const [decision] = decideColumns([column])
      expect(decision && ambiguityOf(column, decision)).toMatchObject({ isSame })
    }
  })

  it('has the day first when it has points', () => {
    expect(decide(['01.02.2024', '02.03.2024'])).toMatchObject({ format: 'DD.MM.YYYY', basis: 'points' })
    expect(decide(['01.13.2024', '02.03.2024'])).toMatchObject({ format: 'MM.DD.YYYY', basis: 'values' })
  })

  it.each([
    [['13/01/2024', '01/13/2024'], 'both orders'],
    [['31/02/2024'], 'no day of the calendar'],
    [['31/12/65'], 'two digits for a year of the last century'],
    [['2024-W53'], 'a week that the year does not have'],
    [['Mi 05.01.2026', 'Do 05.01.2026'], 'other days of the week'],
    [['2026-01-05 08:00 CST'], 'a name of several zones'],
    [['1447-07-16'], 'a year of another calendar'],
    [['1.2.3', '1.2.4'], 'sections'],
    [['3. rujna 2026.', '3. listopada 2026.', '3. studenoga 2026.'], 'a month that is another one in Polish'],
    [['3 ruj 2026', '3 lis 2026', '3 stu 2026'], 'a month that is another one in Polish'],
    [['2024-01-31T25:00'], 'a 25th hour'],
  ])('is text when it has %j: %s', (texts) => {
    expect(decide(texts)).toMatchObject({ outcome: 'string' })
  })

  it('is of seconds, milliseconds or eight digits only when its name says so', () => {
    for (const [text, format] of [
      ['1706688000', 'X'],
      ['1706688000000', 'x'],
      ['20240131', 'YYYYMMDD'],
    ] as const) {
      expect(decide([text], 'created_at')).toMatchObject({ outcome: 'timestamp', format })
      expect(decide([text], 'serial')).toMatchObject({ outcome: 'number' })
    }
  })

  it('is text with a format when it has times of day or ranges', () => {
    expect(decide(['08:30', '9:00'])).toMatchObject({ outcome: 'string', timeOfDay: 'HH:mm' })
    expect(decide(['0:00-0:59', '1:00–1:59'])).toMatchObject({ outcome: 'string', timeOfDay: 'HH:mm-HH:mm' })
  })
})
