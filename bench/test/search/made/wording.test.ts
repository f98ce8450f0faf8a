import { describe, expect, it } from '@jest/globals'
import { createAuthor, fill, misspell, withoutAccents } from '../../../src/search/made/wording.ts'
import { createRandom } from '../../../src/search/synthetic-corpus.ts'

describe('createAuthor', () => {
  it('mostly repeats the first expression of a concept', () => {
    const concept = ['heart attack', 'myocardial infarction', 'infarct']
    const author = createAuthor(createRandom(3))
    const chosen = author(concept)
    const expressions = Array.from({ length: 200 }, () => author(concept))
    expect(expressions.filter((expression) => expression === chosen).length).toBeGreaterThan(140)
    expect(new Set(expressions).size).toBe(3)
  })
})

describe('fill', () => {
  it('replaces every name and rejects an unknown one', () => {
    expect(fill('{a} and {b}, {a}', { a: 'x', b: 'y' })).toBe('x and y, x')
    expect(() => fill('{c}', { a: 'x' })).toThrow('no value for c')
  })
})

describe('misspell', () => {
  it('changes one long word by one edit and keeps its first two letters', () => {
    for (let seed = 0; seed < 50; seed++) {
      const [short, long = ''] = misspell(createRandom(seed), 'door reservation').split(' ')
      expect(short).toBe('door')
      expect(long).not.toBe('reservation')
      expect(long.startsWith('re')).toBe(true)
      expect(Math.abs(long.length - 'reservation'.length)).toBeLessThanOrEqual(1)
    }
  })

  it('keeps a text without long words', () => {
    expect(misspell(createRandom(1), 'il 2 A4.12')).toBe('il 2 A4.12')
  })
})

describe('withoutAccents', () => {
  it('removes accents and replaces letters that have no accent to remove', () => {
    expect(withoutAccents('Sørensen, Łukasz, Groß, Núñez')).toBe('Sorensen, Lukasz, Gross, Nunez')
  })
})
