import { describe, expect, it } from '@jest/globals'
import { mergePatch } from '../src/index.ts'

describe('mergePatch', () => {
  // RFC 7396 appendix A, as far as target and patch are objects
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('applies the example of RFC 7396: %j patched with %j', (target, patch, result) => {
    expect(mergePatch<unknown>(target, patch)).toEqual(result)
  })

  it('does not change the prototype when the patch names __proto__', () => {
    const merged = mergePatch<unknown>({}, JSON.parse('{"__proto__":{"isAdmin":true}}'))
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
    expect(Object.keys(merged)).toEqual(['__proto__'])
  })

  it('leaves its arguments unchanged', () => {
    const target = { a: { b: 1 } }
    mergePatch<unknown>(target, { a: { b: 2 } })
    expect(target).toEqual({ a: { b: 1 } })
  })
})
