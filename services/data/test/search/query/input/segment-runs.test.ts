import { expect, it } from '@jest/globals'
import { segmentRuns } from '../../../../src/search/query/input/segment-runs.ts'

it.each([
  ['株式会社', ['株式会社']],
  ['経営者', ['経営者']],
  ['ผู้จัดการ', ['ผู้จัดการ']],
  ['会社 案内 plain', ['会社', '案内']],
  ['日東電工の経営者', ['日東', '電工', '経営者', '日東電工の経営者']],
  ['の', ['の']],
  ['の 会社', ['会社']],
  ['ｶﾌﾞｼｷ', ['カブシキ']],
  ['plain text', []],
])('the words of %s are %j', (query, words) => {
  expect(segmentRuns([query])).toEqual(words)
})

it('a run of the maximum length of a query has words within a few milliseconds, but is none itself', () => {
  const words = segmentRuns(['会社案内東京都'.repeat(285)])
  expect(words.length).toBeLessThan(20)
  expect(words.every((word) => word.length < 10)).toBe(true)
})
