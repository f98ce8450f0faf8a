import { afterAll, describe, expect, it } from '@jest/globals'
import { officeBody, officeDays, recommendations, startHarness } from '../fixture/harness.ts'
import { dailyFrom } from '../forecast/signals.ts'

const harness = await startHarness()
const series = ['north', 'south', 'east'].map((building) => ({ key: { building }, points: officeDays() }))
const run = await harness.run(officeBody({ series }))
await harness.waitForEnd(run)
afterAll(() => harness.stop())

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
      last_forecast_run_id: run,
      kind: 'consolidation',
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
      window: { from: '2026-03-20T00:00:00.000Z', until: '2026-03-21T00:00:00.000Z', weekdays: ['friday'] },
      expected_effect: { description: expect.stringContaining('on Fridays'), quantity: 1, unit: 'days_per_week' },
      confidence: expect.any(Number),
      follow_up: null,
      saving: null,
      scenario_id: null,
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

  it('is listed by page, status, kind and run, in its own workspace only', async () => {
    const other = await harness.run(officeBody({ series: [{ key: { building: 'west' }, points: officeDays() }] }))
    await harness.waitForEnd(other)
    const first = await list('?limit=2')
    const rest = await list(`?limit=100&cursor=${first.pagination.next_cursor}`)
    expect(first).toMatchObject({ pagination: { has_more: true } })
    expect(rest.pagination).toEqual({ has_more: false, next_cursor: null })
    expect(buildings({ data: [...first.data, ...rest.data] })).toEqual(['east', 'north', 'south', 'west'])
    expect(first.data[0].forecast_run_id).toBe(other)
    expect(buildings(await list(`?forecast_run_id=${run}`))).toEqual(['east', 'north', 'south'])
    const [{ id }] = first.data
    await harness.call('PATCH', `${recommendations}/${id}`, { body: { status: 'accepted' } })
    expect((await list('?status=accepted')).data.map((one: { id: string }) => one.id)).toEqual([id])
    const { data: ofKind } = await list('?kind=consolidation&limit=100')
    expect(new Set(ofKind.map((one: { kind: string }) => one.kind))).toEqual(new Set(['consolidation']))
    expect((await list('?kind=capacity_alert')).data).toEqual([])
    expect((await list('', harness.stranger)).data).toEqual([])
    expect((await harness.call('GET', `${recommendations}/${id}`, { as: harness.stranger })).status).toBe(404)
    for (const filter of ['status=closed', 'kind=other'])
      expect((await harness.call('GET', `${recommendations}?${filter}`)).status).toBe(400)
  })
})

describe('a recommendation that a later run finds again', () => {
  const points = officeDays()
  const runOver = async (building: string, days = 70, more: object[] = []) => {
    const series = [{ key: { building }, points: [...points.slice(0, days), ...more] }]
    const id = await harness.run(officeBody({ series }))
    expect((await harness.waitForEnd(id)).status).toBe('finished')
    return id
  }
  const allOf = async (building: string) =>
    (await list('?limit=100')).data.filter(({ key }: { key: { building: string } }) => key.building === building)
  const createdBy = async (id: string) =>
    (await harness.events(id)).filter(({ kind }) => kind === 'RECOMMENDATION_CREATED').length

  it('is refreshed while it is open, without an event', async () => {
    const first = await runOver('refreshed', 63)
    const [before] = await allOf('refreshed')
    const second = await runOver('refreshed')
    const [after, ...others] = await allOf('refreshed')
    expect(others).toEqual([])
    expect(after).toMatchObject({ id: before.id, forecast_run_id: first, last_forecast_run_id: second, status: 'open' })
    expect([before.window.from, after.window.from]).toEqual(['2026-03-13T00:00:00.000Z', '2026-03-20T00:00:00.000Z'])
    expect(after.updated_at > before.updated_at).toBe(true)
    expect([await createdBy(first), await createdBy(second)]).toEqual([1, 0])
  })

  it('is not repeated for 28 days after it was dismissed', async () => {
    await runOver('dismissed', 63)
    const [{ id }] = await allOf('dismissed')
    await harness.call('PATCH', `${recommendations}/${id}`, { body: { status: 'dismissed' } })
    expect(await createdBy(await runOver('dismissed'))).toBe(0)
    await harness.rows(`UPDATE recommendations SET updated_at = now() - interval '28 days' WHERE id = $1`, [id])
    expect(await createdBy(await runOver('dismissed'))).toBe(1)
    expect((await allOf('dismissed')).map(({ status }: { status: string }) => status)).toEqual(['open', 'dismissed'])
  })

  it('is followed up when it was accepted and the values cover its window', async () => {
    await runOver('accepted', 63)
    const [{ id, window }] = await allOf('accepted')
    const read = async () => (await harness.call('GET', `${recommendations}/${id}`)).body.data
    const { body } = await harness.call('PATCH', `${recommendations}/${id}`, { body: { status: 'accepted' } })
    expect(body.data.follow_up).toEqual({ status: 'pending', checked_at: null, figures: {} })
    // The values end before the window does: neither a result nor a second recommendation.
    expect(await createdBy(await runOver('accepted', 66))).toBe(0)
    expect((await read()).follow_up.status).toBe('pending')
    expect(window.until).toBe('2026-03-14T00:00:00.000Z')
    expect(await createdBy(await runOver('accepted'))).toBe(1)
    expect(await read()).toMatchObject({
      status: 'accepted',
      window,
      follow_up: {
        status: 'happened',
        checked_at: expect.any(String),
        figures: { days: 1, peak_actual: 10, limit: expect.closeTo(40.8) },
      },
    })
  })

  it('is about another group when the data is another', async () => {
    await runOver('twice')
    const other = await harness.run(
      officeBody({ series: [{ key: { building: 'twice' }, points }], aggregation: 'max' }),
    )
    await harness.waitForEnd(other)
    expect(await allOf('twice')).toHaveLength(2)
  })
})
