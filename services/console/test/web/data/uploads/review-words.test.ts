import { describe, expect, it } from '@jest/globals'
import type { ApiError } from '@wp/client/browser'
import {
  describeWarning,
  encodingChoices,
  fileTypeChoices,
} from '../../../../web/src/data/uploads/review/file-words.ts'
import { readHeaderLines } from '../../../../web/src/data/uploads/review/header-lines.ts'
import {
  formatReadTime,
  formatReadValue,
  type Preview,
} from '../../../../web/src/data/uploads/review/preview/preview-values.ts'
import {
  describeTimestampFormat,
  marksOfStyle,
  type NumberMarks,
  numberStyleChoices,
  styleOf,
  timestampFormatChoices,
} from '../../../../web/src/data/uploads/review/value-formats.ts'
import { previewOf } from '../../../fixture/preview.ts'

describe('the words for a format of times', () => {
  it.each([
    ['DD.MM.YYYY HH:mm', 'Day.Month.Year Hour:Minute (31.12.2026 17:05)'],
    ['M/D/YYYY h:mm A', 'Month/Day/Year Hour:Minute AM/PM (12/31/2026 5:05 PM)'],
    ['YYYY-MM-DDTHH:mm:ssZ', 'Year-Month-Day Hour:Minute:SecondOffset (2026-12-31T17:05:00+01:00)'],
    ['X', 'Seconds since 1970'],
  ])('describe %s', (format, words) => expect(describeTimestampFormat(format)).toBe(words))

  it('offer the mirror image of a format next, with the same time of day', () => {
    const values = timestampFormatChoices('D/M/YYYY h:mm A').map(({ value }) => value)
    expect(values.slice(0, 3)).toEqual(['D/M/YYYY h:mm A', 'M/D/YYYY h:mm A', 'DD.MM.YYYY h:mm A'])
    expect(new Set(values).size).toBe(values.length)
  })

  it('offer dates with and without a time of day when the format is not known', () => {
    const values = timestampFormatChoices(null).map(({ value }) => value)
    expect(values).toEqual(expect.arrayContaining(['DD/MM/YYYY', 'DD/MM/YYYY HH:mm', 'MM/DD/YYYY']))
  })
})

describe('the choice of a way to write numbers', () => {
  const german = { decimal: ',', thousands: '.' } as const

  it('shows the way of the file as an example', () => {
    const chosen = numberStyleChoices(german).find(({ value }) => value === styleOf(german))
    expect(chosen?.label).toBe('1.234,5')
  })

  it.each<[NumberMarks, string]>([
    [{ decimal: null, thousands: ',' }, '1,234.5'],
    [{ decimal: null, thousands: '.' }, '1.234,5'],
    [{ decimal: ',', thousands: null }, '1234,5'],
    [{ decimal: ',', thousands: '\u202f' }, '1\u202f234,5'],
    [{ decimal: null, thousands: null }, '1234'],
  ])('shows %j as %s', (marks, label) => {
    expect(numberStyleChoices(marks).find(({ value }) => value === styleOf(marks))?.label).toBe(label)
  })

  it('returns the marks of every choice', () => {
    for (const { value } of numberStyleChoices(german)) {
      const marks = marksOfStyle(value, german)
      expect(marks && styleOf(marks)).toBe(value)
    }
    expect(marksOfStyle('', { decimal: null, thousands: null })).toBeUndefined()
  })
})

describe('a value of a preview', () => {
  it.each([
    ['2024-02-01', '1 Feb 2024'],
    ['2024-02-01T08:00:00', '1 Feb 2024, 08:00'],
    ['2024-02-01T08:00:05.25', '1 Feb 2024, 08:00:05'],
    ['2024-02-01T08:00:00Z', '1 Feb 2024, 08:00 UTC'],
    ['2024-02-01T08:00:00+01:00', '1 Feb 2024, 08:00 UTC+01:00'],
    ['2024-13-01', '2024-13-01'],
    ['soon', 'soon'],
  ])('shows the time %s as %s', (stored, shown) => expect(formatReadTime(stored)).toBe(shown))

  it.each([
    [1386, '1,386'],
    [1.386, '1.386'],
    [0.1, '0.1'],
    [-2_500_000.25, '-2,500,000.25'],
    [true, 'Yes'],
    [null, undefined],
    ['  text', '  text'],
    [{ a: 1 }, '{"a":1}'],
  ])('shows %j as %s', (stored, shown) => expect(formatReadValue(stored)).toBe(shown))
})

describe('the choices for a file', () => {
  const { format } = previewOf() as unknown as Preview // the fixture has the members of a preview

  it('let a binary file be what it is only', () => {
    expect(fileTypeChoices({ ...format, type: 'parquet', compression: null })).toEqual([
      { value: 'parquet', label: 'Parquet table' },
    ])
  })

  it('include an encoding that is none of the usual ones', () => {
    expect(encodingChoices('ibm866')[0]).toEqual({ value: 'ibm866', label: 'ibm866' })
    expect(encodingChoices('utf-8').filter(({ value }) => value === 'utf-8')).toHaveLength(1)
  })
})

describe('the words for a warning', () => {
  it.each([
    [
      'assumed_date_order',
      'Column "Date" is read as MM/DD/YYYY: only so the dates follow each other without gaps. If this is wrong, set `format.timestamp_formats`',
      'Column "Date" is read as MM/DD/YYYY: only so the dates follow each other without gaps. If this is wrong, choose another way under the name of the column.',
    ],
    [
      'other_sheets',
      'The sheet "2025" is read. Other sheets have tables too: "2026". To read another one, set `format.sheet`',
      'The sheet "2025" is read. Other sheets have tables too: "2026". To read another one, choose it under “Sheet”.',
    ],
    ['kept_as_text', 'Column "zip" is kept as text', 'Column "zip" is kept as text'],
  ])('say what to do on the page when it is %s', (code, message, words) => {
    expect(describeWarning({ code, message })).toBe(words)
  })

  it('name no choice that is hidden when several files are uploaded', () => {
    const overlaps = {
      code: 'overlaps',
      message: 'Rows were stored before. To replace them, upload with `mode=period`',
    }
    expect(describeWarning(overlaps)).toContain('choose “Replace the records of the days of the file”')
    expect(describeWarning(overlaps, false)).toBe(
      'Rows were stored before. If it corrects an earlier file, upload it by itself to replace the records of its days.',
    )
  })
})

it('reads the lines that could name the columns from the error', () => {
  const detail = 'is one of line 1: Zeit |  | Ort | Wert; line 2: Datum | Uhrzeit. Set `format.header_row` to its line'
  const error = { body: { errors: [{ pointer: '/header_row', detail }] } } as unknown as ApiError // the part that is read
  expect(readHeaderLines(error)).toEqual([
    { line: 1, names: 'Zeit, Ort, Wert' },
    { line: 2, names: 'Datum, Uhrzeit' },
  ])
})
