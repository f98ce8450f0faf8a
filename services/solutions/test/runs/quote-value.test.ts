import { expect, it } from '@jest/globals'
import { quoteValue } from '../../src/runs/quote-value.ts'

it.each([
  ['12:00\u202fAM', "'12:00␣AM' (U+202F)"],
  ['1\u00a0386\u200b', "'1␣386␣' (U+00A0, U+200B)"],
  ['two words', "'two words'"],
  ['a\tb', "'a␣b' (U+0009)"],
  ['x'.repeat(50), `'${'x'.repeat(40)}…'`],
  ['\ud83d', "'\ufffd'"],
  [{ a: 1 }, '\'{"a":1}\''],
  [undefined, "''"],
])('a quoted value shows invisible characters when it is %p', (value, expected) => {
  expect(quoteValue(value)).toBe(expected)
})
