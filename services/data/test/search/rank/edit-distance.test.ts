import { describe, expect, it } from '@jest/globals'
import { editDistance } from '../../../src/search/rank/spelling-correction.ts'

describe('editDistance', () => {
  it.each([
    ['occup', 'occup', 0],
    ['ocup', 'occup', 1],
    ['chiar', 'chair', 1],
    ['desk', 'dusk', 1],
    ['meting', 'meetings', 2],
    ['', 'abc', 3],
    ['über', 'uber', 1],
  ])('of `%s` and `%s` is %d in both directions', (first, second, edits) => {
    expect([editDistance(first, second), editDistance(second, first)]).toEqual([edits, edits])
  })
})
