import { describe, expect, it } from '@jest/globals'
import { MarkerFilter } from '../../src/runs/engine/step-text.ts'

/** Filters a text in parts of one length; two sources are known. */
function filter(text: string, partLength: number): { text: string; cited: number[] } {
  const markers = new MarkerFilter((index) => index >= 1 && index <= 2)
  let written = ''
  for (let start = 0; start < text.length; start += partLength)
    written += markers.push(text.slice(start, start + partLength))
  written += markers.end()
  return { text: written, cited: markers.cited }
}

describe('MarkerFilter', () => {
  it.each([
    ['A fact [1].', 'A fact [1].', [1]],
    ['A fact [3].', 'A fact.', []],
    ['A fact[0], another [2][1].', 'A fact, another [2][1].', [1, 2]],
    ['Both [1, 2], some [2, 7], none [7, 8].', 'Both [1, 2], some [2], none.', [1, 2]],
    ['No marker: [x], [ ], [12345], list[ and [', 'No marker: [x], [ ], [12345], list[ and [', []],
    ['Ends [9]', 'Ends', []],
    ['Two  spaces [9]  more ', 'Two  spaces  more ', []],
  ])('filters %j', (text, expected, cited) => {
    for (const partLength of [1, 2, 3, 7, 100]) expect(filter(text, partLength)).toEqual({ text: expected, cited })
  })

  it('does not hold back a long text that only begins like a marker', () => {
    const markers = new MarkerFilter(() => false)
    expect(markers.push(`[${'1,'.repeat(100)}`)).not.toBe('')
  })
})
