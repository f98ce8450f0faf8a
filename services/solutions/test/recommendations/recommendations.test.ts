import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Harness, officeBody, officeDays, recommendations, startHarness } from '../fixture/harness.ts'
import { dailyFrom } from '../forecast/signals.ts'

let harness: Harness
let run: string
beforeAll(async () => {
  harness = await startHarness()
  const series = ['north', 'south', 'east'].map((building) => ({ key: { building }, points: officeDays() }))
  run = await harness.run(officeBody({ series }))
  await harness.waitForEnd(run)
})
afterAll(() => harness?.stop())

async function list(query = '', as = harness.owner) {
  const { body } = await harness.call('GET', `${recommendations}${query}`, { as })
  return body
}
const buildings = (page: { data: { key: { building: string } }[] }) => page.data.map(({ key }) => key.building).sort()

describe('a recommendation', () => {
  it('is created with figures for a weekday that is and stays underused', async () => {
    const { data } = await list(`?forecast_run_id=${run}`)
    expect(data).toHaveLength(3)
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^rcm_/),
      forecast_run_id: run,
      kind: 'underused_weekday',
      key: { building: expect.any(String) },
      title: expect.stringMatching(/^\w+ is underused on Fridays$/),
      rationale: expect.stringContaining('of its usual peak of 102'),
      figures: {
        weekday: 'friday',
        peak_forecast: expect.closeTo(10, 0),
        peak_before: 10,
        peak_usual: 102,
        share: expect.closeTo(0.1, 1),
        threshold: 0.4,
        days_considered: 1,
      },
      status: 'open',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(await harness.call('GET', `${recommendations}/${data[0].id}`)).toMatchObject({
      status: 200,
      body: { data: data[0] },
    })
  })

  it('is not created for an even week or a failed run', async () => {
    const even = dailyFrom('2026-01-05', 70, (day) => 100 + (day % 7))
    const id = await harness.run(officeBody({ series: [{ points: even }] }))
    expect((await harness.waitForEnd(id)).status).toBe('finished')
    expect((await list(`?forecast_run_id=${id}`)).data).toEqual([])
    expect((await harness.events(id)).map(({ kind }) => kind)).toEqual(['FORECASTING_FINISHED'])
  })

  it('can be accepted, dismissed and changed again', async () => {
    const [{ id, updated_at: before }] = (await list(`?forecast_run_id=${run}`)).data
    const update = (body: unknown, more = {}) => harness.call('PATCH', `${recommendations}/${id}`, { body, ...more })
    const accepted = await update({ status: 'accepted' })
    expect(accepted).toMatchObject({ status: 200, body: { data: { id, status: 'accepted' } } })
    expect(accepted.body.data.updated_at > before).toBe(true)
    expect(await harness.call('GET', `${recommendations}/${id}`)).toMatchObject({ body: { data: accepted.body.data } })
    expect((await update({ status: 'dismissed' })).body.data.status).toBe('dismissed')
    expect((await harness.audit(id)).map(({ action }) => action)).toEqual(Array(2).fill('recommendation.updated'))

    const stale = accepted.headers.get('etag') ?? ''
    expect(stale).not.toBe('')
    const late = await update({ status: 'accepted' }, { headers: { 'if-match': stale } })
    expect(late).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
    for (const body of [{ status: 'open' }, {}, { status: 'accepted', title: 'x' }])
      expect((await update(body)).status).toBe(400)
    expect((await update({ status: 'accepted' }, { as: harness.stranger })).status).toBe(404)
    const reader = await harness.fleet.token(harness.fleet.owner, 'solutions:read')
    expect((await update({ status: 'accepted' }, { as: reader })).status).toBe(403)
    expect((await harness.call('GET', `${recommendations}/${id}`)).body.data.status).toBe('dismissed')
  })

  it('is listed by page, status and run, in its own workspace only', async () => {
    const other = await harness.run(officeBody())
    await harness.waitForEnd(other)
    const first = await list('?limit=2')
    const rest = await list(`?limit=100&cursor=${first.pagination.next_cursor}`)
    expect(first).toMatchObject({ pagination: { has_more: true } })
    expect(rest.pagination).toEqual({ has_more: false, next_cursor: null })
    expect(buildings({ data: [...first.data, ...rest.data] })).toEqual(['east', 'north', 'north', 'south'])
    expect(first.data[0].forecast_run_id).toBe(other)
    expect(buildings(await list(`?forecast_run_id=${run}`))).toEqual(['east', 'north', 'south'])
    const [{ id }] = first.data
    await harness.call('PATCH', `${recommendations}/${id}`, { body: { status: 'accepted' } })
    expect((await list('?status=accepted')).data.map((one: { id: string }) => one.id)).toEqual([id])
    expect((await list('', harness.stranger)).data).toEqual([])
    expect((await harness.call('GET', `${recommendations}/${id}`, { as: harness.stranger })).status).toBe(404)
    expect((await harness.call('GET', `${recommendations}?status=closed`)).status).toBe(400)
  })
})
