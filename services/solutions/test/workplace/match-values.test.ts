import { describe, expect, it } from '@jest/globals'
import { createSuggester } from '../../src/workplace/match-values.ts'

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
