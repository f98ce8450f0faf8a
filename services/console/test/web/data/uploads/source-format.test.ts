import { describe, expect, it } from '@jest/globals'
import { SourceFormat } from '@wp/contracts'
import type { Preview } from '../../../../web/src/data/uploads/review/preview/preview-values.ts'
import {
  acceptedFormat,
  correctColumn,
  correctFile,
  correctTable,
  mergeFormats,
} from '../../../../web/src/data/uploads/review/source-format.ts'
import { previewOf } from '../../../fixture/preview.ts'

// The fixture has the members of a preview, with types that are wider.
const preview = (part: Record<string, unknown> = {}) => previewOf(part) as unknown as Preview
const column = previewOf().columns[1]

describe('acceptedFormat', () => {
  it('returns what the preview shows, without known words for no value, when nothing was corrected', () => {
    const format = acceptedFormat(preview(), {})
    expect(format).toEqual({
      type: 'csv',
      encoding: 'utf-8',
      delimiter: ';',
      header_row: 1,
      decimal: ',',
      thousands: '.',
      columns: { time: { type: 'timestamp' }, people: { type: 'number' } },
      timestamp_formats: { time: 'DD.MM.YYYY HH:mm' },
    })
    expect(SourceFormat.parse(format)).toEqual(format)
  })

  it('states the marks of a column when they differ from those of the file', () => {
    const format = acceptedFormat(preview({ columns: [{ ...column, decimal: '.', thousands: '.' }] }), {})
    expect(format.columns).toEqual({ people: { type: 'number', decimal: '.' } })
  })

  it('returns the corrections in place of what was recognized', () => {
    const corrections = correctColumn({ nulls: ['-', '-1'] }, 'time', {
      type: 'timestamp',
      timestampFormat: 'MM.DD.YYYY HH:mm',
    })
    expect(acceptedFormat(preview(), corrections)).toMatchObject({
      nulls: ['-', '-1'],
      timestamp_formats: { time: 'MM.DD.YYYY HH:mm' },
      columns: { people: { type: 'number' } },
    })
  })

  it('is a format that a source can store when names are unusual or too many', () => {
    const named = (names: string[]) => preview({ columns: names.map((name) => ({ ...column, name })) })
    const format = acceptedFormat(named(['__proto__', 'constructor', 'x'.repeat(201)]), {})
    expect(Object.keys(format.columns ?? {})).toEqual(['__proto__', 'constructor'])
    const many = acceptedFormat(named(Array.from({ length: 501 }, (_, index) => `column ${index}`)), {})
    expect(SourceFormat.safeParse(many).success).toBe(true)
  })
})

describe('a correction', () => {
  const corrected = correctColumn({ nulls: ['-'] }, 'people', { type: 'number', decimal: '.', thousands: ',' })

  it('of a column replaces an earlier one of the same column and keeps the others', () => {
    const both = correctColumn(corrected, 'time', { type: 'timestamp', timestampFormat: 'DD/MM/YYYY' })
    expect(correctColumn(both, 'time', { type: 'string' })).toEqual({
      nulls: ['-'],
      columns: { people: { type: 'number', decimal: '.', thousands: ',' }, time: { type: 'string' } },
      timestamp_formats: {},
    })
  })

  it('of the delimiter drops those of columns, which may be others then', () => {
    expect(correctTable(corrected, { delimiter: ';' })).toEqual({ nulls: ['-'], delimiter: ';' })
  })

  it('of the sheet drops all others', () => {
    expect(correctFile({ type: 'xlsx', sheet: 'Counts' })).toEqual({ type: 'xlsx', sheet: 'Counts' })
  })

  it('that answers a question is added to the others', () => {
    expect(mergeFormats(corrected, { timestamp_formats: { time: 'MM/DD/YYYY' } })).toEqual({
      ...corrected,
      timestamp_formats: { time: 'MM/DD/YYYY' },
    })
  })
})
