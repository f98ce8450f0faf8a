import { describe, expect, it } from '@jest/globals'
import { parseJsonBody } from '../../src/http/request/body.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))

describe('a JSON body', () => {
  it.each([
    ['of an object', '{"provider":"upload","provider":"http"}', 'provider'],
    ['of an object in an array', '[{"a":1},{"a":1,"b":[{}],"a":1}]', 'a'],
    ['with an escape', '{"a":1,"\\u0061":2}', 'a'],
    ['with quotes and braces', '{"\\"{":1,"b":"}","\\"{":2}', '"{'],
    ['after a nested object', '{"a":{"b":1},"a":2}', 'a'],
    ['with the same value', '{"":1,"":1}', ''],
    ['of 200,000 characters', `{"${'\\\\'.repeat(100_000)}":1,"${'\\\\'.repeat(100_000)}":1}`, '\\'.repeat(100)],
  ])('is refused when a name %s occurs twice', (_where, text, name) => {
    expect(() => parse(text)).toThrow(`The body has ${JSON.stringify(name)} more than once in one object`)
  })

  it.each([
    '{"a":{"a":1},"b":[{"a":1},{"a":1}]}',
    '["a","a"]',
    '{"a":"b:c","b":"a"}',
    '{"constructor":1,"toString":2}',
  ])('is parsed when no object has a name twice: %s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text))
  })
})
