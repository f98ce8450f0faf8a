import { describe, expect, it } from '@jest/globals'
import { lostMatches } from '../../src/workplace/keep-matches.ts'
import { createMatcher } from '../../src/workplace/match-values.ts'
import { createSuggester } from '../../src/workplace/suggest-matches.ts'

const named = (...names: string[]) =>
  names.map((name, at) => ({ id: `spc_${at}`, name, externalId: null, parentId: null }))

describe('createMatcher', () => {
  const candidates = [
    { id: 'spc_a', name: 'First floor', externalId: 'F1', parentId: null },
    { id: 'spc_b', name: 'Second floor', externalId: 'First floor', parentId: null },
    { id: 'spc_c', name: 'Lobby', externalId: null, parentId: null },
    { id: 'spc_d', name: 'lobby', externalId: null, parentId: null },
  ]
  const match = createMatcher(candidates, { Gate: 'spc_c', Old: null, Lost: 'spc_gone', F1: 'spc_b' })

  it.each([
    ['Gate', 'spc_c', 'map'],
    ['F1', 'spc_b', 'map'],
    ['Old', null, 'left_out'],
    ['Lost', null, 'none'],
    ['First floor', 'spc_b', 'external_id'],
    ['FIRST-FLOOR', 'spc_a', 'name'],
    ['second_floor', 'spc_b', 'name'],
    // Two candidates have the name.
    ['Lobby', null, 'none'],
    ['toString', null, 'none'],
    ['null', null, 'none'],
  ])('matches %p with %p by %s', (value, id, matchedBy) => {
    expect(match(value)).toEqual({ id, matchedBy })
  })

  it('finds a name within that of a space around it, and none in a building that has no such space', () => {
    const node = (id: string, name: string, parentId: string | null) => ({ id, name, externalId: null, parentId })
    const inBuildings = createMatcher(
      [
        ...[node('n', 'North', null), node('s', 'South', null), node('n1', 'Floor 1', 'n'), node('s1', 'floor 1', 's')],
        ...[node('s2', 'Floor 2', 's'), node('z', 'Zone A', 's2')],
      ],
      {},
    )
    const ids = ['North / Floor 1', 'SOUTH / Floor 1', 'North / Floor 2', 'South / Zone A', 'West / Floor 2', 'Floor 1']
    expect(ids.map((value) => inBuildings(value).id)).toEqual(['n1', 's1', null, 'z', null, null])
  })

  it('tells numbers with signs and points from others', () => {
    const floors = createMatcher(named('1', '11', 'Room 1.2', 'EG-3'), {})
    for (const other of ['-1', '−1', '1.1', '1-1', 'Room 12', 'Room -1.2'])
      expect([other, floors(other).matchedBy]).toEqual([other, 'none'])
    for (const [value, id] of [
      ['room 1-2', 'spc_2'],
      ['Room_1 2', 'spc_2'],
      ['eg 3', 'spc_3'],
      ['EG3', 'spc_3'],
      [' 11', 'spc_1'],
    ] as const)
      expect([value, floors(value).id]).toEqual([value, id])
    const basement = createMatcher(named('-1', '1', 'Floor -2'), {})
    for (const written of ['- 1', '–1', '−1', ' -1']) expect(basement(written).id).toBe(basement('-1').id)
    expect([basement('-1').id, basement('1').id, basement('floor -2').id, basement('Floor 2').id]).toEqual([
      'spc_0',
      'spc_1',
      'spc_2',
      null,
    ])
  })
})

describe('createSuggester', () => {
  it('has little for a space of another building than that which the value names, and for the building itself', () => {
    const node = (id: string, name: string, parentId: string | null) => ({ id, name, externalId: null, parentId })
    const suggest = createSuggester([
      ...[node('n', 'North', null), node('n1', 'Floor 1', 'n'), node('s', 'South', null), node('s2', 'Floor 2', 's')],
    ])
    expect(suggest('Nort / Floor 1')[0]).toMatchObject({ id: 'n1', similarity: expect.any(Number) })
    expect(suggest('Nort / Floor 1')[0]?.similarity).toBeGreaterThan(0.6)
    for (const value of ['South / Floor 1', 'North / 3', 'West / Floor 2'])
      expect(suggest(value).filter(({ similarity }) => similarity > 0.5)).toEqual([])
  })

  it('has at most three of the most similar names, best first', () => {
    const floors = named('Floor 12', 'Floor 1', 'Floor 2', 'Floor 3', 'Canteen')
    const suggestions = createSuggester(floors)('floor 1')
    expect(suggestions.map(({ name }) => name)).toEqual(['Floor 1', 'Floor 12', 'Floor 2'])
    // Another floor is alike, and never the same.
    expect(suggestions.map(({ similarity }) => similarity)).toEqual([1, 0.5, 0.5])
    // "lobbyeast" has 8 pairs of letters; "lobbyeastern" has 11, of which 8 are the same: 16 of 19.
    expect(createSuggester(named('Lobby eastern'))('lobby east')[0]?.similarity).toBe(0.84)
  })

  it('has a name with a slip of the keyboard, and none of other letters', () => {
    expect(createSuggester(named('Canteen', 'Lobby'))('Cnateen').map(({ name }) => name)).toEqual(['Canteen'])
    expect(createSuggester(named('Canteen', 'Lobby'))('Reader 7')).toEqual([])
  })
})

describe('lostMatches', () => {
  const floor = (id: string, name: string, externalId: string | null = null) => ({
    id,
    name,
    externalId,
    parentId: null,
  })
  const before = [floor('a', '2. OG'), floor('b', 'Lobby', 'F3')]

  it.each([
    ['a new name', ['2. OG', 'Lobby'], [floor('a', 'Dachgeschoss'), before[1]], {}, [['2. OG', 'a']]],
    [
      'a new name, and a map that names a deleted space',
      ['2. OG'],
      [floor('a', 'Dach')],
      { '2. OG': 'gone' },
      [['2. OG', 'a']],
    ],
    ['the name of another value', ['2. OG', '3. OG'], [floor('a', '3. OG'), before[1]], {}, []],
    ['a new name, and another space the former one', ['2. OG'], [floor('a', 'Dach'), floor('n', '2. OG')], {}, []],
    ['no external id any more', ['F3'], [before[0], floor('b', 'Lobby')], {}, []],
    ['been deleted', ['2. OG'], [before[1]], {}, []],
  ] as const)('keeps what stays of one place when it has %s', (_, values, after, stated, lost) => {
    const remaining = after.flatMap((one) => one ?? [])
    expect(lostMatches(values, { before, after: remaining, stated })).toEqual(lost)
  })
})
