import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { chunkHash, splitIntoChunks } from '../../src/embeddings/chunks.ts'

const sentence = (words: number, first = 'Word') => `${first}${' word'.repeat(words - 1)}.`
const countWords = (text: string) => text.split(/\s+/).filter((word) => word !== '').length
const spanOf = (text: string, { start, length }: { start: number; length: number }) =>
  [...text].slice(start, start + length).join('')

describe('splitIntoChunks', () => {
  it('returns title and text of a short record as one chunk', () => {
    expect(splitIntoChunks('Doors', ' They close. At eight. ')).toEqual([
      { input: 'Doors\n\nThey close. At eight.', start: 1, length: 21 },
    ])
    expect(splitIntoChunks(null, 'They close.')).toEqual([{ input: 'They close.', start: 0, length: 11 }])
  })

  it('returns the title when there is no text, and nothing without both', () => {
    expect(splitIntoChunks('Doors', null)).toEqual([{ input: 'Doors', start: 0, length: 0 }])
    expect(splitIntoChunks('Doors', ' \n ')).toEqual([{ input: 'Doors', start: 0, length: 0 }])
    expect(splitIntoChunks(null, null)).toEqual([])
    expect(splitIntoChunks(' ', '')).toEqual([])
  })

  it('splits a long text after whole sentences and repeats the last one', () => {
    const text = Array.from({ length: 20 }, (_, nth) => sentence(30, `Nr${nth}`)).join(' ')
    const chunks = splitIntoChunks('Title', text)
    expect(chunks.map((chunk) => spanOf(text, chunk).match(/Nr\d+/g))).toEqual([
      ['Nr0', 'Nr1', 'Nr2', 'Nr3', 'Nr4', 'Nr5', 'Nr6', 'Nr7'],
      ['Nr7', 'Nr8', 'Nr9', 'Nr10', 'Nr11', 'Nr12', 'Nr13', 'Nr14'],
      ['Nr14', 'Nr15', 'Nr16', 'Nr17', 'Nr18', 'Nr19'],
    ])
    for (const chunk of chunks) expect(chunk.input).toBe(`Title\n\n${spanOf(text, chunk)}`)
  })

  it.each([
    ['words without sentences', 'word '.repeat(3_000)],
    ['single letters', 'a '.repeat(3_000)],
    ['characters without spaces', '字'.repeat(9_000)],
    ['surrogate pairs', '😀'.repeat(5_000)],
  ])('limits the size of chunks of %s', (_what, text) => {
    const chunks = splitIntoChunks(null, text)
    expect(chunks.length).toBeGreaterThan(3)
    expect(chunks.length).toBeLessThanOrEqual(64)
    for (const { input } of chunks) {
      expect(countWords(input)).toBeLessThanOrEqual(250)
      expect(input.length).toBeLessThanOrEqual(3_000)
      expect(input.isWellFormed()).toBe(true)
    }
  })

  it('returns at most 64 chunks', () => {
    expect(splitIntoChunks(null, 'One sentence of five words. '.repeat(20_000))).toHaveLength(64)
  })

  it('covers every character and reports code point positions for any text', () => {
    const words = fc.array(fc.constantFrom('a', 'Mr.', 'end.', 'why?', '\n\n', '😀', '字字。', 'x'.repeat(900)), {
      maxLength: 900,
    })
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join(' ')
        const characters = [...text]
        const isCovered = new Uint8Array(characters.length)
        let previousStart = -1
        for (const chunk of splitIntoChunks(null, text)) {
          if (chunk.length === 0) return
          expect(chunk.input).toBe(spanOf(text, chunk))
          expect(chunk.start).toBeGreaterThan(previousStart)
          previousStart = chunk.start
          isCovered.fill(1, chunk.start, chunk.start + chunk.length)
        }
        for (const [at, character] of characters.entries())
          if (/\S/.test(character)) expect([at, isCovered[at]]).toEqual([at, 1])
      }),
      { numRuns: 60 },
    )
  })
})

describe('chunkHash', () => {
  it('depends on text and space, not on the position', () => {
    const [close] = splitIntoChunks('Doors', 'They close.')
    const [open] = splitIntoChunks('Doors', 'They open.')
    if (close === undefined || open === undefined) throw new Error('a text has a chunk')
    const hashes = [chunkHash('s', close), chunkHash('s', open), chunkHash('t', close)]
    expect(new Set(hashes.map((hash) => hash.toString('hex'))).size).toBe(3)
    expect(chunkHash('s', { ...close, start: 7 })).toEqual(hashes[0])
  })
})
