import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createGlobMatcher } from '../../../src/providers/s3/glob.ts'

/** By the book, for what is small enough not to take for ever. */
const asExpression = (pattern: string) =>
  new RegExp(
    `^${pattern.replaceAll(/\*+|[^*]/gsu, (token) => (token === '*' ? '[^/]*' : token.startsWith('*') ? '.*' : token === '?' ? '[^/]' : token.replace(/[\\^$.|+()[\]{}]/, '\\$&')))}$`,
    'su',
  )

describe('globMatcher', () => {
  it('fits what an expression would', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '*', '?', '\n', '😀'), maxLength: 8 })
    fc.assert(
      fc.property(text, text, (pattern, key) => {
        expect(createGlobMatcher(pattern)(key)).toBe(asExpression(pattern).test(key))
      }),
      { numRuns: 2_000 },
    )
  })

  it('takes no longer for a pattern that could fit in very many ways', () => {
    const matches = createGlobMatcher(`${'*a'.repeat(200)}*b`)
    expect(matches('a'.repeat(1024))).toBe(false)
    expect(matches(`${'a'.repeat(1023)}b`)).toBe(true)
  })
})
