import { describe, expect, it } from '@jest/globals'
import type { FieldType } from '@wp/contracts'
import { fieldTerm } from '../../../src/search/opensearch/index/field-terms.ts'
import { toFilterQueries } from '../../../src/search/opensearch/query/filter-query.ts'
import { compareAsDeclared, matchesFilter, type Scalar } from '../../../src/search/query/filter/field-filter.ts'
import type { SearchedFields } from '../../../src/search/query/filter/searched-fields.ts'

describe('the query of a filter', () => {
  it.each<[Exclude<FieldType, 'mixed' | 'null'>, Scalar, unknown]>([
    ['number', true, 'TRUE'],
    ['boolean', 1.1, '1.10'],
  ])('of a field declared as %s finds no text like %j, as the other engine', (type, wanted, text) => {
    const field = { declared: { type }, kinds: 0 }
    const comparison = compareAsDeclared({ type })
    const fields: SearchedFields = {
      sources: [{ dataSourceId: 'src_1', isFullyObserved: true } as SearchedFields['sources'][number]], // has no more
      find: () => field,
      comparisonOf: () => comparison,
      warnings: [],
    }
    expect(matchesFilter(text, wanted, comparison)).toBe(false)
    // The term `x` has the text of a number or boolean, and is of no text.
    const term = { term: { values: fieldTerm('ws_1', 'f', 'x', String(wanted)) } }
    expect(toFilterQueries('ws_1', { f: wanted }, fields)).toEqual([term])
  })
})
