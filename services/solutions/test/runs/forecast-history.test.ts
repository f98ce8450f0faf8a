import { afterAll, describe, expect, it } from '@jest/globals'
import { Pool } from 'pg'
import { csvOf, longBody, officeBody, officeDays, recommendations, runs, startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
afterAll(() => harness.stop())

const history = (id: string, as = harness.owner) => harness.call('GET', `${runs}/${id}/history`, { as })

const quarterMs = 900_000
const start = Date.parse('2026-01-05T00:00:00Z')

/** Five weeks of readings every 15 minutes, 10 more in each quarter of an hour, but for one hour without any. */
function quarterHours(): (string | number)[][] {
  return Array.from({ length: 35 * 96 }, (_, step) => [
    new Date(start + step * quarterMs).toISOString(),
    10 * (step % 4) + (Math.floor(step / 4) % 24),
  ]).filter((_, step) => Math.floor(step / 4) !== 35 * 24 - 30)
}

const sourceBody = (source: string) => ({
  data_source_id: source,
  timestamp_field: 'time',
  value_field: 'people',
  measure: 'level',
  frequency: 'hour',
  timezone: 'UTC',
  horizon: 24,
})

/** Restricts a source to aggregates, as its owner does in the console; a service principal may not. */
async function restrictSource(id: string): Promise<void> {
  const database = new Pool({ connectionString: harness.fleet.databases.get('data')?.adminUrl ?? '', max: 1 })
  await database.query(`UPDATE data_sources SET record_access = 'aggregates' WHERE data_source_id = $1`, [id])
  await database.end()
}

describe('the history of a run', () => {
  it('has the hours that the forecast of quarter hours rests on, in one answer', async () => {
    const source = await harness.createSource(csvOf('time,people', quarterHours()))
    const id = await harness.run(sourceBody(source))
    const run = await harness.waitForEnd(id)
    expect(run).not.toHaveProperty('histories')
    const { status, body } = await history(id)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id, withheld: null, series: [{ key: {} }] })
    const { points } = body.data.series[0]
    expect(points).toHaveLength(336)
    expect(Date.parse(run.series[0].points[0].ts) - Date.parse(points.at(-1).ts)).toBe(3_600_000)
    // The peak of four readings; an hour without readings has no value, although the forecast fills it in.
    expect(points.at(-1)).toEqual({ ts: '2026-02-08T23:00:00.000Z', value: 53 })
    expect(points.at(-30)).toEqual({ ts: '2026-02-07T18:00:00.000Z', value: null })

    const reader = await harness.fleet.token(harness.fleet.owner, 'solutions:read')
    expect(await history(id, reader)).toMatchObject({ status: 403, body: { required_scope: 'data:read' } })
    expect((await history(id, harness.stranger)).status).toBe(404)
  })

  it('is withheld as soon as only aggregates of the source are shown, and when it is deleted', async () => {
    const source = await harness.createSource(csvOf('time,people', quarterHours()))
    const id = await harness.run(sourceBody(source))
    await harness.waitForEnd(id)
    await restrictSource(source)
    expect((await history(id)).body.data).toEqual({ id, withheld: 'privacy', series: [] })

    const later = await harness.run(sourceBody(source))
    expect(await harness.waitForEnd(later)).toMatchObject({ status: 'finished' })
    const stored = await harness.rows('SELECT FROM platform.jobs WHERE id = $1 AND result ? $2', [later, 'histories'])
    expect(stored).toHaveLength(0)

    await harness.call('DELETE', `/v1/data/sources/${source}`)
    expect((await history(id)).body.data).toEqual({ id, withheld: 'source_deleted', series: [] })
  })

  it('is that of the points of inline series', async () => {
    const id = await harness.run(officeBody())
    await harness.waitForEnd(id)
    const { data } = (await history(id)).body
    expect(data.series).toHaveLength(1)
    expect(data.series[0]).toMatchObject({ key: { building: 'north' } })
    expect(data.series[0].points).toHaveLength(officeDays().length)
    expect(data.series[0].points.at(-3)).toEqual({ ts: '2026-03-13T00:00:00.000Z', value: 10 })
  })

  it('is a conflict before the end of the run', async () => {
    const id = await harness.run(longBody())
    expect(await history(id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await harness.call('POST', `${runs}/${id}/cancel`)
  })
})

it('lists the recommendations that a run made, and those that it found again', async () => {
  const body = officeBody({ series: [{ key: { building: 'listed' }, points: officeDays() }] })
  const [first, again] = [await harness.run(body), await harness.run(body)]
  await harness.waitForEnd(again)
  const listed = async (id: string) => (await harness.call('GET', `${recommendations}?forecast_run_id=${id}`)).body.data
  const [made, found] = [await listed(first), await listed(again)]
  expect(made).not.toHaveLength(0)
  expect(found).toEqual(made)
})
