import { describe, expect, it } from '@jest/globals'
import { searchableText } from '../../../src/search/index/searchable-text.ts'

describe('searchableText', () => {
  it('joins strings and integers at any depth, without excluded fields', () => {
    const row = { t: 'Title', a: 'one', at: '2026-01-05', on: 'false', n: '4711', f: '3.5', deep: { list: ['two', 3] } }
    expect(searchableText(row, ['t'])).toBe('one\ntwo\n3\n4711')
  })

  it('depends neither on the order of members nor on whether integers are text', () => {
    const one = searchableText({ b: 'two', a: { y: 7, x: 'one' }, 10: 'ten', 9: 'nine' }, [])
    const other = searchableText({ 9: 'nine', a: { x: 'one', y: '7' }, 10: 'ten', b: 'two' }, [])
    expect([one, other]).toEqual(Array(2).fill('ten\nnine\none\n7\ntwo'))
  })

  it('is null when no value is searchable', () => {
    expect(searchableText({ n: 3.5, at: '2026-01-05' }, [])).toBeNull()
  })

  it('is cut off at 32,768 code units without splitting a surrogate pair', () => {
    const text = searchableText({ a: 'x'.repeat(32_767), b: '🙂🙂', c: 'never' }, [])
    expect([text?.length, text?.isWellFormed()]).toEqual([32_767, true])
    expect(searchableText({ a: 'x'.repeat(32_765), b: '🙂🙂' }, [])).toHaveLength(32_768)
  })
})
