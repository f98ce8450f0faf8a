import { zstdDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { setTestQuota } from '@wp/testkit'
import { type Harness, recommendations, runs } from '../fixture/harness.ts'
import { bodyOf, type ForecastCompany, forecast, horizon, lastDay, type Series, workplace } from './forecast-company.ts'

/** Returns the parent of each space or team by its id. */
async function parentsOf(harness: Harness, list: 'spaces' | 'teams'): Promise<Map<string, string | null>> {
  const rows = await harness.rows<{ id: string; parent_id: string | null }>(`SELECT id, parent_id FROM ${list}`)
  return new Map(rows.map(({ id, parent_id: parentId }) => [id, parentId]))
}

/** Expects that the means of the series in each one and its remainder are its mean, on every day. */
function expectCoherent(series: Series[], parents: Map<string, string | null>): void {
  const idOf = ({ key }: Series) => key.space ?? key.team ?? ''
  let compared = 0
  for (const one of series) {
    const inside = series.filter((other) => parents.get(idOf(other)) === idOf(one))
    if (inside.length === 0) continue
    for (const [day, { mean, remainder = 0 }] of one.points.entries()) {
      compared++
      const sum = inside.reduce((total, other) => total + (other.points[day]?.mean ?? Number.NaN), remainder)
      expect(Math.abs(sum - mean)).toBeLessThan(1e-6)
    }
  }
  expect(compared).toBeGreaterThanOrEqual(horizon)
}

export function describeForecasts(testOf: () => ForecastCompany): void {
  let { harness, company, teamRun, floorRun } = {} as ForecastCompany // set before the first test
  beforeAll(() => {
    ;({ harness, company, teamRun, floorRun } = testOf())
  })

  describe('a forecast of the workplace', () => {
    it('has a series for each floor, building and site, whose levels add up in every step', async () => {
      const warnings = expect.arrayContaining([expect.stringMatching(/^Reading the dataset "\w+" failed/)])
      expect(floorRun).toMatchObject({ coherent: true, history_until: lastDay, external_id: 'budget', warnings })
      const names = floorRun.series.map(({ key }: Series) => key.name)
      expect(names).toEqual(expect.arrayContaining(['Berlin', 'Berlin / Berlin A', 'Berlin / Berlin A / Floor 1']))
      expectCoherent(floorRun.series, await parentsOf(harness, 'spaces'))
    })

    it('has the local midnights of the days after the history, and ordered intervals', () => {
      for (const { points } of floorRun.series as Series[]) {
        expect(points).toHaveLength(horizon)
        expect(points[0]).toMatchObject({ ts: '2025-05-21T22:00:00.000Z' })
        for (const { lower_95: l95 = 0, lower_80: l80 = 0, mean, upper_80: u80 = 0, upper_95: u95 = 0 } of points)
          expect([l95, l80, mean, u80, u95]).toEqual([l95, l80, mean, u80, u95].toSorted((a, b) => a - b))
      }
    })

    it('knows the holidays of the country and subdivision of each space', () => {
      const datesOf = (name: string) =>
        floorRun.series
          .find(({ key }: Series) => key.name === name)
          ?.holidays.dates.map(({ date }: { date: string }) => date)
      expect(datesOf('Berlin')).toEqual(['2025-05-29', '2025-06-09'])
      expect(datesOf('Manchester')).toEqual(['2025-05-26'])
    })

    it('uses bookings already made where they improve the backtest, and states by how much', () => {
      const covariates = floorRun.series.flatMap(({ covariates: own }: Series) => own)
      expect(covariates.length).toBeGreaterThan(0)
      for (const { name, wape_with: wapeWith, wape_without: wapeWithout, used } of covariates) {
        expect({ name, used }).toEqual({ name: 'bookings', used: expect.any(Boolean) })
        if (used) expect(wapeWith).toBeLessThan(wapeWithout)
      }
    })

    it('keeps sample paths that the intervals are made of', async () => {
      const rows = await harness.rows<{ node: string; paths: Buffer; path_count: number; horizon: number }>(
        'SELECT * FROM forecast_paths WHERE forecast_run_id = $1',
        [floorRun.id],
      )
      const floor = floorRun.series.find(({ key }: Series) => key.name === 'Berlin / Berlin A / Floor 1')
      const row = rows.find(({ node }) => node === floor.key.space)
      expect(row).toMatchObject({ path_count: 300, horizon })
      const bytes = zstdDecompressSync(row?.paths ?? Buffer.alloc(0))
      const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
      expect(values).toHaveLength(300 * horizon)
      const mean = values.subarray(0, 300).reduce((sum, value) => sum + value, 0) / 300
      expect(mean).toBeGreaterThan(floor.points[0].lower_80)
      expect(mean).toBeLessThan(floor.points[0].upper_80)
    })

    it('is metered and announced, recommends nothing, and cannot be compared with a source', async () => {
      expect((await harness.events(floorRun.id)).map(({ kind }) => kind)).toContain('FORECASTING_FINISHED')
      const listed = await harness.call('GET', `${recommendations}?forecast_run_id=${floorRun.id}`)
      expect(listed.body.data).toEqual([])
      expect((await harness.call('GET', `${runs}/${floorRun.id}/accuracy`)).status).toBe(409)
      const csv = await harness.call('GET', `${runs}/${floorRun.id}/content`)
      expect(String(csv.body).split('\r\n')[0]).toBe('name,space,ts,mean,lower_80,upper_80,lower_95,upper_95,remainder')
    })

    it('changes a day that is declared to be no holiday', async () => {
      const berlin = company.spaceIds.get('BER')
      const holidays = { remove: ['2025-05-29'] }
      const asked = { space_id: berlin, level: 'building', use_bookings: false }
      const [usual, changed] = [await forecast(harness, asked), await forecast(harness, { ...asked, holidays })]
      const meanOf = ({ series }: { series: Series[] }) => series[0]?.points[7]?.mean ?? Number.NaN
      const datesOf = ({ series }: { series: Series[] }) => series[0]?.holidays.dates.map(({ date }) => date)
      expect([datesOf(usual), datesOf(changed)]).toEqual([['2025-05-29', '2025-06-09'], ['2025-06-09']])
      expect(meanOf(changed)).toBeGreaterThan(1.2 * meanOf(usual))
    })
  })

  it('forecasts teams, and leaves those below the privacy threshold to the team around them', async () => {
    const run = teamRun
    const { truth, teamIds } = company
    const last = truth.days.indexOf(lastDay)
    const tiny = truth.teams.filter(({ headcount }) => (headcount[last] ?? 0) < 5).map(({ id }) => teamIds.get(id))
    expect(tiny.length).toBeGreaterThan(0)
    const ids = run.series.map(({ key }: Series) => key.team)
    expect(ids).toContain(teamIds.get('D1'))
    expect(ids.filter((id: string) => tiny.includes(id))).toEqual([])
    for (const id of tiny)
      expect(run.left_out).toContainEqual({
        key: { team: id, name: expect.stringMatching(/^Division \d \/ Team \d\d$/) },
        reason: 'privacy',
        detail: expect.stringContaining('fewer than 5 people'),
      })
    expectCoherent(run.series, await parentsOf(harness, 'teams'))
  })

  it('forecasts the most people at a moment, without bookings', async () => {
    const berlin = company.spaceIds.get('BER')
    const peaks = await forecast(harness, { space_id: berlin, level: 'floor', measure: 'peak', use_bookings: false })
    expectCoherent(peaks.series, await parentsOf(harness, 'spaces'))
    expect(peaks.series[0].covariates).toEqual([])
    const sumOf = ({ points }: Series) => points.reduce((sum, { mean }) => sum + mean, 0)
    const attendance = sumOf(floorRun.series.find(({ key }: Series) => key.space === berlin))
    expect(sumOf(peaks.series[0])).toBeGreaterThan(0.5 * attendance)
    // Nearly all who come are there at once; the two are forecast apart.
    expect(sumOf(peaks.series[0])).toBeLessThan(1.05 * attendance)
  })

  it('refuses a forecast of spaces whose history is too short before it starts, with their names', async () => {
    const { status, body } = await harness.start(bodyOf({ level: 'site' }, { horizon: 90 }))
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'series_too_short', available: 94 })
    expect(body.detail).toContain('Berlin (94)')
    // Of a workspace that may start none, no history is read.
    const { fleet } = harness
    const setQueued = (limit: number) =>
      setTestQuota(fleet.env('solutions').DATABASE_WORKER_URL, fleet.owner.workspaceId, 'queued_jobs', limit)
    await setQueued(0)
    expect(await harness.start(bodyOf({ level: 'site' }, { horizon: 90 }))).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded', quota: 'queued_jobs' },
    })
    await setQueued(100)
  })

  it('refuses what cannot be forecast, with a pointer', async () => {
    const site = company.spaceIds.get('BER')
    const points = [{ ts: '2025-01-01', value: 1 }]
    for (const [body, pointer] of [
      [bodyOf({ level: 'floor' }, { horizon: 91 }), '/horizon'],
      [bodyOf({ level: 'floor' }, { frequency: 'hour' }), '/frequency'],
      [bodyOf({ level: 'floor', space_id: newId('spc') }), '/workplace/space_id'],
      [bodyOf({ level: 'team', team_id: newId('team') }), '/workplace/team_id'],
      [bodyOf({ level: 'floor' }, { series: [{ points }] }), '/series'],
      [bodyOf({ level: 'floor' }, { data_source_id: newId('src') }), '/data_source_id'],
      [bodyOf({ level: 'floor', space_id: site, team_id: newId('team') }), '/workplace/team_id'],
      [bodyOf({ level: 'team', space_id: site }), '/workplace/level'],
      [bodyOf({ level: 'team', measure: 'peak' }), '/workplace/measure'],
      [bodyOf({ level: 'site', space_id: company.spaceIds.get('BER-A') }), '/workplace/level'],
    ] as const) {
      const { status, body: answer } = await harness.start(body)
      expect({ status, pointer: answer.errors?.[0]?.pointer }).toEqual({ status: 400, pointer })
    }
    const foreign = await harness.start(bodyOf({ level: 'floor', space_id: site }), harness.stranger)
    expect(foreign.status).toBe(400)
  })

  it('counts bookings of days to come, without attendance', async () => {
    const [row] = await harness.rows<{ booked: number; attended: number; teams: number }>(
      `SELECT (SELECT count(*)::int FROM booking_days WHERE day > $1) AS booked,
         (SELECT count(*)::int FROM space_days WHERE day > $1 AND attendance IS NOT NULL) AS attended,
         (SELECT count(*)::int FROM team_days WHERE day > $1 AND attendance IS NOT NULL) AS teams`,
      [lastDay],
    )
    expect(row).toEqual({ booked: expect.any(Number), attended: 0, teams: 0 })
    expect(row?.booked).toBeGreaterThan(50)
  })
}

export function describeHistory(testOf: () => ForecastCompany): void {
  it('has a history of counted days, as utilization shows them', async () => {
    const { harness } = testOf()
    const [{ id }] = (await harness.call('GET', `${runs}?external_id=budget`)).body.data
    const run = (await harness.call('GET', `${runs}/${id}`)).body.data
    const read = async () => (await harness.call('GET', `${runs}/${id}/history`)).body.data
    const { withheld, series } = await read()
    expect(withheld).toBeNull()
    expect(series).toHaveLength(run.series.length)
    for (const { key, points } of series) {
      const query = `space_id=${key.space}&interval=day&since=2025-05-01&until=2025-05-22`
      const { data } = (await harness.call('GET', `${workplace}/utilization?${query}`)).body
      const shown = data.map(({ attendance }: { attendance: number | null }) => attendance)
      expect(shown).toHaveLength(21)
      expect(points.slice(-21).map(({ value }: { value: number | null }) => value)).toEqual(shown)
      // A local midnight: 22:00 in UTC.
      expect(points.at(-1).ts).toBe('2025-05-20T22:00:00.000Z')
    }
    await harness.call('PATCH', `${workplace}/settings`, { body: { privacy_threshold: 50 } })
    const raised = (await read()).series.flatMap(
      ({ points }: { points: { suppressed?: true; value: number }[] }) => points,
    )
    expect(raised.some(({ suppressed }: { suppressed?: true }) => suppressed)).toBe(true)
    expect(raised.every(({ value }: { value: number | null }) => value === null || value === 0 || value >= 50)).toBe(
      true,
    )
  })
}
