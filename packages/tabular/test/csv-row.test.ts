import { describe, expect, it } from '@jest/globals'
import { csvRow, neutralizeFormulas, restoreFormulas } from '../src/csv-row.ts'

describe('a text in an export', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 123', "'+49 30 123"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['﹦1', "'﹦1"],
    ['⁼1', "'⁼1"],
    ['−1', "'−1"],
    [' \t=1', "' \t'=1"],
    ['\t=1', "'\t'=1"],
    ['\ufeff=1', "'\ufeff=1"],
    ['\u200b=1', "'\u200b=1"],
    ['"=1"', `'"=1"`],
    ['x;=1+1;y', "x;'=1+1;y"],
    ['x; "=1"', `x;' "=1"`],
    ['x;＝1+1', "x;'＝1+1"],
    ['x\t=1', "x\t'=1"],
    ['x|=1', "x|'=1"],
    ['x\n=1', "x\n'=1"],
    ['x;y;@z', "x;y;'@z"],
    ["'=1", "''=1"],
  ])('%j is no formula, whatever separates the cells', (text, neutral) => {
    expect(neutralizeFormulas(text)).toBe(neutral)
    expect(restoreFormulas(neutral)).toBe(text)
  })

  it.each(['', 'a-b', 'a=b', "'1", 'x; y', 'mail@example.com', '{"a":-1,"b":[-1,-2]}', 'a, -5', '2026-01-01'])(
    '%j stays as it is when no part of it begins a formula',
    (text) => expect([neutralizeFormulas(text), restoreFormulas(text)]).toEqual([text, text]),
  )

  it('is neutralised in linear time', () => {
    const text = `${' "'.repeat(500_000)}x`
    expect(neutralizeFormulas(text)).toBe(text)
  })
})

describe('a row of an export', () => {
  it('quotes what a reader with any separator would divide, and leaves numbers as they are', () => {
    expect(csvRow([-5, '-5', null, undefined, 'a;b', 'a,b', 'say "hi"'])).toBe(`-5,'-5,,,"a;b","a,b","say ""hi"""\r\n`)
  })
})
