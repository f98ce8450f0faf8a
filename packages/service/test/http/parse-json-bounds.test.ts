import { describe, expect, it } from '@jest/globals'
import { checkJsonBounds } from '../../src/http/request/parse-json.ts'

const check = (text: string) => checkJsonBounds(Buffer.from(text))
const keys = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":0`).join()
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

describe('checkJsonBounds', () => {
  it.each([
    ['the deepest nesting', nested(100)],
    ['the most keys of one object', `{${keys(1_000)}}`],
    ['the most keys of one object, several times', JSON.stringify(new Array(50).fill(`{${keys(1_000)}}`))],
    ['many objects with few keys', `[${new Array(49_999).fill('{"ts":"2026-01-05","value":1}').join()}]`],
    ['many numbers', `[${new Array(500_000).fill('0').join()}]`],
    ['brackets, quotes and colons in text', JSON.stringify([`\\"${'{[:"\\'.repeat(60_000)}`])],
    ['text that is not JSON', `${']}'.repeat(1_000)}${nested(100)}`],
  ])('accepts %s', (_name, text) => {
    expect(() => check(text)).not.toThrow()
  })

  it.each([
    ['too deep nesting', nested(101), 'must not nest deeper than 100 levels'],
    ['too many keys of one object', `{${keys(1_001)}}`, 'must have at most 1000 members in one object'],
    ['keys on both sides of a nested object', `{${keys(600)},"a":{"b":0},${keys(600)}}`, 'members in one object'],
    ['too many keys in all objects', `[${new Array(101).fill(`{${keys(1_000)}}`).join()}]`, '100000 members in all'],
    ['too many objects', `[${new Array(50_000).fill('{}').join()}]`, 'must have at most 50000 objects and arrays'],
    ['too many arrays after escaped quotes', `["\\"",${new Array(50_000).fill('[]').join()}]`, 'objects and arrays'],
  ])('rejects %s', (_name, text, detail) => {
    expect(() => check(text)).toThrow(detail)
  })
})
