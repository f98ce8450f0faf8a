import { beforeAll, describe, expect, it } from '@jest/globals'
import { connectDatabase, newId } from '@wp/database'
import { getJob } from '@wp/jobs'
import { readScenarioReport } from '../../src/scenarios/report/scenario-report.ts'
import { scenarioQueue } from '../../src/scenarios/scenario-job.ts'
import { recommendations, runs } from '../fixture/harness.ts'
import { bodyOf, type ForecastCompany, horizon, type Series } from './forecast-company.ts'

export function describeScenarios(testOf: () => ForecastCompany): void {
  describe('scenarios', () => {
    const scenarios = '/v1/solutions/workplace/scenarios'
    const create = (body: object) => harness.call('POST', scenarios, { body })
    const read = async (id: string) => (await harness.call('GET', `${scenarios}/${id}`)).body.data
    let runId: string
    let { harness, company, floorRun, floorIds, berlin } = {} as ForecastCompany // set before the first test
    beforeAll(() => {
      const test = testOf()
      ;({ harness, company, floorRun, floorIds, berlin } = test)
      runId = test.teamRun.id
    })

    /** Room for all on two of three floors. */
    const capacity = () => floorIds.map((id) => ({ space_id: id, capacity: 45 }))

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
      expect(
        result.teams.every((one: { team_id: null; space_id: string }) => one.team_id === null && one.space_id),
      ).toBe(true)
      const names = floorIds.map((id) => result.teams.find((one: { space_id: string }) => one.space_id === id)?.name)
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
      const [floor] = floorIds
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
          return job && readScenarioReport(query, job, result, { productName: 'Workspace platform', locale: undefined })
        })
        .finally(() => database.close())
      expect(report).toMatchObject({ forecast: { days: horizon }, timezone: 'Europe/Berlin' })
      expect(report?.finishedAt.toISOString()).toBe(finishedAt)
      expect(report?.names.get(berlin)).toBe('Berlin')
      expect(report?.currencies.get(floor ?? '')).toBe('EUR')
    })

    it('name the conditions that cannot be met', async () => {
      const { id, result } = await solve({ close_spaces: floorIds.map((id) => ({ space_id: id })) })
      expect((await download(id, 'xlsx')).status).toBe(409)
      expect((await download(id, 'pdf')).body.slice(0, 5)).toBe('%PDF-')
      expect(result).toMatchObject({ is_feasible: false, saving: null })
      expect(result.conflict.join(' ')).toMatch(
        /\d+ places are needed, .* are closed on \w+days: with their \d+ places,/,
      )
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
      await refused(
        { changes: { headcount: [{ team_id: newId('team'), percent: 5 }] } },
        '/changes/headcount/0/team_id',
      )
      await refused({ changes: { headcount: [{ number: 5 }] } }, '/changes/headcount/0')
    })
  })
}
