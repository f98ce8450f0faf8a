import { describe, expect, it } from '@jest/globals'
import { parseQuery } from '../../../../src/search/query/input/parse-query.ts'

describe('parseQuery', () => {
  it.each([
    ['meeting room', { words: 'meeting room', phrases: [], prefix: 'room' }],
    ['meeting room ', { phrases: [], prefix: null }],
    ['meeting room.', { phrases: [], prefix: null }],
    ['a b', { prefix: null }],
    ['version 2.10', { prefix: null }],
    ['say "meeting room" now', { words: 'say  meeting room  now', phrases: ['meeting room'], prefix: 'now' }],
    ['“meeting room”', { phrases: ['meeting room'], prefix: null }],
    ['never "closed here', { phrases: ['closed here'], prefix: null }],
    ['"" x', { phrases: [], prefix: null }],
    ['Büros', { prefix: 'Büros' }],
  ])('returns words, phrases and prefix of `%s`', (text, expected) => {
    expect(parseQuery(text)).toMatchObject(expected)
  })
})
