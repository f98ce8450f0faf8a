import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connectDatabase, type Database, newId } from '@wp/database'
import { serviceCaller } from '@wp/events'
import type { Job } from '@wp/jobs'
import { eventually } from '@wp/testkit'
import { writeCompany } from '@wp/testkit/company'
import { runPlan } from '../../src/plans/create-plan.ts'
import { type Client, type Control, createClient } from '../../src/store/client.ts'
import { dateOf, dayOf } from '../../src/workplace/local-days.ts'
import { type LoadedCompany, loadCompany } from '../fixture/company.ts'
import { type Harness, startHarness } from '../fixture/harness.ts'

const workplace = '/v1/solutions/workplace'
const schedules = `${workplace}/plan-schedules`
/** A Wednesday, the last day with data, and the Thursday after it, which a forecast covers. */
const [lastDay, nextDay] = ['2025-05-21', '2025-05-22']
/** The last four Tuesdays and Wednesdays with data, none of which is a holiday. */
const usualDays = ['2025-05-21', '2025-05-20', '2025-05-14', '2025-05-13']
const days = 94

let harness: Harness
let company: LoadedCompany
let folder: string
let database: Database<Client>
let berlin: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wp-plans-'))
  harness = await startHarness()
  const url = harness.fleet.databases.get('solutions')?.workerUrl ?? ''
  database = connectDatabase({ url, workerUrl: url, prisma: createClient, shard: '' })
  // It ends on the last day.
  await writeCompany(folder, { people: 150, floors: 4, days, firstDay: '2025-02-17' })
  company = await loadCompany(harness, folder)
  berlin = company.spaceIds.get('BER') ?? ''
}, 600_000)
afterAll(async () => {
  await database?.close()
  await harness?.stop()
  await rm(folder, { recursive: true, force: true })
})

const read = async (path: string) => (await harness.call('GET', `${workplace}/${path}`)).body.data
const change = async (id: string, body: object) => {
  const { status, body: answer } = await harness.call('PATCH', `${schedules}/${id}`, { body })
  expect({ status, errors: answer.errors }).toEqual({ status: 200, errors: undefined })
  return answer.body ?? answer.data
}

async function createSchedule(body: object): Promise<string> {
  const created = await harness.call('POST', schedules, { body })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  return created.body.data.id
}

/** Queues the job of a day, as the calendar schedule does. */
async function queueJob(scheduleId: string, date: string): Promise<string> {
  const id = newId('pls')
  await harness.rows(
    `INSERT INTO platform.jobs (id, queue, workspace_id, subject, input, metadata) VALUES ($1, 'plan', $2, $3, $4, '{}')`,
    [id, harness.fleet.owner.workspaceId, scheduleId, JSON.stringify({ resourceId: scheduleId, date })],
  )
  return id
}

async function resultOf(jobId: string) {
  const [job] = await harness.rows<{ state: string; result: Record<string, string>; error: unknown }>(
    'SELECT state, result, error FROM platform.jobs WHERE id = $1',
    [jobId],
  )
  return job
}

async function run(scheduleId: string, date: string) {
  const id = await queueJob(scheduleId, date)
  await eventually(async () => ['finished', 'failed'].includes((await resultOf(id))?.state ?? ''))
  const job = await resultOf(id)
  expect(job).toMatchObject({ state: 'finished', error: null })
  return job?.result ?? {}
}

const eventsOf = (spaceId: string, date: string) =>
  harness.rows<{ data: Record<string, unknown>; actor: object }>(
    `SELECT data, actor FROM platform.outbox
     WHERE kind = 'WORKPLACE_PLAN_CREATED' AND data ->> 'space_id' = $1 AND data ->> 'date' = $2`,
    [spaceId, date],
  )

const floorIds = () => [...company.spaceIds].filter(([name]) => /^BER-[A-Z]-\d+$/.test(name)).map(([, id]) => id)

describe('the daily plan of a site', () => {
  let scheduleId: string
  // biome-ignore lint/suspicious/noExplicitAny: as the responses they are
  let [first, second]: any[] = []
  /** A day of which it is shown how many came. */
  let shownDay: string
  beforeAll(async () => {
    scheduleId = await createSchedule({ name: 'Berlin', space_id: berlin })
    const shown = (await read(`utilization?space_id=${berlin}&since=2025-05-12&until=${nextDay}`)).flatMap(
      ({ start, attendance }: { start: string; attendance: number | null }) => (attendance === null ? [] : start),
    )
    shownDay = usualDays.find((day) => shown.includes(day)) ?? ''
    const { plan_id: profileId } = await run(scheduleId, shownDay)
    const body = { workplace: { level: 'floor', space_id: berlin }, frequency: 'day', timezone: 'Europe/Berlin' }
    const forecast = await harness.waitForEnd(await harness.run({ ...body, horizon: 7 }))
    expect(forecast).toMatchObject({ status: 'finished', history_until: lastDay })
    const { plan_id: forecastId } = await run(scheduleId, nextDay)
    ;[first, second] = [await read(`plans/${profileId}`), await read(`plans/${forecastId}`)]
  })

  it('expects what the same weekday had, or what a forecast of the day says', async () => {
    expect(first).toMatchObject({ date: shownDay, expected: { source: 'profile' }, forecast_run_id: null })
    expect(second).toMatchObject({ date: nextDay, expected: { source: 'forecast' }, previous: { plan_id: first.id } })
    const forecast = await read(`forecast/runs/${second.forecast_run_id}`)
    const ofBerlin = forecast.series.find(({ key }: { key: { space: string } }) => key.space === berlin)
    expect(second.expected.mean).toBeCloseTo(ofBerlin.points[0].mean, 0)
    // The same weekday of the 8 weeks before, but for days that are withheld or on which a reader was silent.
    const since = dateOf(dayOf(shownDay) - 56)
    const same = (await read(`utilization?space_id=${berlin}&since=${since}&until=${shownDay}`)).filter(
      ({ attendance, coverage }: { attendance: number | null; coverage: number }, at: number) =>
        at % 7 === 0 && attendance !== null && coverage === 1,
    )
    const sum = same.reduce((all: number, { attendance }: { attendance: number }) => all + attendance, 0)
    expect(same.length).toBeGreaterThanOrEqual(4)
    expect(first.expected.mean).toBeCloseTo(sum / same.length, 1)
  })

  it('has every floor with its hours, of which the fullest are at midday', () => {
    expect(second.floors.length).toBeGreaterThan(1)
    const shown = second.floors.filter(({ peak }: { peak: object | null }) => peak !== null)
    expect(shown.length).toBeGreaterThan(0)
    for (const { hours, peak, heating, expected } of shown) {
      expect(hours).toHaveLength(24)
      expect(peak.start >= '09:00' && peak.start <= '16:00').toBe(true)
      expect(peak.people).toBeLessThanOrEqual(expected.mean)
      if (peak.people >= 5) expect(heating.from < heating.to).toBe(true)
    }
    expect(second.meals.expected).toBe(Math.ceil(second.expected.mean * 0.6 - 1e-9))
    expect(second.headline).toMatch(/^About \d+ people are expected in Berlin on Thursday 22 May, at most \d+/)
  })

  it('compares the plan before with what utilization shows, and withholds what utilization withholds', async () => {
    const compare = async () => {
      const { previous } = await read(`plans/${second.id}`)
      const path = `utilization?space_id=${berlin}&since=${shownDay}&until=${nextDay}`
      const [own] = await read(path)
      expect(previous).toMatchObject({ date: shownDay, actual: own.attendance, expected: first.expected.mean })
      for (const { space_id: id, actual, suppressed } of previous.floors) {
        const [floor] = await read(`utilization?space_id=${id}&since=${shownDay}&until=${nextDay}`)
        expect({ id, actual }).toEqual({ id, actual: floor.attendance })
        if (floor.attendance === null) expect(suppressed).toBe(true)
      }
      return previous
    }
    const before = await compare()
    expect(before.wape).toBeCloseTo(Math.abs(before.error) / before.actual, 3)
    const settings = (privacy_threshold: number) =>
      harness.call('PATCH', `${workplace}/settings`, { body: { privacy_threshold } })
    await settings(100)
    const after = await compare()
    const withheld = ({ floors }: { floors: { actual: number | null }[] }) =>
      floors.filter(({ actual }) => actual === null).length
    expect(withheld(after)).toBeGreaterThan(withheld(before))
    await settings(5)
  })

  it('leaves as one event, of the service, with what to do and without the people who came by floor', async () => {
    const events = await eventsOf(berlin, nextDay)
    expect(events).toEqual([
      {
        actor: expect.objectContaining({ type: 'service' }),
        data: expect.objectContaining({
          id: second.id,
          status: 'created',
          plan_schedule_id: scheduleId,
          space_name: 'Berlin',
          title: second.title,
          headline: second.headline,
          actions: second.actions,
          previous: second.previous.conclusion,
          floor_count: second.floors.length,
        }),
      },
    ])
    expect(JSON.stringify(events[0]?.data.floors)).not.toContain('actual')
  })

  it('is listed by space and day, for its workspace only', async () => {
    const list = await read(`plans?space_id=${berlin}&since=${nextDay}&until=2025-05-23`)
    expect(list).toEqual([expect.objectContaining({ id: second.id, headline: second.headline })])
    expect(list[0]).not.toHaveProperty('floors')
    const foreign = await harness.call('GET', `${workplace}/plans/${second.id}`, { as: harness.stranger })
    expect(foreign.status).toBe(404)
  })

  it('closes the site on a holiday', async () => {
    const { plan_id: id } = await run(scheduleId, '2025-05-29')
    expect(await read(`plans/${id}`)).toMatchObject({
      rest_day: { reason: 'holiday' },
      expected: { mean: 0, source: 'rest_day' },
      meals: { expected: 0 },
      headline: expect.stringMatching(/^Berlin is closed on Thursday 29 May, because it is /),
    })
  })

  it('keeps the floors closed that a scenario frees', async () => {
    const teams = await harness.waitForEnd(
      await harness.run({ workplace: { level: 'team' }, frequency: 'day', timezone: 'Europe/Berlin', horizon: 14 }),
    )
    // One floor has room for all.
    const capacity = floorIds().map((space_id) => ({ space_id, capacity: 150 }))
    const body = { name: 'Fridays', forecast_run_id: teams.id, space_id: berlin, changes: { capacity } }
    const { body: created } = await harness.call('POST', `${workplace}/scenarios`, { body })
    await harness.waitForEnd(created.data.id)
    const { result } = await read(`scenarios/${created.data.id}`)
    const friday = result.free.filter(({ weekdays }: { weekdays: string[] }) => weekdays.includes('fri'))
    await change(scheduleId, { scenario_id: created.data.id })
    const { plan_id: id } = await run(scheduleId, '2025-05-23')
    const plan = await read(`plans/${id}`)
    expect(friday.length).toBeGreaterThan(0)
    for (const { space_id: floorId } of friday) {
      const floor = plan.floors.find(({ space_id: own }: { space_id: string }) => own === floorId)
      expect(floor).toMatchObject({ is_closed: true, heating: null, advice: expect.stringContaining('“Fridays”') })
    }
    expect(plan.actions[0]).toMatchObject({ kind: 'close', text: expect.stringContaining('“Fridays”') })
    // It cannot be deleted while a schedule follows it.
    const remove = () => harness.call('DELETE', `${workplace}/scenarios/${created.data.id}`)
    expect(await remove()).toMatchObject({ status: 409, body: { detail: expect.stringContaining(scheduleId) } })
    await change(scheduleId, { scenario_id: null })
    expect(await remove()).toMatchObject({ status: 200, body: { data: { id: created.data.id } } })
    expect((await remove()).status).toBe(404)
  })

  it('leaves no day out of what is usual for a reader that was taken away', async () => {
    await harness.rows(
      `INSERT INTO reader_gaps (workspace_id, dataset_id, value_id, since, until, expected_rows)
       SELECT workspace_id, dataset_id, value_id, '2025-03-01', '2025-05-22', 100
       FROM dataset_values WHERE role = 'space' ON CONFLICT DO NOTHING`,
    )
    const { plan_id: id } = await run(scheduleId, '2025-06-03')
    await harness.rows(`DELETE FROM reader_gaps WHERE since = '2025-03-01'`)
    expect(await read(`plans/${id}`)).toMatchObject({ expected: { source: 'profile' } })
  })
})

describe('one plan of a space and day', () => {
  const manchester = () => company.spaceIds.get('MAN') ?? ''
  let scheduleId: string
  beforeAll(async () => {
    scheduleId = await createSchedule({ name: 'Manchester', space_id: manchester() })
  })
  const plansOf = (date: string) =>
    read(`plans?space_id=${manchester()}&since=${date}&until=${dateOf(dayOf(date) + 1)}`)

  it('is made by jobs that are delivered again and run at once', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => queueJob(scheduleId, '2025-05-20')))
    await eventually(async () => (await Promise.all(ids.map(resultOf))).every((job) => job?.state === 'finished'))
    const results = await Promise.all(ids.map(resultOf))
    const made = results.filter((job) => job?.result.plan_id !== undefined)
    expect([made.length, (await eventsOf(manchester(), '2025-05-20')).length]).toEqual([1, 1])
    expect((await run(scheduleId, '2025-05-20')).skipped).toBe('the day has a plan')
  })

  /** Runs the handler as far as its commit, which `commit` does. */
  function attempt(date: string, commit: (write: Control['finish']) => Promise<void>): Promise<void> {
    const { workspaceId } = harness.fleet.owner
    const caller = serviceCaller('solutions', { shard: database.shard, workspaceId, requestId: 'test' })
    const job = { workspaceId, input: { resourceId: scheduleId, date } } as Job // all that the handler reads
    const control = {
      signal: AbortSignal.timeout(60_000),
      finish: (work) => commit(() => database.transact(caller, async (tx) => void (await work?.(tx)))),
    } as Control // all that the handler uses
    return runPlan({ database }, job, control)
  }

  it('is made by the next attempt if a process is killed before the commit', async () => {
    await expect(attempt('2025-05-19', () => Promise.reject(new Error('killed')))).rejects.toThrow('killed')
    expect(await eventsOf(manchester(), '2025-05-19')).toEqual([])
    await attempt('2025-05-19', (write) => write())
    expect([(await plansOf('2025-05-19')).length, (await eventsOf(manchester(), '2025-05-19')).length]).toEqual([1, 1])
  })

  it('is made once by attempts that all found none', async () => {
    const date = '2025-05-12'
    const { promise: allRead, resolve } = Promise.withResolvers<void>()
    let waiting = 0
    const racing = () =>
      attempt(date, async (write) => {
        waiting += 1
        if (waiting === 3) resolve()
        await allRead
        await write()
      })
    await Promise.all([racing(), racing(), racing()])
    expect([(await plansOf(date)).length, (await eventsOf(manchester(), date)).length]).toEqual([1, 1])
  })

  it('is not made for a schedule that is disabled', async () => {
    await change(scheduleId, { enabled: false })
    expect(await run(scheduleId, '2025-05-16')).toEqual({ skipped: 'the schedule is disabled or deleted' })
    expect(await read(`plan-schedules/${scheduleId}`)).toMatchObject({ enabled: false, next_run_at: null })
    await change(scheduleId, { enabled: true })
  })

  it('stays the only one when the schedule is deleted and created again on the day', async () => {
    expect((await harness.call('DELETE', `${schedules}/${scheduleId}`)).status).toBe(200)
    expect(await run(scheduleId, '2025-05-15')).toEqual({ skipped: 'the schedule is disabled or deleted' })
    scheduleId = await createSchedule({ name: 'Manchester', space_id: manchester() })
    expect(await run(scheduleId, '2025-05-20')).toEqual({ skipped: 'the day has a plan' })
  })
})

describe('a plan schedule', () => {
  const createSite = async (more: object = {}) => {
    const body = { name: newId('spc'), kind: 'site', timezone: 'Europe/Berlin', ...more }
    return (await harness.call('POST', `${workplace}/spaces`, { body })).body.data.id as string
  }
  const patchSpace = (id: string, body: object) => harness.call('PATCH', `${workplace}/spaces/${id}`, { body })

  it('makes the plan of today when its time has come, and the request of a plan returns the same one', async () => {
    const every = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    const spaceId = await createSite()
    const id = await createSchedule({ name: 'Soon', space_id: spaceId, local_time: '23:59', weekdays: every })
    // The time of today has passed, so the pending run of today is due.
    await change(id, { local_time: '00:00' })
    await eventually(async () => (await read(`plans?space_id=${spaceId}`)).length === 1, {
      description: 'the plan of today',
    })
    const [plan] = await read(`plans?space_id=${spaceId}`)
    const requested = await harness.call('POST', `${schedules}/${id}/run`)
    expect(requested.body.data).toMatchObject({ id: plan.id, plan_schedule_id: id })
    expect(await eventsOf(spaceId, plan.date)).toHaveLength(1)
  })

  it('makes the plan of today at once on request, and once by two requests', async () => {
    const spaceId = await createSite()
    const id = await createSchedule({ name: 'Now', space_id: spaceId, enabled: false })
    const answers = await Promise.all([1, 2].map(() => harness.call('POST', `${schedules}/${id}/run`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await eventsOf(spaceId, answers[0]?.body.data.date)).toHaveLength(1)
    expect(answers[0]?.body.data.warnings).toEqual(
      expect.arrayContaining([expect.stringContaining('has no floors: add them')]),
    )
  })

  it('makes the plan of one of the next seven days on request, and of no other', async () => {
    const id = await createSchedule({ name: 'Ahead', space_id: await createSite(), enabled: false })
    const runOn = (date: string) => harness.call('POST', `${schedules}/${id}/run?date=${date}`)
    const { body } = await harness.call('POST', `${schedules}/${id}/run`)
    const dayAfter = (days: number) => dateOf(dayOf(body.data.date) + days)
    expect((await runOn(dayAfter(7))).body.data).toMatchObject({ date: dayAfter(7) })
    for (const date of [dayAfter(-1), dayAfter(8)])
      expect((await runOn(date)).body).toMatchObject({ status: 400, errors: [{ pointer: '/date' }] })
  })

  it('follows the time zone and opening hours of its space', async () => {
    const spaceId = await createSite()
    const id = await createSchedule({ name: 'Moving', space_id: spaceId })
    const at = async () => {
      const { timezone, next_run_at: next } = await read(`plan-schedules/${id}`)
      const parts = { timeZone: timezone, hour: '2-digit', minute: '2-digit', weekday: 'long' } as const
      return { timezone, local: next && new Intl.DateTimeFormat('en-GB', parts).format(new Date(next)) }
    }
    expect(await at()).toEqual({ timezone: 'Europe/Berlin', local: expect.stringMatching(/day.* 06:00$/) })
    await patchSpace(spaceId, { timezone: 'Asia/Tokyo', opening_hours: { sun: { from: '08:00', to: '12:00' } } })
    expect(await at()).toEqual({ timezone: 'Asia/Tokyo', local: expect.stringMatching(/^Sunday.* 06:00$/) })
    await patchSpace(spaceId, { opening_hours: {} })
    expect(await at()).toEqual({ timezone: 'Asia/Tokyo', local: null })
  })

  it('is deleted with its space, whose plans stay', async () => {
    const spaceId = await createSite()
    const id = await createSchedule({ name: 'Gone', space_id: spaceId })
    const { body } = await harness.call('POST', `${schedules}/${id}/run`)
    expect((await harness.call('DELETE', `${workplace}/spaces/${spaceId}`)).status).toBe(200)
    expect((await harness.call('GET', `${schedules}/${id}`)).status).toBe(404)
    expect(await harness.rows('SELECT 1 FROM platform.schedules WHERE resource_id = $1', [id])).toEqual([])
    expect(await read(`plans/${body.data.id}`)).toMatchObject({ space_id: spaceId })
  })

  it('refuses what it cannot plan, with a pointer', async () => {
    const [floor] = floorIds()
    const spaceId = await createSite()
    const refused = async (body: object, status: number, pointer: string) =>
      expect(await harness.call('POST', schedules, { body: { name: 'X', space_id: spaceId, ...body } })).toMatchObject({
        status,
        body: { errors: [{ pointer }] },
      })
    await refused({ space_id: floor }, 400, '/space_id')
    await refused({ space_id: newId('spc') }, 400, '/space_id')
    await refused({ space_id: berlin }, 409, '/space_id')
    await refused({ local_time: '24:00' }, 400, '/local_time')
    await refused({ weekdays: [] }, 400, '/weekdays')
    await refused({ weekdays: ['mon', 'mon'] }, 400, '/weekdays/1')
    await refused({ scenario_id: newId('scn') }, 400, '/scenario_id')
    await refused({ parameters: { meal_share: 1.1 } }, 400, '/parameters/meal_share')
  })

  it('changes only the members that are named', async () => {
    const spaceId = await createSite()
    const id = await createSchedule({ name: 'Partial', space_id: spaceId, weekdays: ['fri'], metadata: { a: '1' } })
    const before = await read(`plan-schedules/${id}`)
    await change(id, { parameters: { meal_share: 0.25 }, weekdays: null, metadata: { b: '2' } })
    expect(await read(`plan-schedules/${id}`)).toEqual({
      ...before,
      weekdays: null,
      parameters: { ...before.parameters, meal_share: 0.25 },
      metadata: { a: '1', b: '2' },
      updated_at: expect.any(String),
      next_run_at: expect.any(String),
    })
  })
})
