import { describe, expect, it } from '@jest/globals'
import { observeRow } from '../../src/schema/schema-observer.ts'
import { toSchemaFields } from '../../src/schema/source-schema.ts'
import { convertToType, kindOf, typeOf } from '../../src/schema/value-kinds.ts'
import { mergeFields, type ObservedFields, type StoredFields } from '../../src/store/sources/observed-fields.ts'

const typeOfAll = (...values: unknown[]) => typeOf(values.reduce<number>((kinds, value) => kinds | kindOf(value), 0))

describe('the inferred type of a field', () => {
  it.each([
    ['number', ['1', '-2.5', '1e3', '0', '']],
    ['number', [1, 2.5, null]],
    ['number', [1, '2']],
    ['string', ['1', '1,5']],
    ['string', ['007']],
    ['string', ['12345678901234567890']],
    ['string', ['true', '1']],
    ['boolean', ['true', 'FALSE', '']],
    ['boolean', [true, false]],
    ['timestamp', ['2026-01-05', '2026-01-05T09:30:00Z', '2026-01-05 09:30', '2026-01-05T09:30:00.123+02:00']],
    ['string', ['2026-13-45']],
    ['string', ['2026-01-05', 'soon']],
    ['mixed', [1, 'a']],
    ['mixed', [true, 1]],
    ['mixed', [{ a: 1 }]],
    ['mixed', [[1]]],
    ['null', [null, '', undefined]],
  ])('is %s for %j', (type, values) => {
    expect(typeOfAll(...values)).toBe(type)
  })
})

describe('convertToType', () => {
  it('converts text to the type of its field', () => {
    expect(convertToType('12.5', 'number')).toBe(12.5)
    expect(convertToType('TRUE', 'boolean')).toBe(true)
    expect(convertToType('false', 'boolean')).toBe(false)
    expect(convertToType('007', 'string')).toBe('007')
    expect(convertToType('2026-01-05', 'timestamp')).toBe('2026-01-05')
    expect(convertToType('', 'string')).toBeNull()
    expect(convertToType(undefined, undefined)).toBeNull()
    expect(convertToType(3, 'number')).toBe(3)
  })
})

describe('the fields of a source', () => {
  it('accumulate over batches in the order of first appearance', () => {
    const first: ObservedFields = new Map()
    observeRow(first, { a: '1', b: 'x' })
    const second: ObservedFields = new Map()
    observeRow(second, { c: null, a: 'y' })
    const stored = mergeFields(mergeFields([], first), second)
    expect(toSchemaFields(stored, {})).toEqual([
      { name: 'a', type: 'string' },
      { name: 'b', type: 'string' },
      { name: 'c', type: 'null' },
    ])
  })

  it('are the same array when a batch adds nothing', () => {
    const seen: ObservedFields = new Map()
    observeRow(seen, { a: '1' })
    const stored: StoredFields = mergeFields([], seen)
    expect(mergeFields(stored, seen)).toBe(stored)
  })

  it('are limited to 500', () => {
    const seen: ObservedFields = new Map()
    observeRow(seen, Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`f${index}`, 1])))
    expect(mergeFields([], seen)).toHaveLength(500)
  })
})
