import { afterAll, describe, expect, it } from '@jest/globals'
import { officeBody, officeDays, runs, startHarness } from '../fixture/harness.ts'
import { dailyFrom, officeHours, wallClock } from '../forecast/signals.ts'

const harness = await startHarness()
afterAll(() => harness.stop())

describe('a run over inline series', () => {
  it('forecasts a constant as that constant, and no number with digits that mean nothing', async () => {
    const points = dailyFrom('2026-01-05', 70, () => 100)
    const body = officeBody({ series: [{ key: { building: 'north' }, points }] })
    const run = await harness.waitForEnd((await harness.start(body)).body.data.id)
    expect(run.series[0].points.map(({ mean }: { mean: number }) => mean)).toEqual(Array(7).fill(100))
    expect(JSON.stringify(run.series)).not.toMatch(/\d\.\d{10}/)
  })

  it('is accepted with a Location, and finishes with points, model, accuracy and data quality', async () => {
    const response = await harness.start(officeBody({ metadata: { team: 'facilities' }, external_id: 'week-11' }))
    expect(response.status).toBe(202)
    const { id } = response.body.data
    expect(response.headers.get('location')).toBe(`${harness.fleet.baseUrl}${runs}/${id}`)
    expect(response.body.data).toEqual({
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
        min_usable_share: 0.95,
      },
      error: null,
      metadata: { team: 'facilities' },
      external_id: 'week-11',
      created_at: expect.any(String),
      started_at: null,
      finished_at: null,
    })
    const run = await harness.waitForEnd(id)
    expect(run).toMatchObject({
      ...response.body.data,
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

  it('returns one pair of bounds per requested level, nested', async () => {
    const run = await harness.waitForEnd(await harness.run(officeBody({ levels: [0.99, 0.5] })))
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
      const { series } = await harness.waitForEnd(await harness.run({ ...body, ...more }))
      return Math.max(...series[0].points.map((point: { upper_95: number }) => point.upper_95))
    }
    expect(await highest({})).toBeGreaterThan(135)
    expect(await highest({ capacity: 135 })).toBe(135)
  })

  it('aligns days to the requested time zone across a clock change', async () => {
    const clock = wallClock('Europe/Berlin')
    const points = Array.from({ length: 28 * 24 }, (_, hour) => {
      const instant = Date.parse('2026-02-28T23:00Z') + hour * 3_600_000
      return { ts: new Date(instant).toISOString(), value: officeHours(clock(instant)) }
    })
    const { series } = await harness.waitForEnd(
      await harness.run({ series: [{ points }], frequency: 'day', timezone: 'Europe/Berlin', horizon: 2 }),
    )
    expect(series[0].points.map(({ ts }: { ts: string }) => ts)).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
  })

  it('forecasts 0 for closed groups, and states the effect of the calendar', async () => {
    const series = ['open', 'closed'].map((building) => ({ key: { building }, points: officeDays() }))
    const run = await harness.waitForEnd(
      await harness.run(
        officeBody({
          series,
          closures: [{ dates: ['2026-03-17'], groups: ['closed'] }],
          calendar: [{ name: 'school holidays', dates: ['2026-02-09', '2026-02-10'] }],
        }),
      ),
    )
    expect(run.series.map(({ points }: { points: { mean: number }[] }) => Math.round(points[1]?.mean ?? -1))).toEqual([
      101, 0,
    ])
    expect(run.series[0].calendar_effects).toEqual([{ name: 'school holidays', days: 2, effect: 0, applied: false }])
    const unknown = await harness.start(officeBody({ closures: [{ dates: ['2026-03-17'], groups: ['south'] }] }))
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ pointer: '/closures/0/groups/0' }] } })
  })

  it('returns 304 when the entity tag matches', async () => {
    const id = await harness.run(officeBody())
    await harness.waitForEnd(id)
    const first = await harness.call('GET', `${runs}/${id}`)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[\w-]{27}"$/)
    const again = await harness.call('GET', `${runs}/${id}`, { headers: { 'if-none-match': tag } })
    expect(again).toMatchObject({ status: 304, body: '' })
    expect((await harness.call('GET', `${runs}/${id}`, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('emits FORECASTING_FINISHED, then each recommendation, and an audit event', async () => {
    const south = dailyFrom('2026-01-05', 70, (day) => [100, 9, 100, 100, 10, 0, 0][day % 7] ?? 0)
    const series = [
      { key: { building: 'east' }, points: officeDays() },
      { key: { building: 'south' }, points: south },
    ]
    const id = await harness.run(officeBody({ series }))
    await harness.waitForEnd(id)
    const events = await harness.events(id)
    expect(events.map(({ kind }) => kind)).toEqual([
      'FORECASTING_FINISHED',
      'RECOMMENDATION_CREATED',
      'RECOMMENDATION_CREATED',
    ])
    const { workspaceId, clientId } = harness.fleet.owner
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
      kind: 'consolidation',
      title: 'east is underused on Fridays',
      saving: null,
      scenario_id: null,
    })
    expect(await harness.audit(id)).toEqual([
      { action: 'forecast_run.started', outcome: 'success', actor: { id: clientId, type: 'service_principal' } },
    ])
  })
})
