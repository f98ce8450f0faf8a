import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { setTestQuota } from '@wp/testkit'
import { loadOffice, type Office } from '@wp/testkit/company'
import { type Harness, recommendations, startHarness } from '../fixture/harness.ts'

const scenarios = '/v1/solutions/workplace/scenarios'

let harness: Harness
let office: Office
beforeAll(async () => {
  harness = await startHarness()
  office = await loadOffice(harness.client)
})
afterAll(() => harness?.stop())

const read = (path: string) => harness.client.read(path)

/** Forecasts the teams and waits for the scenario that follows from it. */
async function forecast() {
  const runId = await office.forecast()
  const [{ id }] = await read(`${scenarios}?forecast_run_id=${runId}`)
  await harness.waitForEnd(id)
  return { runId, scenario: await read(`${scenarios}/${id}`) }
}

describe('a forecast of all teams', () => {
  it('is followed by a scenario of the site, and a recommendation in money that it proves', async () => {
    const { runId, scenario } = await forecast()
    expect(scenario).toMatchObject({
      name: 'Munich: floors that can close',
      trigger: 'forecast',
      error: null,
      space_id: office.siteId,
      objective: 'lowest_cost',
      service_level: 0.95,
      result: { is_feasible: true, warnings: [] },
    })
    const { free, saving, conclusion } = scenario.result
    expect(free.length).toBeGreaterThan(0)
    // By hand: 300,000.00 a year × 40 % × closed days / 5.
    const floorDays = free.reduce((sum: number, { weekdays }: { weekdays: string[] }) => sum + weekdays.length, 0)
    expect(saving.amount).toBe((30_000_000 * 0.4 * floorDays) / 5)
    const [recommendation, ...others] = await read(`${recommendations}?forecast_run_id=${runId}`)
    expect(others).toEqual([])
    expect(recommendation).toMatchObject({
      kind: 'consolidation',
      status: 'open',
      key: { space: office.siteId, name: 'Munich' },
      rationale: conclusion,
      saving: { amount: saving.amount, currency: 'EUR' },
      scenario_id: scenario.id,
      figures: { floors: free.length, floor_days: floorDays },
      window: { from: '2024-08-23T22:00:00.000Z', until: '2024-08-30T22:00:00.000Z' },
      expected_effect: { quantity: floorDays, unit: 'days_per_week' },
    })
    expect((await harness.events(recommendation.id)).map(({ data }) => data)).toEqual([
      {
        id: recommendation.id,
        status: 'open',
        forecast_run_id: runId,
        kind: 'consolidation',
        title: recommendation.title,
        saving: recommendation.saving,
        scenario_id: scenario.id,
      },
    ])
  })

  it('refreshes the recommendation while it is open, with its own scenario', async () => {
    const [before] = await read(recommendations)
    const { runId, scenario } = await forecast()
    const [after, ...others] = await read(recommendations)
    expect(others).toEqual([])
    expect(after).toMatchObject({ id: before.id, last_forecast_run_id: runId, scenario_id: scenario.id })
    expect((await harness.events(after.id)).length).toBe(1)
  })

  it('says that it is stale while it is open when data of its scenario was deleted', async () => {
    const [before] = await read(recommendations)
    const gone = JSON.stringify([{ id: newId('ds'), name: 'Badges' }])
    const update = "UPDATE platform.jobs SET result = jsonb_set(result::jsonb, '{rests_on}', $2::jsonb) WHERE id = $1"
    await harness.rows(update, [before.last_forecast_run_id, gone])
    const warnings = expect.arrayContaining([
      expect.stringMatching(/^Stale: the dataset "Badges" was deleted .* is gone\.$/),
    ])
    expect((await read(recommendations))[0]).toMatchObject({ id: before.id, warnings })
    expect(await read(`${recommendations}/${before.id}`)).toMatchObject({ warnings })
    await harness.rows(update, [before.last_forecast_run_id, '[]'])
    expect(await read(recommendations)).toEqual([before])
  })

  it('follows up an accepted recommendation by the attendance of the four weeks after it', async () => {
    const [{ id }] = await read(recommendations)
    await harness.call('PATCH', `${recommendations}/${id}`, { body: { status: 'accepted' } })
    await forecast()
    expect(await read(`${recommendations}/${id}`)).toMatchObject({ follow_up: { status: 'pending' } })
    expect(await read(recommendations)).toHaveLength(1)
    await harness.rows(`UPDATE recommendations SET updated_at = '2024-07-12' WHERE id = $1`, [id])
    await forecast()
    const [repeated, followed] = await read(recommendations)
    expect(followed).toMatchObject({
      id,
      status: 'accepted',
      follow_up: { status: 'did_not_happen', figures: { floor_days: expect.any(Number), limit: 0.1 } },
    })
    expect(followed.follow_up.figures.floor_days_used).toBe(followed.follow_up.figures.floor_days)
    expect(repeated).toMatchObject({ status: 'open', saving: followed.saving })
  })

  it('of one team starts no scenario, and plans nothing for weekdays that it does not have', async () => {
    const body = { workplace: { level: 'team', team_id: office.teamIds[0] }, frequency: 'day', timezone: 'UTC' }
    // From Saturday to Wednesday.
    const id = await harness.run({ ...body, horizon: 5 })
    const run = await harness.waitForEnd(id)
    expect(run).toMatchObject({ status: 'finished' })
    // Its input starts another run as it is.
    expect(await harness.start(run.input)).toMatchObject({ status: 202 })
    expect(await read(`${scenarios}?forecast_run_id=${id}`)).toEqual([])
    const post = (body: object) =>
      harness.call('POST', scenarios, { body: { name: 'Part of a week', forecast_run_id: id, ...body } })
    expect(await post({})).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^\/forecast_run_id: .*no thu, fri that is no holiday/) },
    })
    // A team without a forecast of its own, and a weekday on which no floor is open.
    for (const [changes, pointer] of [
      [{ headcount: [{ team_id: office.teamIds[1], percent: 10 }] }, '/changes/headcount/0/team_id'],
      [{ attendance: [{ fixed_days: ['sun'] }] }, '/changes/attendance/0'],
    ] as const)
      expect(await post({ changes })).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
  })

  it('does not use up the quota of users', async () => {
    const { workspaceId } = harness.fleet.owner
    await harness.rows(
      `INSERT INTO platform.jobs (id, queue, workspace_id, exclusive, input, run_at)
       VALUES ('scn_waiting', 'scenario', $1, 'site', '{}', now() + interval '1 day')`,
      [workspaceId],
    )
    const [{ last_forecast_run_id: runId }] = await read(recommendations)
    await setTestQuota(harness.fleet.env('solutions').DATABASE_WORKER_URL, workspaceId, 'queued_jobs', 1)
    const { status } = await harness.call('POST', scenarios, { body: { name: 'Mine', forecast_run_id: runId } })
    expect(status).toBe(202)
  })
})
