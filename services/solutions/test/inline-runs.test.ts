import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { officeBody, officeDays, openWorld, runs, type World } from './fixture/world.ts'
import { dailyFrom, officeHours, wallClock } from './forecast/signals.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.stop())

describe('a run over inline series', () => {
  it('is accepted with a place to look, and finishes with points, model, accuracy and quality', async () => {
    const answer = await world.start(officeBody({ metadata: { team: 'facilities' }, external_id: 'week-11' }))
    expect(answer.status).toBe(202)
    const { id } = answer.body.data
    expect(answer.headers.get('location')).toBe(`${world.fleet.baseUrl}${runs}/${id}`)
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^fr_/),
      status: 'queued',
      progress: 0,
      input: {
        series: [{ key: { building: 'north' }, point_count: 70 }],
        frequency: 'day',
        aggregation: 'sum',
        timezone: 'UTC',
        horizon: 7,
        levels: [0.8, 0.95],
      },
      error: null,
      metadata: { team: 'facilities' },
      external_id: 'week-11',
      created_at: expect.any(String),
      started_at: null,
      finished_at: null,
    })
    const run = await world.ended(id)
    expect(run).toMatchObject({
      ...answer.body.data,
      status: 'finished',
      progress: 1,
      started_at: expect.any(String),
      finished_at: expect.any(String),
    })
    const [series, ...others] = run.series
    expect(others).toEqual([])
    expect(series).toMatchObject({
      key: { building: 'north' },
      model: { selected: expect.any(String) },
      accuracy: { baseline: { name: 'seasonal_naive_week' } },
      data_quality: { length: 70, gaps: 0, duplicates: 0, imputed: 0 },
    })
    expect(series.model.candidates.map(({ name }: { name: string }) => name)).toContain(series.model.selected)
    expect(series).not.toHaveProperty('error')
    expect(series.points.map(({ ts }: { ts: string }) => ts)).toEqual(
      dailyFrom('2026-03-16', 7, () => 0).map(({ ts }) => `${ts}T00:00:00.000Z`),
    )
    expect(series.points[2].mean).toBeCloseTo(102, 0)
    expect(series.points[4].mean).toBeCloseTo(10, 0)
  })

  it('draws one interval pair for each asked level and no other, the wider around the narrower', async () => {
    const run = await world.ended(await world.run(officeBody({ levels: [0.99, 0.5] })))
    for (const point of run.series[0].points) {
      expect(Object.keys(point).sort()).toEqual(['lower_50', 'lower_99', 'mean', 'ts', 'upper_50', 'upper_99'])
      expect(point.lower_99).toBeLessThanOrEqual(point.lower_50)
      expect(point.lower_50).toBeLessThanOrEqual(point.mean)
      expect(point.mean).toBeLessThanOrEqual(point.upper_50)
      expect(point.upper_50).toBeLessThanOrEqual(point.upper_99)
    }
  })

  it('keeps mean and bounds within the capacity', async () => {
    const growing = dailyFrom('2026-01-05', 70, (day) => 60 + day + 3 * (day % 7))
    const body = officeBody({ series: [{ points: growing }] })
    const highest = async (more: Record<string, unknown>) => {
      const { series } = await world.ended(await world.run({ ...body, ...more }))
      return Math.max(...series[0].points.map((point: { upper_95: number }) => point.upper_95))
    }
    expect(await highest({})).toBeGreaterThan(135)
    expect(await highest({ capacity: 135 })).toBe(135)
  })

  it('keeps days in the zone it is asked for, with summer time in between', async () => {
    const clock = wallClock('Europe/Berlin')
    const points = Array.from({ length: 28 * 24 }, (_, hour) => {
      const instant = Date.parse('2026-02-28T23:00Z') + hour * 3_600_000
      return { ts: new Date(instant).toISOString(), value: officeHours(clock(instant)) }
    })
    const { series } = await world.ended(
      await world.run({ series: [{ points }], frequency: 'day', timezone: 'Europe/Berlin', horizon: 2 }),
    )
    expect(series[0].points.map(({ ts }: { ts: string }) => ts)).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
  })

  it('answers a reader who has it already with 304', async () => {
    const id = await world.run(officeBody())
    await world.ended(id)
    const first = await world.call('GET', `${runs}/${id}`)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[\w-]{27}"$/)
    const again = await world.call('GET', `${runs}/${id}`, { headers: { 'if-none-match': tag } })
    expect(again).toMatchObject({ status: 304, body: '' })
    expect((await world.call('GET', `${runs}/${id}`, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('says FORECASTING_FINISHED first, then each recommendation, and leaves an audit event', async () => {
    const south = dailyFrom('2026-01-05', 70, (day) => [100, 9, 100, 100, 10, 0, 0][day % 7] ?? 0)
    const series = [
      { key: { building: 'north' }, points: officeDays() },
      { key: { building: 'south' }, points: south },
    ]
    const id = await world.run(officeBody({ series }))
    await world.ended(id)
    const events = await world.events(id)
    expect(events.map(({ kind }) => kind)).toEqual([
      'FORECASTING_FINISHED',
      'RECOMMENDATION_CREATED',
      'RECOMMENDATION_CREATED',
      'RECOMMENDATION_CREATED',
    ])
    const { workspaceId, clientId } = world.fleet.owner
    expect(events[0]).toEqual({
      kind: 'FORECASTING_FINISHED',
      workspace_id: workspaceId,
      actor: { id: clientId, type: 'service_principal' },
      data: { id, status: 'finished' },
    })
    expect(events[1]?.data).toEqual({
      id: expect.stringMatching(/^rcm_/),
      status: 'open',
      forecast_run_id: id,
      kind: 'underused_weekday',
      title: 'north is underused on Fridays',
    })
    expect(await world.audit(id)).toEqual([
      { action: 'forecast_run.started', outcome: 'success', actor: { id: clientId, type: 'service_principal' } },
    ])
  })
})

describe('an idempotency key', () => {
  it('starts one run, however often it is sent, and refuses another request', async () => {
    const headers = { 'idempotency-key': 'week-12' }
    const body = officeBody()
    const first = await world.call('POST', runs, { headers, body })
    await world.ended(first.body.data.id)
    const again = await world.call('POST', runs, { headers, body })
    expect(again).toMatchObject({ status: 202, body: first.body })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    const other = await world.call('POST', runs, { headers, body: officeBody({ horizon: 6 }) })
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    expect(await world.events(first.body.data.id)).toHaveLength(2)
  })
})
