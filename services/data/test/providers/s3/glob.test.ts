import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createGlobMatcher } from '../../../src/providers/s3/glob.ts'

/** The reference implementation, which is fast enough only for small patterns. */
const asExpression = (pattern: string) =>
  new RegExp(
    `^${pattern.replaceAll(/\*+|[^*]/gsu, (token) => (token === '*' ? '[^/]*' : token.startsWith('*') ? '.*' : token === '?' ? '[^/]' : token.replace(/[\\^$.|+()[\]{}]/, '\\$&')))}$`,
    'su',
  )

describe('the glob matcher', () => {
  it('matches the same keys as a regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '*', '?', '\n', '😀'), maxLength: 8 })
    fc.assert(
      fc.property(text, text, (pattern, key) => {
        expect(createGlobMatcher(pattern)(key)).toBe(asExpression(pattern).test(key))
      }),
      { numRuns: 300 },
    )
  })

  it('stays polynomial for a pattern that can match in many ways', () => {
    const matches = createGlobMatcher(`${'*a'.repeat(200)}*b`)
    expect(matches('a'.repeat(1024))).toBe(false)
    expect(matches(`${'a'.repeat(1023)}b`)).toBe(true)
  })
})
