import { describe, expect, it } from '@jest/globals'
import { chooseColumns, readTable, writeTable } from '../src/demo/csv.ts'
import { DemoError } from '../src/demo/demo-error.ts'

const text =
  'timestamp,building,door,arrivals\n2026-01-01T00:00,"North, old",A,3\n2026-01-01T01:00,"say ""hi""",B,4.5\n'

describe('a CSV', () => {
  it('survives reading and writing', () => {
    expect(writeTable(readTable(text))).toBe(text)
    expect(readTable(`\uFEFF${text}`).columns[0]).toBe('timestamp')
  })

  it('is refused in one line when it is none', () => {
    expect(() => readTable('a,b\n1\n')).toThrow(DemoError)
    expect(() => readTable('timestamp,arrivals\n')).toThrow('no rows')
  })
})

describe('the columns', () => {
  it('are timestamp, the first of numbers, and building where there is one', () => {
    expect(chooseColumns(readTable(text))).toEqual({ timestamp: 'timestamp', value: 'arrivals', group: 'building' })
    expect(chooseColumns(readTable('timestamp,n\n2026-01-01,1\n'))).toEqual({ timestamp: 'timestamp', value: 'n' })
  })

  it('are those asked for', () => {
    const table = readTable('at,place,n,m\n2026-01-01,x,1,2\n')
    const asked = { timestamp: 'at', value: 'm', group: 'place' }
    expect(chooseColumns(table, asked)).toEqual(asked)
  })

  it('are named when one is not there', () => {
    expect(() => chooseColumns(readTable(text), { value: 'departures' })).toThrow(
      'there is no column departures; there are timestamp, building, door, arrivals',
    )
    expect(() => chooseColumns(readTable('timestamp,n\n2026-01-01,many\n'))).toThrow('no column holds numbers')
  })
})
