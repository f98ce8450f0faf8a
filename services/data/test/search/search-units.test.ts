import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { decodePostings, encodePostings, mergeSegments } from '../../src/search/index/postings.ts'
import { searchableText } from '../../src/search/index/searchable-text.ts'
import { createFacet } from '../../src/search/query/facets.ts'
import { matchesFilter } from '../../src/search/query/field-filter.ts'
import { markEnd, markStart, renderHighlights, stripHighlights } from '../../src/search/query/highlight.ts'
import { parseQuery } from '../../src/search/query/parse-query.ts'
import { rankByBm25 } from '../../src/search/rank/bm25-ranking.ts'
import { createBufferPool, createScoreBuffers, type ScoreBuffers } from '../../src/search/rank/buffer-pool.ts'
import { editDistance } from '../../src/search/rank/edit-distance.ts'
import { createProximityBoost } from '../../src/search/rank/proximity-boost.ts'
import { createTopKReader } from '../../src/search/rank/top-k.ts'

describe('a query', () => {
  it.each([
    ['meeting room', { words: 'meeting room', phrases: [], prefix: 'room' }],
    ['meeting room ', { phrases: [], prefix: null }],
    ['meeting room.', { phrases: [], prefix: null }],
    ['a b', { prefix: null }],
    ['say "meeting room" now', { words: 'say  meeting room  now', phrases: ['meeting room'], prefix: 'now' }],
    ['“meeting room”', { phrases: ['meeting room'], prefix: null }],
    ['never "closed here', { phrases: ['closed here'], prefix: null }],
    ['"" x', { phrases: [], prefix: null }],
    ['Büros', { prefix: 'Büros' }],
  ])('%s', (text, expected) => {
    expect(parseQuery(text)).toMatchObject(expected)
  })
})

describe('a filter', () => {
  it.each<[unknown, Parameters<typeof matchesFilter>[1], boolean]>([
    ['a', 'a', true],
    ['a', 'A', false],
    ['12', 12, true],
    ['12.0', 12, true],
    [12, '12', true],
    ['x', 12, false],
    ['TRUE', true, true],
    [false, true, false],
    [null, 'a', false],
    [undefined, { gte: 0 }, false],
    [5, { gte: 5, lt: 6 }, true],
    ['5', { gt: 5 }, false],
    ['10', { gt: 9 }, true],
    ['b', { gte: 'a', lt: 'c' }, true],
    ['2026-01-05T09:00:00+01:00', { lt: '2026-01-05T08:30:00Z' }, true],
    ['2026-01-05', '2026-01-05T00:00:00Z', true],
    ['2026-01-05 09:00', { gte: '2026-01-05T09:00:00Z' }, true],
    [['a', 'b'], { in: ['b', 'c'] }, true],
    [[], 'a', false],
    [{ a: 1 }, 'a', false],
    ['a', { not: 'a' }, false],
    ['b', { not: 'a' }, true],
    ['12.0', { not: [11, 12] }, false],
    [['a', 'b'], { not: 'a' }, false],
    [['b'], { not: ['a', 'c'] }, true],
    [undefined, { not: 'a' }, true],
    [0, { exists: true }, true],
    [[], { exists: true }, true],
    ['', { exists: true }, false],
    [null, { exists: false }, true],
    [false, { exists: false }, false],
  ])('%j against %j: %s', (value, filter, expected) => {
    expect(matchesFilter(value, filter)).toBe(expected)
  })
})

describe('ranking', () => {
  const room = createScoreBuffers()
  const index = { indexId: 1, base: 0, maxDoc: 4, isSelected: true, configuration: 'c' }
  const term = { lexemes: ['oak'], configurations: new Set(['c']), weight: 1 }
  const posting = (document: number, occurrences: number) => [document, (occurrences << 16) | 10]
  const rankOf = (...segments: number[][]) =>
    rankByBm25(
      [term],
      [index],
      () => segments.map((segment) => Uint32Array.from(segment)),
      { documents: 4, length: 40 },
      room,
    )

  it('leaves out what no longer holds, and documents that came after the index was listed', () => {
    const alone = rankOf([...posting(0, 1), ...posting(2, 0), ...posting(3, 2)])
    expect([[...alone.documents], alone.frequencies]).toEqual([[0, 3], [2]])
    const later = rankOf([...posting(0, 1), ...posting(4, 1)])
    expect([[...later.documents], later.frequencies]).toEqual([[0], [1]])
    const overruled = rankOf(
      [...posting(0, 0), ...posting(2, 3)],
      [...posting(0, 1), ...posting(2, 1), ...posting(3, 2)],
    )
    expect([[...overruled.documents].sort(), overruled.frequencies]).toEqual([[2, 3], [2]])
  })

  it('is by the same formula however often a word stands there, and however long a document is', () => {
    const idf = Math.log(1 + (4 - 1 + 0.5) / 1.5)
    for (const [occurrences, length] of [
      [1, 10],
      [7, 255],
      [8, 255],
      [7, 256],
      [900, 65_535],
    ] as const) {
      const { scores, relativeLength } = rankOf([1, occurrences * 65_536 + length])
      const norm = 1.2 * (0.25 + (0.75 * length) / 10)
      expect(scores[1]).toBeCloseTo((idf * occurrences * 2.2) / (occurrences + norm), 12)
      expect(relativeLength(1)).toBe(length / 10)
    }
  })
})

describe('room', () => {
  it("is nobody else's while it is used, and empty when it is used again", async () => {
    const rooms = createBufferPool()
    const seen: ScoreBuffers[] = []
    await rooms.with(async (one) => {
      one.scores(3).set([1, 2, 3])
      await rooms.with(async (other) => {
        seen.push(one, other)
        expect([...other.scores(4)]).toEqual([0, 0, 0, 0])
      })
    })
    expect(seen[0]).not.toBe(seen[1])
    await expect(
      rooms.with(async (again) => {
        expect(seen).toContain(again)
        expect([again.scores(2), again.lengths(2)]).toMatchObject([{ length: 2 }, { length: 2 }])
        expect([...again.scores(2)]).toEqual([0, 0])
        throw new Error('given back all the same')
      }),
    ).rejects.toThrow('given back')
    await rooms.with(async (again) => expect(seen).toContain(again))
  })
})

describe('a mistake', () => {
  it.each([
    ['occup', 'occup', 0],
    ['ocup', 'occup', 1],
    ['chiar', 'chair', 1],
    ['desk', 'dusk', 1],
    ['meting', 'meetings', 2],
    ['', 'abc', 3],
    ['über', 'uber', 1],
  ])('%s for %s: %d', (one, other, edits) => {
    expect([editDistance(one, other), editDistance(other, one)]).toEqual([edits, edits])
  })
})

describe('wording', () => {
  const form = (form: string, position: number, idf = 2) => ({ form, position, idf })
  const score = (asked: Parameters<typeof createProximityBoost>[0], title: string | null, text: string | null) =>
    createProximityBoost(asked)(title, text, 1)
  // Occurrences in a document of mean length.
  const part = (times: number) => (times * 2.2) / (times + 1.2)

  it('counts the very forms, twice in the title', () => {
    const asked = [form('universities', 0)]
    expect(score(asked, null, 'Universities of the universe')).toBeCloseTo(0.25 * 2 * part(1), 12)
    expect(score(asked, 'UNIVERSITIES', 'two universities')).toBeCloseTo(0.25 * 2 * part(3), 12)
    expect(score(asked, 'University', null)).toBe(0)
    expect(score([form('cafe', 0)], 'Café', null)).toBeCloseTo(0.25 * 2 * part(2), 12)
  })

  it('counts words that follow each other as in the query, at most three places on', () => {
    const asked = [form('heart', 0, 1), form('attack', 1, 3)]
    const pair = (text: string) => score(asked, null, text) - 0.25 * (1 + 3) * part(1)
    expect(pair('heart attack')).toBeCloseTo(0.2 * 2 * part(1), 12)
    expect(pair('heart - an attack')).toBeCloseTo(0.2 * 2 * part(1), 12)
    expect(pair('attack of the heart')).toBeCloseTo(0, 12)
    expect(pair('heart one two attack')).toBeCloseTo(0.2 * 2 * part(1), 12)
    expect(pair('heart one two three attack')).toBeCloseTo(0, 12)
    expect(score([form('heart', 0), form('attack', 4)], null, 'heart attack')).toBeCloseTo(2 * 0.25 * 2 * part(1), 12)
  })

  it('counts a pair once that is asked for twice, and nothing as one of itself', () => {
    const once = [form('a1', 0), form('b1', 1)]
    const twice = [...once, form('a1', 2), form('b1', 3)]
    const forms = 2 * 0.25 * 2 * part(1)
    // a1 b1, and b1 a1, which is not there.
    expect(score(twice, null, 'a1 b1') - 2 * forms).toBeCloseTo(score(once, null, 'a1 b1') - forms, 12)
    expect(score([form('a1', 0), form('a1', 1)], null, 'a1 a1')).toBeCloseTo(2 * 0.25 * 2 * part(2), 12)
  })
})

describe('postings', () => {
  const posting = (document: number, occurrences: number) => [document, (occurrences << 16) | 9]

  it('survive being stored, wherever the bytes lie', () => {
    const postings = Uint32Array.from([...posting(4_000_000_000, 65_535 >> 1), ...posting(0, 1)])
    const stored = encodePostings(postings)
    expect(stored.toString('hex', 8, 12)).toBe('00000000')
    for (const offset of [0, 1, 2, 3]) {
      const bytes = Buffer.alloc(offset + stored.length)
      stored.copy(bytes, offset)
      expect(decodePostings(bytes.subarray(offset))).toEqual(postings)
    }
  })

  it('hold what was said last of a document', () => {
    const old = Uint32Array.from([...posting(1, 1), ...posting(2, 2), ...posting(3, 3)])
    const late = Uint32Array.from([...posting(3, 0), ...posting(1, 7), ...posting(4, 4)])
    expect([...mergeSegments([late, old])]).toEqual([...posting(2, 2), ...posting(1, 7), ...posting(4, 4)])
    expect([...mergeSegments([])]).toEqual([])
  })
})

describe('the best', () => {
  it('come first, in one order, however few are asked for at a time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 9 }),
        (given, firstMany, step) => {
          const ranking = { documents: Uint32Array.from(given.keys()).reverse(), scores: Float64Array.from(given) }
          const next = createTopKReader(ranking, firstMany)
          const all: number[] = []
          for (let some = next(step); some.length > 0; some = next(step)) all.push(...some)
          const expected = [...given.keys()].sort(
            (one, other) => (given[other] ?? 0) - (given[one] ?? 0) || one - other,
          )
          expect(all).toEqual(expected)
        },
      ),
    )
  })
})

describe('what is shown', () => {
  it('is escaped before it is marked', () => {
    const text = `<b>"${markStart}R&D${markEnd}"</b>`
    expect(renderHighlights(text)).toBe('&lt;b&gt;&quot;<mark>R&amp;D</mark>&quot;&lt;/b&gt;')
    expect(stripHighlights(text)).toBe('<b>"R&D"</b>')
  })

  it('counts values, members of lists once', () => {
    const facet = createFacet()
    for (const value of ['b', 'a', ['a', 'a', 1], null, '', { a: 1 }, 'x'.repeat(201)]) facet.add(value)
    expect(facet.topValues()).toEqual([
      { value: 'a', count: 2 },
      { value: 1, count: 1 },
      { value: 'b', count: 1 },
    ])
  })
})

describe('the text of a row', () => {
  it('is all that reads as words, so much of it', () => {
    const row = { t: 'Title', a: 'one', at: '2026-01-05', on: 'false', n: '4711', f: '3.5', deep: { list: ['two', 3] } }
    expect(searchableText(row, ['t'])).toBe('one\n4711\ntwo')
    expect(searchableText({ n: 3, at: '2026-01-05' }, [])).toBeNull()
    const long = searchableText({ a: 'x'.repeat(32_767), b: '🙂🙂', c: 'never' }, [])
    expect([long?.length, long?.isWellFormed()]).toEqual([32_767, true])
    expect(searchableText({ a: 'x'.repeat(32_765), b: '🙂🙂' }, [])).toHaveLength(32_768)
  })
})
