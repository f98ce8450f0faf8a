import { describe, expect, it } from '@jest/globals'
import { fitText, wrapText } from '../src/fit-text.ts'
import { visualOrder } from '../src/print-line.ts'
import { printableLine, printableLines } from '../src/printable-text.ts'

describe('a printable line', () => {
  it.each([
    ['keeps ordinary names', 'Müller & Söhne GmbH', 'Müller & Söhne GmbH'],
    ['is one line', 'a\r\nb\tc\0d', 'a b c d'],
    ['has no characters that reorder or hide text', 'a\u202eb\u200bc\u2066d\ufeff', 'abcd'],
    ['has few marks on a character', `a${'\u0300'.repeat(50)}b`, 'à\u0300\u0300\u0300\u0300b'],
    ['is cut with an ellipsis', 'x'.repeat(50), `${'x'.repeat(19)}…`],
  ])('%s', (_, text, expected) => {
    expect(printableLine(text, 20)).toBe(expected)
  })

  it('is one of a bounded number', () => {
    expect(printableLines('a\nb\r\n\n\nc\nd', 3, 20)).toEqual(['a', 'b', 'c'])
  })
})

describe('the order of printing', () => {
  it.each([
    ['keeps a text from left to right', 'Müller & Söhne', undefined, 'Müller & Söhne'],
    ['reverses the words of a text from right to left', 'בית ספר 12 חיפה', undefined, 'חיפה 12 ספר בית'],
    ['keeps the order of other words in it', 'בית ספר Big School', undefined, 'Big School ספר בית'],
    [
      'reverses a name from right to left in another text',
      'In בית ספר 12 חיפה 3 teams',
      undefined,
      'In חיפה 12 ספר בית 3 teams',
    ],
    ['is left to right where the caller says so', 'בית ספר can close', 'ltr', 'ספר בית can close'],
  ] as const)('%s', (_, text, direction, expected) => {
    expect(visualOrder(text, direction)).toBe(expected)
  })
})

/** Each UTF-16 unit is one point wide. */
const measure = (text: string) => text.length

describe('a text in a column', () => {
  it('is cut with an ellipsis if it is too wide', () => {
    expect(fitText(measure, 'Fifth floor', 11)).toBe('Fifth floor')
    expect(fitText(measure, 'Fifth floor', 8)).toBe('Fifth f…')
    expect(fitText(measure, 'Fifth floor', 7)).toBe('Fifth…')
  })

  it.each([
    ['breaks between words', 'one two three', 7, ['one two', 'three']],
    ['breaks within a word that is too long', 'abcdefgh ij', 3, ['abc', 'def', 'gh', 'ij']],
    [
      'ends with an ellipsis if there is more',
      'one two three four five six',
      5,
      ['one', 'two', 'three', 'four', 'five…'],
    ],
    ['has one character a line at least', '会議', 0.5, ['会', '議']],
    ['has no line without text', '', 5, []],
  ])('%s', (_, text, width, expected) => {
    const lines = wrapText(measure, text, width, 5)
    expect(lines.map((line) => (width < 1 ? line[0] : line))).toEqual(expected)
  })

  it('never breaks within a character', () => {
    expect(wrapText(measure, '👩👩👩', 3, 5)).toEqual(['👩', '👩', '👩'])
  })
})
