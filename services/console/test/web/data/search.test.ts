import { describe, expect, it } from '@jest/globals'
import { readSearch } from '../../../web/src/api/search-params.ts'
import { facetFields, readFilters, searchModes, toggleFilter } from '../../../web/src/data/search/search-params.ts'

const parameters = { q: 'text', source: 'text', cursor: 'text', mode: searchModes, filters: readFilters } as const
const readSearchParams = (search: Record<string, unknown>) => readSearch(search, parameters)

describe('the search parameters of a page', () => {
  it('reads a query, its filters and its mode', () => {
    const search = { q: 'door', mode: 'hybrid', filters: { team: ['a', true, 3] } }
    expect(readSearchParams(search)).toEqual(search)
  })

  it('leaves out what is not valid', () => {
    const search = { q: '', mode: 'magic', filters: { team: 'a', kind: [], other: [{ a: 1 }, null] } }
    expect(readSearchParams(search)).toEqual({})
  })

  it('reads a number as text', () => expect(readSearchParams({ q: 42 })).toEqual({ q: '42' }))

  it('reads one text where a list is expected, as links from before have it', () =>
    expect(['building', 3, ['a', 'b'], [{}]].map((group) => readSearch({ group }, { group: 'texts' }).group)).toEqual([
      ['building'],
      ['3'],
      ['a', 'b'],
      undefined,
    ]))
})

describe('toggleFilter', () => {
  it('adds and removes a value, and the field with its last value', () => {
    const one = toggleFilter({}, 'team', 'a')
    const two = toggleFilter(one, 'team', 'b')
    expect(two).toEqual({ team: ['a', 'b'] })
    expect(toggleFilter(toggleFilter(two, 'team', 'a'), 'team', 'b')).toEqual({})
  })
})

describe('facetFields', () => {
  const field = (name: string, type: 'string' | 'number' | 'boolean') => ({ name, type })

  it('chooses texts and flags that group records, those of most sources first', () => {
    const sources = [
      { schema: [field('id', 'string'), field('kind', 'string'), field('size', 'number')] },
      { schema: [field('team', 'string'), field('open', 'boolean'), field('Title', 'string')] },
      { schema: [field('team', 'string')] },
    ]
    expect(facetFields(sources)).toEqual(['team', 'kind', 'open'])
  })

  it('chooses at most as many fields as a request may count', () => {
    const schema = Array.from({ length: 12 }, (_, index) => field(`field ${index}`, 'string'))
    expect(facetFields([{ schema }])).toHaveLength(10)
  })
})
