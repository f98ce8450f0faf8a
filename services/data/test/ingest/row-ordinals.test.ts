import { hash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { createRowOrdinals } from '../../src/ingest/row-ordinals.ts'

const createOrdinals = () => createRowOrdinals(() => new Error('too many rows'))

describe('createRowOrdinals', () => {
  it('counts each of 50,000 different rows as often as it occurs', () => {
    const ordinals = createOrdinals()
    const hashes = Array.from({ length: 50_000 }, (_, nth) => hash('sha256', `row ${nth}`))
    for (const row of hashes) expect(ordinals.next(row)).toBe(1)
    for (const row of hashes.toReversed()) if (ordinals.next(row) !== 2) throw new Error(`${row} was not found`)
    expect(hashes.slice(0, 3).map((row) => ordinals.next(row))).toEqual([3, 3, 3])
  })

  it('tells hashes with equal halves apart', () => {
    const ordinals = createOrdinals()
    const rows = ['0000000000000000', '0000000000000001', '0000000100000000', '0000000100000001', '0000000000000400']
    expect(rows.map((row) => ordinals.next(row))).toEqual([1, 1, 1, 1, 1])
    expect(rows.map((row) => ordinals.next(row))).toEqual([2, 2, 2, 2, 2])
  })
})
