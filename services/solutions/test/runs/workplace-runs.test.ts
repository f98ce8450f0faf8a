import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connectDatabase, newId } from '@wp/database'
import { getJob } from '@wp/jobs'
import { writeCompany } from '@wp/testkit/company'
import { readScenarioReport } from '../../src/scenarios/report/scenario-report.ts'
import { scenarioQueue } from '../../src/scenarios/scenario-job.ts'
import { type LoadedCompany, loadCompany } from '../fixture/company.ts'
import { type Harness, recommendations, runs, startHarness } from '../fixture/harness.ts'

const horizon = 21
const [utilization, settings] = ['/v1/solutions/workplace/utilization', '/v1/solutions/workplace/settings']
/** The last day with badge events, a Wednesday; bookings go on. */
const lastDay = '2025-05-21'

let harness: Harness
let company: LoadedCompany
let folder: string
/** A forecast of all teams, from which the platform and the tests start scenarios. */
// biome-ignore lint/suspicious/noExplicitAny: as the response it is
let teamRun: any
/** A forecast of all floors. */
// biome-ignore lint/suspicious/noExplicitAny: as the response it is
let floorRun: any
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wp-forecast-'))
  harness = await startHarness()
  await writeCompany(folder, { people: 200, floors: 6, days: 112, firstDay: '2025-02-17' })
  await endBadgesAfter(join(folder, 'badge-events.csv'), lastDay)
  company = await loadCompany(harness, folder)
  const cost = { annual_cost: { amount: 48_000_000, currency: 'EUR' }, avoidable_share: 0.35 }
  for (const [, id] of floors())
    expect((await harness.call('PATCH', `/v1/solutions/workplace/spaces/${id}`, { body: cost })).status).toBe(200)
  teamRun = await forecast({ level: 'team' })
  const setRead = (time: string) => harness.rows(`UPDATE datasets SET refreshed_at = ${time} WHERE kind = 'bookings'`)
  await setRead('NULL')
  floorRun = await forecast({ level: 'floor' }, { external_id: 'budget' })
  await setRead('now()')
}, 600_000)
afterAll(async () => {
  await harness?.stop()
  await rm(folder, { recursive: true, force: true })
})

const floors = () => [...company.spaceIds].filter(([externalId]) => /^BER-[A-Z]-\d+$/.test(externalId))

/** Removes the badge events after a day, whose dates are German. */
async function endBadgesAfter(file: string, last: string): Promise<void> {
  const isKept = (line: string) => {
    const [, day, month, year] = /;(\d\d)\.(\d\d)\.(\d{4}) [\d:]+$/.exec(line.trim()) ?? []
    return year === undefined || `${year}-${month}-${day}` <= last
  }
  await writeFile(file, (await readFile(file, 'utf8')).split('\n').filter(isKept).join('\n'))
}

const bodyOf = (asked: object, more: object = {}) => ({
  workplace: asked,
  frequency: 'day',
  timezone: 'Europe/Berlin',
  horizon,
  ...more,
})

interface Point {
  [field: string]: number
}
interface Series {
  key: { space?: string; team?: string; name: string }
  points: (Point & { mean: number })[]
  covariates: { name: string; wape_with: number | null; used: boolean }[]
  holidays: { dates: { date: string; name: string }[] }
}

async function forecast(asked: object, more: object = {}) {
  const run = await harness.waitForEnd(await harness.run(bodyOf(asked, more)))
  expect(run).toMatchObject({ status: 'finished', error: null })
  return run
}

/** Returns the parent of each space or team by its id. */
async function parentsOf(list: 'spaces' | 'teams'): Promise<Map<string, string | null>> {
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

describe('a forecast of the workplace', () => {
  it('has a series for each floor, building and site, whose levels add up in every step', async () => {
    const warnings = expect.arrayContaining([expect.stringMatching(/^Reading the dataset "\w+" failed/)])
    expect(floorRun).toMatchObject({ coherent: true, history_until: lastDay, external_id: 'budget', warnings })
    const names = floorRun.series.map(({ key }: Series) => key.name)
    expect(names).toEqual(expect.arrayContaining(['Berlin', 'Berlin / Berlin A', 'Berlin / Berlin A / Floor 1']))
    expectCoherent(floorRun.series, await parentsOf('spaces'))
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
    const [usual, changed] = [await forecast(asked), await forecast({ ...asked, holidays })]
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
  expectCoherent(run.series, await parentsOf('teams'))
})

it('forecasts the most people at a moment, without bookings', async () => {
  const berlin = company.spaceIds.get('BER')
  const peaks = await forecast({ space_id: berlin, level: 'floor', measure: 'peak', use_bookings: false })
  expectCoherent(peaks.series, await parentsOf('spaces'))
  expect(peaks.series[0].covariates).toEqual([])
  const sumOf = ({ points }: Series) => points.reduce((sum, { mean }) => sum + mean, 0)
  const attendance = sumOf(floorRun.series.find(({ key }: Series) => key.space === berlin))
  expect(sumOf(peaks.series[0])).toBeGreaterThan(0.5 * attendance)
  // Nearly all who come are there at once; the two are forecast apart.
  expect(sumOf(peaks.series[0])).toBeLessThan(1.05 * attendance)
})

it('names the spaces whose history is too short', async () => {
  const run = await harness.waitForEnd(await harness.run(bodyOf({ level: 'site' }, { horizon: 90 })))
  expect(run).toMatchObject({ status: 'failed', error: { code: 'series_too_short' } })
  expect(run.error.message).toContain('Berlin (94)')
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

describe('scenarios', () => {
  const scenarios = '/v1/solutions/workplace/scenarios'
  const create = (body: object) => harness.call('POST', scenarios, { body })
  const read = async (id: string) => (await harness.call('GET', `${scenarios}/${id}`)).body.data
  let runId: string
  let berlin: string
  beforeAll(() => {
    berlin = company.spaceIds.get('BER') ?? ''
    runId = teamRun.id
  })

  /** Room for all on two of three floors. */
  const capacity = () => floors().map(([, id]) => ({ space_id: id, capacity: 45 }))

  async function solve(changes: object = {}, forecastRunId = runId) {
    const body = {
      name: 'Berlin',
      forecast_run_id: forecastRunId,
      space_id: berlin,
      changes: { capacity: capacity(), ...changes },
    }
    const created = await create(body)
    if (created.status !== 202) throw new Error(JSON.stringify(created.body))
    await harness.waitForEnd(created.body.data.id)
    const scenario = await read(created.body.data.id)
    expect(scenario).toMatchObject({ status: 'finished', error: null })
    return scenario
  }

  let unchanged: ReturnType<typeof solve> | undefined
  const solveUnchanged = () => {
    unchanged ??= solve()
    return unchanged
  }

  it('are started by the platform for each site, and recommended in money where floors can close', async () => {
    const { data } = (await harness.call('GET', `${scenarios}?forecast_run_id=${runId}&limit=100`)).body
    const ids = data.flatMap((one: { id: string; trigger: string }) => (one.trigger === 'forecast' ? [one.id] : []))
    expect(ids.length).toBeGreaterThan(1)
    const proven = new Map<string, object>()
    const outcomes: object[] = []
    for (const id of ids) {
      await harness.waitForEnd(id)
      const { name, error, result } = (await harness.call('GET', `${scenarios}/${id}`)).body.data
      outcomes.push({
        name,
        error,
        free: result?.free.length,
        saving: result?.saving?.amount,
        warnings: result?.warnings,
      })
      const isPartial = result?.warnings.some((warning: string) => warning.includes('who were counted here'))
      if (result?.free.length > 0 && result.saving?.amount > 0 && !isPartial)
        proven.set(id, { amount: result.saving.amount, currency: result.saving.currency })
    }
    const recommended = (await harness.call('GET', `${recommendations}?status=open&limit=100`)).body.data
    expect(outcomes).toContainEqual(expect.objectContaining({ saving: expect.any(Number), warnings: [] }))
    expect(
      new Map(recommended.map((one: { scenario_id: string; saving: object }) => [one.scenario_id, one.saving])),
    ).toEqual(proven)
  })

  it('find floors that can close, with the saving of each, and keep the promised service level', async () => {
    const { id, result } = await solveUnchanged()
    expect(result).toMatchObject({ is_feasible: true, conflict: [] })
    expect(1 - result.risk.overflow_days).toBeGreaterThanOrEqual(0.95)
    expect(result.free.length).toBeGreaterThan(0)
    // 480,000.00 a year × 35 % × closed days / 5.
    for (const { closed_days, amount, arithmetic } of result.saving.lines) {
      expect(amount).toBe(Math.round((48_000_000 * 0.35 * closed_days) / 5))
      expect(arithmetic).toContain('EUR 480,000 a year × 35 %')
    }
    expect(result.saving.amount).toBe(
      result.saving.lines.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0),
    )
    for (const { open, kept_open_by: reason } of result.floors)
      if (open.length === 0) expect(reason).toBeNull()
      else
        expect(reason).toMatch(
          /^Without it, \d+ places are left on \w+days: everyone has one on \d+(\.\d)? % of them\.$/,
        )
    expect(result.conclusion).toMatch(
      /^Berlin .* can close, which saves EUR [\d,.]+ a year; .* on \d+(\.\d)? % of days\.$/,
    )
    const listed = (await harness.call('GET', `${scenarios}?forecast_run_id=${runId}&name=berli`)).body.data
    const { amount, currency } = result.saving
    expect(listed.find((one: { id: string }) => one.id === id).summary).toEqual({
      is_feasible: true,
      saving: { amount, currency },
      moved_people: result.moved_people,
      service_level: 1 - result.risk.overflow_days,
    })
    expect((await harness.call('GET', `${scenarios}?name=munich-2`)).body.data).toEqual([])
  })

  it('place the people of floors of a forecast without teams, each of them once', async () => {
    const { result } = await solve({ headcount: [{ percent: 0 }] }, floorRun.id)
    expect(result).toMatchObject({
      is_feasible: true,
      warnings: expect.arrayContaining([expect.stringContaining('planned by the floor on which they are counted')]),
    })
    expect(result.teams.every((one: { team_id: null; space_id: string }) => one.team_id === null && one.space_id)).toBe(
      true,
    )
    const names = floors().map(([, id]) => result.teams.find((one: { space_id: string }) => one.space_id === id)?.name)
    expect(names).toContain('Berlin / Berlin A / People on Floor 1')
    expect(result.free.length).toBeGreaterThan(0)
    // People who visit two floors need one place: the plan has those of the site.
    const { points } = floorRun.series.find(({ key }: Series) => key.space === berlin) as Series
    const tuesdays = points.filter((_, day) => day % 7 === 5) // the first is a Thursday
    const mean = tuesdays.reduce((sum, point) => sum + point.mean, 0) / tuesdays.length
    expect(result.before.people.tue / mean).toBeCloseTo(1, 1)
    const refused = await create({
      name: 'Berlin',
      forecast_run_id: floorRun.id,
      space_id: berlin,
      changes: { headcount: [{ team_id: [...company.teamIds.values()][0], percent: 10 }] },
    })
    expect(refused).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^\/changes\/headcount\/0\/team_id: the forecast is one of floors/) },
    })
  })

  it('tell what more people, and days on which all come, change', async () => {
    const base = await solveUnchanged()
    const grown = await solve({ headcount: [{ percent: 10 }] })
    const sumOf = (people: Record<string, number>) => Object.values(people).reduce((sum, count) => sum + count, 0)
    expect(sumOf(grown.result.demand_changed.people) / sumOf(grown.result.before.people)).toBeCloseTo(1.1, 1)
    expect(grown.result.before.people).toEqual(base.result.before.people)
    const fixed = await solve({ attendance: [{ fixed_days: ['tue'] }] })
    const { people } = fixed.result.demand_changed
    expect(people.tue).toBeGreaterThan(1.1 * Math.max(people.mon, people.wed, people.thu, people.fri))
    const { body } = await harness.call('GET', `${scenarios}/${base.id}/comparison?other_id=${grown.id}`)
    expect(body.data).toMatchObject({ scenario_id: base.id, other_id: grown.id, currency: 'EUR' })
    expect(body.data.saving).toBe((grown.result.saving?.amount ?? 0) - base.result.saving.amount)
  })

  const download = (id: string, format: string, headers: Record<string, string> = {}) =>
    harness.call('GET', `${scenarios}/${id}/content?format=${format}`, { headers })

  it('have a report whose site, forecast and figures are those of the scenario', async () => {
    const [[, floor] = []] = floors()
    const {
      id,
      result,
      finished_at: finishedAt,
    } = await solve({ close_spaces: [{ space_id: floor, weekdays: ['fri'] }] })
    const pdf = await download(id, 'pdf')
    expect(pdf.status).toBe(200)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(pdf.headers.get('content-disposition')).toMatch(
      /filename\*=UTF-8''[^ ]+%20%E2%80%93%20\d{4}-\d\d-\d\d\.pdf$/,
    )
    expect(pdf.body.slice(0, 5)).toBe('%PDF-')
    expect((await download(id, 'pdf', { 'if-none-match': pdf.headers.get('etag') ?? '' })).status).toBe(304)
    const { adminUrl: url = '' } = harness.fleet.databases.get('solutions') ?? {}
    const database = connectDatabase({ url, workerUrl: url, prisma: () => ({}), shard: 'test' })
    const { workspaceId } = harness.fleet.owner
    const report = await database
      .read({ workspaceId }, async (_db, query) => {
        const job = await getJob(query, { workspaceId, queue: scenarioQueue, id })
        return job && readScenarioReport(query, job, result, 'Workspace platform')
      })
      .finally(() => database.close())
    expect(report).toMatchObject({ forecast: { days: horizon }, timezone: 'Europe/Berlin' })
    expect(report?.finishedAt.toISOString()).toBe(finishedAt)
    expect(report?.names.get(berlin)).toBe('Berlin')
    expect(report?.currencies.get(floor ?? '')).toBe('EUR')
  })

  it('name the conditions that cannot be met', async () => {
    const { id, result } = await solve({ close_spaces: floors().map(([, id]) => ({ space_id: id })) })
    expect((await download(id, 'xlsx')).status).toBe(409)
    expect((await download(id, 'pdf')).body.slice(0, 5)).toBe('%PDF-')
    expect(result).toMatchObject({ is_feasible: false, saving: null })
    expect(result.conflict.join(' ')).toMatch(/\d+ places are needed, .* are closed on \w+days: with their \d+ places,/)
  })

  it('are refused for what is not a base, a space or a team', async () => {
    const base = { name: 'Berlin', forecast_run_id: runId }
    const refused = async (more: object, pointer: string) =>
      expect(await create({ ...base, ...more })).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
    const ofSites = await harness.call('POST', runs, { body: bodyOf({ level: 'site' }) })
    await refused({ forecast_run_id: ofSites.body.data.id }, '/forecast_run_id')
    await refused({ forecast_run_id: newId('fr') }, '/forecast_run_id')
    await refused({ space_id: newId('spc') }, '/space_id')
    await refused({ changes: { close_spaces: [{ space_id: newId('spc') }] } }, '/changes/close_spaces/0/space_id')
    await refused({ changes: { headcount: [{ team_id: newId('team'), percent: 5 }] } }, '/changes/headcount/0/team_id')
    await refused({ changes: { headcount: [{ number: 5 }] } }, '/changes/headcount/0')
  })
})

// The last one, because a raised threshold has all weeks counted again.
it('has a history of counted days, as utilization shows them', async () => {
  const [{ id }] = (await harness.call('GET', `${runs}?external_id=budget`)).body.data
  const run = (await harness.call('GET', `${runs}/${id}`)).body.data
  const read = async () => (await harness.call('GET', `${runs}/${id}/history`)).body.data
  const { withheld, series } = await read()
  expect(withheld).toBeNull()
  expect(series).toHaveLength(run.series.length)
  for (const { key, points } of series) {
    const query = `space_id=${key.space}&interval=day&since=2025-05-01&until=2025-05-22`
    const { data } = (await harness.call('GET', `${utilization}?${query}`)).body
    const shown = data.map(({ attendance }: { attendance: number | null }) => attendance)
    expect(shown).toHaveLength(21)
    expect(points.slice(-21).map(({ value }: { value: number | null }) => value)).toEqual(shown)
    // A local midnight: 22:00 in UTC.
    expect(points.at(-1).ts).toBe('2025-05-20T22:00:00.000Z')
  }
  await harness.call('PATCH', settings, { body: { privacy_threshold: 50 } })
  const raised = (await read()).series.flatMap(
    ({ points }: { points: { suppressed?: true; value: number }[] }) => points,
  )
  expect(raised.some(({ suppressed }: { suppressed?: true }) => suppressed)).toBe(true)
  expect(raised.every(({ value }: { value: number | null }) => value === null || value === 0 || value >= 50)).toBe(true)
})
