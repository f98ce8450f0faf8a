import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Harness, longBody, officeBody, runs, startHarness } from '../fixture/harness.ts'

let harness: Harness
/** Ids, newest first. */
const ids: string[] = []
beforeAll(async () => {
  harness = await startHarness()
  ids.unshift(await harness.run(officeBody({ external_id: 'first' })))
  await harness.waitForEnd(ids[0] ?? '')
  ids.unshift(await harness.run(longBody({ metadata: { team: 'facilities' } })))
  await harness.waitUntilRunning(ids[0] ?? '')
  for (let n = 0; n < 3; n += 1) ids.unshift(await harness.run(officeBody({ external_id: `waiting-${n}` })))
})
afterAll(() => harness?.stop())

async function list(query: string, as = harness.owner) {
  const response = await harness.call('GET', `${runs}${query}`, { as })
  expect(response.status).toBe(200)
  return { ids: response.body.data.map(({ id }: { id: string }) => id), ...response.body }
}

describe('the list of runs', () => {
  it('is paged newest first', async () => {
    const seen: string[] = []
    let query = '?limit=2'
    let pages = 0
    for (let more = true; more; pages += 1) {
      const page = await list(query)
      seen.push(...page.ids)
      more = page.pagination.has_more
      expect(page.pagination.next_cursor === null).toBe(!more)
      query = `?limit=2&cursor=${page.pagination.next_cursor}`
    }
    expect(seen).toEqual(ids)
    expect(pages).toBe(3)
  })

  it('is filtered by status and external id', async () => {
    expect((await list('?status=finished')).ids).toEqual(ids.slice(-1))
    expect((await list('?status=running')).ids).toEqual(ids.slice(-2, -1))
    expect((await list('?status=queued')).ids).toEqual(ids.slice(0, 3))
    expect((await list('?status=failed')).ids).toEqual([])
    expect((await list('?external_id=waiting-1')).ids).toEqual([ids[1]])
    expect((await list('?external_id=waiting-1&status=finished')).ids).toEqual([])
  })

  it('is filtered by data source and metadata', async () => {
    const source = await harness.createSource('day,people\n2026-01-05,1')
    const fields = { data_source_id: source, timestamp_field: 'day', value_field: 'people' }
    const { series: _series, ...rest } = officeBody()
    const id = await harness.run({ ...rest, ...fields, metadata: { team: 'sites' } })
    expect((await list(`?data_source_id=${source}`)).ids).toEqual([id])
    expect((await list(`?data_source_id=${source}&metadata[team]=sites`)).ids).toEqual([id])
    expect((await list(`?data_source_id=${source}&metadata[team]=facilities`)).ids).toEqual([])
    expect((await list('?metadata[team]=facilities')).ids).toEqual(ids.slice(-2, -1))
    expect((await list(`?data_source_id=${source}`, harness.stranger)).ids).toEqual([])
  })

  it('contains the same fields as a single run except the series', async () => {
    const { data } = await list('?status=finished')
    const { series, ...run } = await harness.waitForEnd(ids.at(-1) ?? '')
    expect(series).toHaveLength(1)
    expect(data).toEqual([run])
    expect(data[0].input.series).toEqual([{ key: { building: 'north' }, point_count: 70 }])
  })

  it('is empty for another workspace', async () => {
    expect((await list('', harness.stranger)).ids).toEqual([])
  })

  it.each(['?limit=0', '?limit=101', '?status=done', '?cursor=nonsense', '?team=facilities', '?data_source_id=1'])(
    'refuses %s',
    async (query) => {
      expect((await harness.call('GET', `${runs}${query}`)).status).toBe(400)
    },
  )
})

describe('the catalogue', () => {
  it('is read in pages', async () => {
    const page = (query: string) => harness.call('GET', `/v1/solutions/solutions?${query}`)
    const { body } = await page('limit=3')
    expect(body).toMatchObject({ data: { length: 3 }, pagination: { has_more: true } })
    const rest = await page(`limit=3&cursor=${encodeURIComponent(body.pagination.next_cursor)}`)
    expect(rest.body).toMatchObject({ data: [{ id: 'workplace-plans' }], pagination: { next_cursor: null } })
  })

  it('contains the workflow and its endpoints', async () => {
    const response = await harness.call('GET', '/v1/solutions/solutions')
    expect(response).toMatchObject({
      status: 200,
      body: {
        data: [
          { id: 'workplace-utilization' },
          { id: 'workplace-forecast', endpoints: expect.arrayContaining([`POST ${runs}`]) },
          { id: 'workplace-scenarios' },
          { id: 'workplace-plans' },
        ],
      },
    })
  })
})
