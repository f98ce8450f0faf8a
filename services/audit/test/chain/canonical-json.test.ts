import { describe, expect, it } from '@jest/globals'
import { canonicalJson } from '@wp/runtime'
import fc from 'fast-check'

describe('canonical JSON', () => {
  it('matches the example of RFC 8785 (sections 3.2.2 and 3.2.3)', () => {
    const example = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    }
    expect(canonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  it('sorts names by their UTF-16 code units (section 3.2.3)', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6']
    const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])))
    expect(Object.keys(JSON.parse(text)).filter((name) => name !== '1')).toEqual([
      ...['\r', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'],
    ])
    expect(text.startsWith('{"\\r":0,"1":0,')).toBe(true)
  })

  it('does not depend on the order of members and parses back to the same value', () => {
    const shuffled = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(shuffled)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([name, member]) => [name, shuffled(member)]),
            )
          : value
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        fc.pre(JSON.stringify(value).isWellFormed() && !JSON.stringify(value).includes('\\ud'))
        const text = canonicalJson(value)
        expect(canonicalJson(shuffled(value))).toBe(text)
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(JSON.parse(canonicalJson(JSON.parse(text)))))
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })

  it('omits undefined members and rejects values that JSON cannot represent', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}')
    expect(canonicalJson(-0)).toBe('0')
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, '\ud800', { '\udc00': 1 }])
      expect(() => canonicalJson(value)).toThrow('cannot be represented as JSON')
  })
})
