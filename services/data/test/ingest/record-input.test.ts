import { describe, expect, it } from '@jest/globals'
import { type FieldMapping, toRecordInput as toNumberedInput } from '../../src/ingest/record-input.ts'
import { createRowOrdinals } from '../../src/ingest/row-ordinals.ts'
import { maxRowBytes } from '../../src/parsers/row.ts'

const createOrdinals = () => createRowOrdinals(() => new Error('too many rows'))
const toRecordInput = (row: Record<string, unknown>, mapping: FieldMapping) =>
  toNumberedInput(row, mapping, { ordinals: createOrdinals() })

describe('the key of a record', () => {
  it('is the text of the key field', () => {
    expect(toRecordInput({ id: 'a1', n: 2 }, { key: 'id' })).toMatchObject({ key: 'a1' })
    expect(toRecordInput({ id: 12 }, { key: 'id' })).toMatchObject({ key: '12' })
    expect(toRecordInput({ id: false }, { key: 'id' })).toMatchObject({ key: 'false' })
  })

  it('has none of the spaces around it, which stay in its field', () => {
    const record = toRecordInput({ id: ' a1\u00a0 ' }, { key: 'id' })
    expect(record).toMatchObject({ key: 'a1', json: JSON.stringify({ id: ' a1\u00a0 ' }) })
  })

  it.each([
    ['absent', {}],
    ['null', { id: null }],
    ['empty', { id: '' }],
    ['a space', { id: ' ' }],
    ['an array', { id: ['a'] }],
  ])('is rejected when the key field is %s', (_, row) => {
    expect(toRecordInput(row, { key: 'id' })).toEqual({ reason: 'has no value for the key field "id"' })
  })

  it('is not taken from inherited properties', () => {
    expect(toRecordInput({ a: 1 }, { key: 'constructor' })).toEqual({
      reason: 'has no value for the key field "constructor"',
    })
  })

  it('is rejected beyond 500 characters', () => {
    expect(toRecordInput({ id: 'x'.repeat(501) }, { key: 'id' })).toEqual({
      reason: 'has a key longer than 500 characters',
    })
  })

  it('is a hash of the content, independent of member order and types, when no key field is configured', () => {
    const one = toRecordInput({ a: 1, b: { c: [1, { d: 2, e: null }] }, f: null, g: '' }, {})
    const other = toRecordInput({ b: { c: [1, { e: null, d: 2 }] }, a: '1' }, {})
    // printf '%s' '{"a":"1","b":{"c":[1,{"d":2,"e":null}]}}' | sha256sum
    const hash = '9db5d0ab89551f5eece07afe18ca85aac0c85034b7efbdb53ba7f2e128f452c6'
    expect(one).toMatchObject({ key: hash })
    expect(other).toMatchObject({ key: hash })
    expect(toRecordInput({ a: 2 }, {})).not.toMatchObject({ key: hash })
  })

  it('numbers equal rows, those of each part separately, when no key field is configured', () => {
    const ordinals = createOrdinals()
    const keysOf = (part?: string) =>
      [{ a: 1 }, { a: 2 }, { a: '1' }, { a: 1 }].map((row) => toNumberedInput(row, {}, { ordinals, part }).key)
    const [first, second, third, fourth] = keysOf()
    expect([third, fourth]).toEqual([`${first}-2`, `${first}-3`])
    expect(second).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set([...keysOf(), ...keysOf('a'), ...keysOf('b')]).size).toBe(12)
  })
})

describe('title, address and text of a record', () => {
  it('come from the configured fields', () => {
    const row = { t: 'T', u: 'https://example.com/1', b: 'words', title: 'not this', url: 'https://example.com/2' }
    const roles = { title_field: 't', url_field: 'u', text_field: 'b' }
    expect(toRecordInput(row, roles)).toMatchObject({ title: 'T', url: 'https://example.com/1', text: 'words' })
  })

  it('fall back to usual field names, except for the text', () => {
    expect(toRecordInput({ name: 'N', url: 'http://example.com' }, {})).toMatchObject({
      title: 'N',
      url: 'http://example.com',
      text: null,
    })
    expect(toRecordInput({ name: 'N', title: 7 }, {})).toMatchObject({ title: '7', url: null })
  })

  it('keep only http and https addresses', () => {
    expect(toRecordInput({ url: 'javascript:alert(1)' }, {})).toMatchObject({ url: null })
    expect(toRecordInput({ url: '/relative' }, {})).toMatchObject({ url: null })
  })
})

describe('a row that cannot be stored', () => {
  const nest = (levels: number): unknown => (levels === 0 ? 1 : [nest(levels - 1)])

  it.each([
    ['NUL', { a: { b: 'x\0y' } }, 'has a NUL character'],
    ['NUL in a name', { 'a\0': 1 }, 'has a NUL character'],
    ['half a surrogate pair', { a: '\ud83d' }, 'has half of a surrogate pair'],
    ['bytes out of charset', { a: 'x\ufffd' }, 'has bytes that are not valid in its charset, or the character U+FFFD'],
    ['too deep', { a: nest(100) }, 'is nested deeper than 100 levels'],
    ['too large', { a: 'x'.repeat(maxRowBytes) }, 'is larger than 256 KiB'],
    ['too large in bytes', { a: 'ü'.repeat(maxRowBytes / 2) }, 'is larger than 256 KiB'],
  ])('is rejected: %s', (_, row, reason) => {
    expect(toRecordInput(row, {})).toEqual({ reason })
  })

  it('does not include escaped text that looks alike, nor rows just within the limits', () => {
    expect(toRecordInput({ a: '\\u0000 \\ud800' }, {})).toHaveProperty('key')
    expect(toRecordInput({ a: nest(99) }, {})).toHaveProperty('key')
    expect(toRecordInput({ a: 'x'.repeat(maxRowBytes - 8) }, {})).toHaveProperty('key')
  })
})
