import { describe, expect, it } from '@jest/globals'
import { computeBoosts, createWordingFinder } from '../../../src/search/rank/proximity-boost.ts'
import { rankingPolicy } from '../../../src/search/rank/ranking-policy.ts'

describe('computeBoosts', () => {
  const word = (form: string, position: number, idf = 2) => ({ form, position, idf })
  const policy = { ...rankingPolicy, formWeight: 0.25, pairWeight: 0.2 }
  const boostsOf = (
    words: Parameters<typeof createWordingFinder>[0],
    ...documents: [string | null, string | null][]
  ) => {
    const find = createWordingFinder(words, policy)
    return computeBoosts(
      documents.map(([title, text]) => ({ found: find(title, text), relativeLength: 1 })),
      policy,
    )
  }
  const boostOf = (words: Parameters<typeof createWordingFinder>[0], title: string | null, text: string | null) =>
    boostsOf(words, [title, text])[0] ?? Number.NaN
  // Saturation in a document of mean length.
  const saturated = (occurrences: number) => (occurrences * 2.2) / (occurrences + 1.2)

  it('counts exact word forms, in the title twice', () => {
    const words = [word('universities', 0)]
    expect(boostOf(words, null, 'Universities of the universe')).toBeCloseTo(0.25 * 2 * saturated(1), 12)
    expect(boostOf(words, 'UNIVERSITIES', 'two universities')).toBeCloseTo(0.25 * 2 * saturated(3), 12)
    expect(boostOf(words, 'University', null)).toBe(0)
    expect(boostOf([word('cafe', 0)], 'Café', null)).toBeCloseTo(0.25 * 2 * saturated(2), 12)
  })

  it('counts pairs of words in query order, at most three words apart', () => {
    const words = [word('heart', 0, 1), word('attack', 1, 3)]
    const pairBoost = (text: string) => boostOf(words, null, text) - 0.25 * (1 + 3) * saturated(1)
    expect(pairBoost('heart attack')).toBeCloseTo(0.2 * 2 * saturated(1), 12)
    expect(pairBoost('heart - an attack')).toBeCloseTo(0.2 * 2 * saturated(1), 12)
    expect(pairBoost('attack of the heart')).toBeCloseTo(0, 12)
    expect(pairBoost('heart one two attack')).toBeCloseTo(0.2 * 2 * saturated(1), 12)
    expect(pairBoost('heart one two three attack')).toBeCloseTo(0, 12)
  })

  it('ignores pairs that are further apart in the query', () => {
    const words = [word('heart', 0), word('attack', 4)]
    expect(boostOf(words, null, 'heart attack')).toBeCloseTo(2 * 0.25 * 2 * saturated(1), 12)
  })

  it('counts a repeated pair once', () => {
    const once = [word('a1', 0), word('b1', 1)]
    const twice = [...once, word('a1', 2), word('b1', 3)]
    const forms = 2 * 0.25 * 2 * saturated(1)
    // The repetition adds the pair b1 a1, which the text does not contain.
    expect(boostOf(twice, null, 'a1 b1') - 2 * forms).toBeCloseTo(boostOf(once, null, 'a1 b1') - forms, 12)
  })

  it('does not pair a word with itself', () => {
    expect(boostOf([word('a1', 0), word('a1', 1)], null, 'a1 a1')).toBeCloseTo(2 * 0.25 * 2 * saturated(2), 12)
  })

  it('counts what many of the documents contain less', () => {
    const words = [word('blue', 0), word('car', 9)]
    const idf = (frequency: number) => Math.log(1 + (4 - frequency + 0.5) / (frequency + 0.5))
    const [first, second, third, fourth] = boostsOf(words, [null, 'blue'], [null, 'car'], [null, 'car'], [null, 'car'])
    expect(first).toBeCloseTo(0.25 * 2 * saturated(1), 12)
    expect(second).toBeCloseTo((0.25 * 2 * saturated(1) * idf(3)) / idf(1), 12)
    expect([third, fourth]).toEqual([second, second])
  })

  it('counts the documents with a form once when the query repeats it', () => {
    const [first] = boostsOf([word('car', 0), word('car', 9)], [null, 'car'], [null, 'bus'])
    expect(first).toBeCloseTo(2 * 0.25 * 2 * saturated(1), 12)
  })
})
