import { describe, expect, it } from '@jest/globals'
import { chooseColumns, readTable, writeTable } from '../../src/demo/csv.ts'
import { DemoError } from '../../src/demo-error.ts'

const text =
  'timestamp,building,door,arrivals\n2026-01-01T00:00,"North, old",A,3\n2026-01-01T01:00,"say ""hi""",B,4.5\n'

describe('readTable', () => {
  it('parses what writeTable formats', () => {
    expect(writeTable(readTable(text))).toBe(text)
    expect(readTable(`\uFEFF${text}`).columns[0]).toBe('timestamp')
  })

  it('rejects a malformed CSV and one without rows', () => {
    expect(() => readTable('a,b\n1\n')).toThrow(DemoError)
    expect(() => readTable('timestamp,arrivals\n')).toThrow('no rows')
  })
})

describe('chooseColumns', () => {
  it('selects timestamp, the first numeric column, and building if it exists', () => {
    expect(chooseColumns(readTable(text))).toEqual({ timestamp: 'timestamp', value: 'arrivals', group: 'building' })
    expect(chooseColumns(readTable('timestamp,n\n2026-01-01,1\n'))).toEqual({ timestamp: 'timestamp', value: 'n' })
  })

  it('selects the requested columns', () => {
    const table = readTable('at,place,n,m\n2026-01-01,x,1,2\n')
    const requested = { timestamp: 'at', value: 'm', group: 'place' }
    expect(chooseColumns(table, requested)).toEqual(requested)
  })

  it('names the existing columns when one is missing', () => {
    expect(() => chooseColumns(readTable(text), { value: 'departures' })).toThrow(
      'there is no column departures; the columns are timestamp, building, door, arrivals',
    )
    expect(() => chooseColumns(readTable('timestamp,n\n2026-01-01,many\n'))).toThrow('no column contains only numbers')
  })
})
