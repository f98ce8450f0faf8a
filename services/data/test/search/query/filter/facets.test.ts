import { describe, expect, it } from '@jest/globals'
import { createFacet } from '../../../../src/search/query/filter/facets.ts'

describe('createFacet', () => {
  it('counts scalar values, and each member of an array once', () => {
    const facet = createFacet()
    for (const value of ['b', 'a', ['a', 'a', 1], null, '', { a: 1 }, 'x'.repeat(201)]) facet.add(value)
    expect(facet.topValues()).toEqual([
      { value: 'a', count: 2 },
      { value: 1, count: 1 },
      { value: 'b', count: 1 },
    ])
  })
})
