import { describe, expect, it } from '@jest/globals'
import { answerQuery } from '../../../../src/models/local/answers/answer-query.ts'
import { nextDecision } from '../../../../src/models/local/answers/answer-steps.ts'
import { phrases } from '../../../../src/models/local/language/phrases.ts'
import type { Query } from '../../../../src/models/local/query/query.ts'

const query: Query = {
  source: { id: 'src_1', name: 'Visits', records: 3, isCut: false, fields: [{ name: 'visitors', type: 'number' }] },
  form: 'aggregate',
  function: 'sum',
  field: 'visitors',
  filters: {},
  partFilters: {},
  groupBy: [],
  bucket: undefined,
  order: undefined,
  alsoExtreme: false,
  select: [],
  unresolved: [],
  recurring: undefined,
  isHeadcount: false,
  isCompared: false,
  isDifferent: false,
  isWhen: false,
  averagePer: undefined,
  groupCondition: undefined,
  wantsTotal: false,
}

/** Answers with the same output for every call. */
function answer(asked: Partial<Query>, output: Record<string, unknown>): string {
  const steps = () => answerQuery({ ...query, ...asked }, phrases.en)
  const first = nextDecision(steps(), [])
  if (!('calls' in first)) throw new Error('no call was made')
  const second = nextDecision(
    steps(),
    first.calls.map((call) => ({ ...call, output, failure: undefined })),
  )
  if (!('answer' in second)) throw new Error('more calls were made')
  return second.answer
}

const computed = (more: Record<string, unknown> = {}) => ({
  rows_read: 3,
  rows_matched: 3,
  complete: true,
  measures: ['sum(visitors)'],
  group_by: [],
  groups_total: 1,
  groups: [{ 'sum(visitors)': 42, rows: 3 }],
  ...more,
})

describe('answerQuery', () => {
  it('says that not all records were read', () =>
    expect(answer({}, computed({ complete: false }))).toBe(
      'The total of visitors is 42 (added up visitors of Visits; 3 of 3 records; not all records were read, so the number is not that of all).',
    ))

  it('says how many values were left out', () =>
    expect(answer({}, computed({ ignored_values: 2 }))).toContain('left out, as missing or not a number: 2'))

  it('says that nothing matches instead of a total of nothing', () =>
    expect(answer({ filters: { site: 'A' } }, computed({ rows_matched: 0, groups: [{ 'sum(visitors)': null }] }))).toBe(
      'No record matches (added up visitors of Visits where site is A; 0 of 3 records).',
    ))

  it('names all groups of a tie, and none without a name', () => {
    const rows = [
      ['A', 9],
      ['B', 9],
      [null, 12],
      ['C', 1],
    ].map(([site, sum]) => ({ site, 'sum(visitors)': sum }))
    const output = computed({ group_by: ['site'], groups: rows, groups_total: 4 })
    const text = answer({ groupBy: ['site'], order: { direction: 'max', count: 1 } }, output)
    expect(text).toMatch(/^A, B have the highest total of visitors: 9 /)
  })

  it('tells how many records a list leaves out', () => {
    const hits = ['a', 'b'].map((key) => ({ record_id: key, key, cite_as: `[${key}]`, data: { visitors: 1 } }))
    expect(answer({ form: 'records', field: undefined }, { hits, total: 30 })).toMatch(
      /^the first 2 of 30 \(listed Visits\):/,
    )
  })
})
