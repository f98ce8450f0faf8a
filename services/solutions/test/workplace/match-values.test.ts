import { describe, expect, it } from '@jest/globals'
import { createSuggester } from '../../src/workplace/suggest-matches.ts'

const space = (id: string, name: string, parentId: string | null) => ({ id, name, parentId, externalId: null })
const candidates = ['Berlin A', 'Munich A'].flatMap((building) => [
  space(building, building, null),
  space(`${building} 4`, 'Floor 4', building),
  space(`${building} 4.01`, 'Room 4.01', `${building} 4`),
  space(`${building} 4.03`, 'Room 4.03', `${building} 4`),
])

describe('createSuggester', () => {
  const suggest = createSuggester(candidates)

  it('suggests the room of the building that a value names, before the building itself', () => {
    expect(suggest('Munich A | Room 4.03')[0]).toMatchObject({ id: 'Munich A 4.03' })
    expect(suggest('Berlin A | Room 4.03')[0]).toMatchObject({ id: 'Berlin A 4.03' })
  })

  it('suggests the name with a slip of the keyboard', () => {
    expect(suggest('Munchi A')[0]).toMatchObject({ id: 'Munich A' })
  })

  it('suggests the space whose external id a value begins with, in another writing', () => {
    const coded = createSuggester([
      { ...space('spc_1', 'Floor 1', null), externalId: 'BER-A-01' },
      { ...space('spc_2', 'Floor 2', null), externalId: 'BER-A-02' },
      { ...space('spc_3', 'Floor 1', null), externalId: 'MUC-A-01' },
      { ...space('spc_4', 'Berlin A', null), externalId: 'BER-A' },
    ])
    expect(coded('BER/A/OG2 Eingang')[0]).toMatchObject({ id: 'spc_2', similarity: 0.95 })
    expect(coded('MUC/A/OG1 Zone Nord')[0]).toMatchObject({ id: 'spc_3', similarity: 0.8 })
    expect(coded('MAN/A/OG1 Eingang').filter(({ similarity }) => similarity > 0.6)).toEqual([])
  })

  it('suggests nothing for a value that resembles no name', () => {
    expect(suggest('Kitchen')).toEqual([])
  })
})

it('suggests the floor that the name of a desk or reader has a number of, in the building that it names', () => {
  const suggest = createSuggester([
    ...[
      space('b1', 'B1', null),
      space('b1f3', 'Level 3', 'b1'),
      { ...space('b2', 'B2', null), externalId: 'B2' },
      space('b2f3', 'Level 3', 'b2'),
    ],
    ...[space('h', 'Haus Nord', null), space('h2', '2. OG', 'h'), space('h0', 'EG', 'h')],
  ])
  for (const [value, id] of [
    ['B2-F03-D117', 'b2f3'],
    ['2.OG-0123', 'h2'],
    ['Leser 2. OG', 'h2'],
    ['LVL 02 IN', 'h2'],
    ['Nord / Floor 2', 'h2'],
    ['Leser EG', 'h0'],
  ] as const)
    expect([value, suggest(value)[0]]).toEqual([value, expect.objectContaining({ id })])
  expect(suggest('B2-F03-D117')[0]?.similarity).toBeGreaterThan(0.6)
  const coded = createSuggester([{ ...space('a2', 'Floor 2', null), externalId: 'A2' }, space('w', 'West', null)])
  expect(coded('A2 Door 1')[0]).toMatchObject({ id: 'a2', similarity: 0.7 })
  // Two floors have the number, and no building is named, or another one.
  for (const value of ['3.OG-0123', 'B3-F03-D117', 'West / Floor 2'])
    expect(suggest(value).filter(({ similarity }) => similarity > 0.5)).toEqual([])
})
