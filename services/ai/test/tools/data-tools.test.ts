import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { BuiltInTool } from '@wp/contracts'
import { createBuiltInTool } from '../../src/tools/built-in-tools.ts'
import { startToolsHarness, type ToolsHarness } from './harness.ts'

let harness: ToolsHarness
/** Sources of the owner, and one of the stranger. */
let [contracts, policies, secretPlans] = ['', '', '']
let secretRecord = ''

const file = (name: string) => readFile(join(import.meta.dirname, '../answers', name), 'utf8')

type Call = ReturnType<ToolsHarness['call']>
const run = async (name: BuiltInTool, input: unknown, call: Partial<Call> = {}) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests read outputs of every shape
  (await createBuiltInTool(name, harness.internal).run(input, harness.call(call))) as { output: any; records?: any[] }

const withoutScope = (scope: string): Partial<Call> => {
  const { caller } = harness.call()
  return { caller: { ...caller, scopes: caller.scopes.filter((name) => name !== scope) } }
}

beforeAll(async () => {
  harness = await startToolsHarness(['auth', 'data', 'system'])
  const config = { key: 'id', title_field: 'title' }
  contracts = await harness.createSource('Contracts', await file('contracts.csv'), { config })
  policies = await harness.createSource('Policies', await file('policies.csv'), { config })
  const workspace = harness.fleet.stranger
  secretPlans = await harness.createSource('Plans', 'id,title\nx-1,Merger plan', { config, workspace })
  const listed = await createBuiltInTool('list_records', harness.internal).run(
    { data_source_id: secretPlans },
    harness.call({}, workspace),
  )
  secretRecord = listed.records?.[0]?.record_id ?? ''
})
afterAll(() => harness.stop())

describe('search_data', () => {
  it('returns records with their fields, which can be cited', async () => {
    const { output, records } = await run('search_data', { query: 'lost access card', limit: 2 })
    expect(output.hits[0]).toMatchObject({ key: 'p-07', title: 'Lost access card', data: { id: 'p-07' } })
    expect(records?.[0]).toMatchObject({ key: 'p-07', record_id: output.hits[0].record_id, data_source_id: policies })
  })

  it('orders by a field without a query', async () => {
    const input = { filters: { monthly_cost: { exists: true } }, sort: '-monthly_cost', limit: 1 }
    expect((await run('search_data', input)).output).toMatchObject({ hits: [{ key: 'c-07' }], total: 24 })
  })

  it('reads only the data sources of the run', async () => {
    const restricted = { dataSourceIds: [contracts] }
    const { output } = await run('search_data', { query: 'lost access card canteen' }, restricted)
    expect(new Set(output.hits.map((hit: { data_source_id: string }) => hit.data_source_id))).toEqual(
      new Set([contracts]),
    )
    await expect(run('search_data', { query: 'x', data_source_ids: [policies] }, restricted)).rejects.toThrow(
      `${policies} is not among the data sources of this run; use list_sources to see them`,
    )
  })

  it('reports what is wrong with the input, by field', async () => {
    await expect(run('search_data', { query: 'x', limit: 1000, top: 1 })).rejects.toThrow(
      'The input is not valid: /limit must be at most 20; /top is not a known field',
    )
    await expect(run('search_data', {})).rejects.toThrow('query is required without `filters`')
  })

  it('fails without the scope of the caller', async () => {
    await expect(run('search_data', { query: 'x' }, withoutScope('data:read'))).rejects.toThrow(
      'search_data requires the scope data:read, which the caller of this run does not have',
    )
  })

  it('rejects when its call is cancelled', async () => {
    const signal = AbortSignal.abort(new Error('the run was cancelled'))
    await expect(run('search_data', { query: 'x' }, { signal })).rejects.toThrow('the run was cancelled')
  })
})

describe('list_sources', () => {
  it('lists the fields with their types, of the data sources of the run', async () => {
    const { output } = await run('list_sources', {})
    expect(output.sources.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Contracts', 'Policies'])
    const restricted = await run('list_sources', {}, { dataSourceIds: [contracts] })
    expect(restricted.output.sources).toHaveLength(1)
    expect(restricted.output.sources[0]).toMatchObject({ data_source_id: contracts, record_count: 24 })
    expect(restricted.output.sources[0].fields).toContainEqual({ name: 'monthly_cost', type: 'number' })
  })
})

describe('records', () => {
  it('list_records pages through a data source', async () => {
    const first = await run('list_records', { data_source_id: policies, limit: 15 })
    expect(first.output.records).toHaveLength(15)
    const second = await run('list_records', { data_source_id: policies, limit: 15, cursor: first.output.next_cursor })
    expect(second.output).toMatchObject({ next_cursor: null })
    expect(second.output.records).toHaveLength(5)
  })

  it('read_record reads a record of the data sources of the run only', async () => {
    const { output } = await run('list_records', { data_source_id: policies, key: 'p-11' })
    const id = output.records[0].record_id
    expect((await run('read_record', { record_id: id })).output).toMatchObject({
      key: 'p-11',
      data: { title: 'Smoking' },
    })
    await expect(run('read_record', { record_id: id }, { dataSourceIds: [contracts] })).rejects.toThrow(
      `${id} is not a record of the data sources of this run`,
    )
    await expect(run('list_records', { data_source_id: policies }, { dataSourceIds: [contracts] })).rejects.toThrow(
      'is not among the data sources of this run',
    )
  })

  it.each([
    ['read_record', () => ({ record_id: secretRecord })],
    ['list_records', () => ({ data_source_id: secretPlans })],
    ['search_data', () => ({ query: 'merger plan', data_source_ids: [secretPlans] })],
    ['aggregate_records', () => ({ data_source_id: secretPlans })],
  ] as const)('%s does not reach another workspace', async (name, input) => {
    expect(secretRecord).toMatch(/^rec_/)
    await expect(run(name, input())).rejects.toThrow(/Not found|not a data source|does not exist/i)
  })

  it('finds nothing of another workspace', async () => {
    const { output } = await run('search_data', { query: 'merger plan' })
    expect(JSON.stringify(output)).not.toContain('Merger')
  })

  it('rejects identifiers that are paths', async () => {
    await expect(run('read_record', { record_id: '../sources' })).rejects.toThrow('must be the identifier of a record')
  })
})

describe('aggregate_records', () => {
  it('computes over all records, by a field', async () => {
    const { output } = await run('aggregate_records', {
      data_source_id: contracts,
      measures: [
        { function: 'sum', field: 'monthly_cost' },
        { function: 'count' },
        { function: 'max', field: 'ends_on' },
      ],
      group_by: ['category'],
      limit: 2,
    })
    expect(output).toMatchObject({ rows_read: 24, rows_matched: 24, complete: true, groups_total: 9 })
    expect(output.groups).toEqual([
      { category: 'Cleaning', 'sum(monthly_cost)': 12150, count: 3, 'max(ends_on)': '2027-04-30', rows: 3 },
      { category: 'Security', 'sum(monthly_cost)': 12000, count: 2, 'max(ends_on)': '2026-08-31', rows: 2 },
    ])
  })

  it('filters, and groups by a period of time', async () => {
    const { output } = await run('aggregate_records', {
      data_source_id: contracts,
      time_bucket: { field: 'ends_on', by: 'year' },
      filters: { status: 'ACTIVE', monthly_cost: { gte: 1000 } },
      order: 'key',
    })
    expect(output.groups).toEqual([
      { ends_on: '2026', count: 5, rows: 5 },
      { ends_on: '2027', count: 5, rows: 5 },
      { ends_on: '2028', count: 1, rows: 1 },
    ])
  })

  it('counts without naming a field', async () => {
    expect((await run('aggregate_records', { data_source_id: policies })).output).toMatchObject({
      rows_read: 20,
      groups: [{ count: 20, rows: 20 }],
    })
  })

  it('names the field that was probably meant', async () => {
    const input = { data_source_id: contracts, measures: [{ function: 'mean', field: 'monthlycost' }] }
    await expect(run('aggregate_records', input)).rejects.toThrow(
      'The data source has no field "monthlycost"; did you mean monthly_cost? Its fields: id, title',
    )
  })

  it('reads only the data sources of the run', async () => {
    await expect(
      run('aggregate_records', { data_source_id: contracts }, { dataSourceIds: [policies] }),
    ).rejects.toThrow('is not among the data sources of this run')
  })
})

describe('read_variable', () => {
  it('reads a variable, and never the value of a secret', async () => {
    const { fleet } = harness
    const as = await fleet.token(fleet.owner)
    const put = (body: object) => fleet.request('POST', '/v1/system/workspace/variables', { as, body })
    await put({ name: 'REPORT_CURRENCY', value: 'EUR' })
    await put({ name: 'CRM_PASSWORD', value: 'hunter2-hunter2', secret: true })
    expect((await run('read_variable', { name: 'REPORT_CURRENCY' })).output).toEqual({
      name: 'REPORT_CURRENCY',
      value: 'EUR',
    })
    const secret = await run('read_variable', { name: 'CRM_PASSWORD' })
    expect(JSON.stringify(secret)).not.toContain('hunter2')
    expect(secret.output).toMatchObject({ secret: true })
    await expect(run('read_variable', { name: 'MISSING' })).rejects.toThrow('Not found')
  })
})
