import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { noMetrics } from '@wp/runtime'
import { eventually } from '@wp/testkit'
import { createBackgroundWorkers, createScheduleWorker } from '../../src/background/index.ts'
import type { Job } from '../../src/index.ts'
import { createRunEnqueuer } from '../../src/schedules/run-enqueuer.ts'
import { openTestEnvironment } from '../fixture/test-environment.ts'
import { createPass, listDates, planQueue, planQueues, put, type TestClock, withFault } from './fixture.ts'

const environment = await openTestEnvironment()
afterEach(async () => {
  await environment.clear()
  await environment.queryAsAdmin('DELETE FROM platform.schedules')
})
afterAll(() => environment.close())

const evening = new Date('2026-11-08T18:00:00Z')
const morning = new Date('2026-11-09T05:00:00Z')

describe('the enqueuer of calendar runs', () => {
  it('runs a declared queue by the clock of the database', async () => {
    const { database, log } = environment
    const workspaceId = newId('ws')
    await put(environment, workspaceId, undefined)
    const [due] = await environment.queryAsAdmin<{ date: string }>(
      `UPDATE platform.schedules SET next_at = next_at - interval '1 day', next_date = next_date - 1
       RETURNING next_date::text AS date`,
    )
    const handled: Job[] = []
    const handle = async (job: Job) => void handled.push(job)
    const queue = { queue: planQueue, calendar: { idPrefix: 'run' as const }, handle }
    const workers = createBackgroundWorkers(
      { jobs: [queue] },
      { database, service: 'solutions', log, metrics: noMetrics },
    )
    for (const worker of workers) await environment.run(worker)
    await eventually(() => handled.length > 0)
    expect(handled).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/^run_/),
        queue: planQueue,
        workspaceId,
        subject: 'plans',
        caller: null,
        input: { resourceId: 'plans', date: due?.date },
      }),
    ])
  })

  it('sleeps until the next run, and wakes when a schedule is put', async () => {
    const { database, log } = environment
    const workspaceId = newId('ws')
    const clock: TestClock = { now: evening }
    expect(await createPass(environment, database, clock).once()).toBe('idle')
    await put(environment, workspaceId, evening)
    // The run is hours away: a minute at most, in case a wake is missed.
    expect(await createPass(environment, database, clock).once()).toBe(60_000)
    let reads = 0
    const now = () => {
      reads += 1
      return clock.now
    }
    const options = { database, service: 'solutions', queues: planQueues, log, now }
    const schedule = { ...createRunEnqueuer(options), everyMs: 3_600_000 }
    await environment.run(createScheduleWorker(schedule, { database, log }))
    await eventually(() => reads > 0)
    clock.now = morning
    await put(environment, newId('ws'), morning)
    await eventually(async () => (await listDates(environment, workspaceId)).plans?.length === 1)
  })

  it('serves every workspace once before it serves one again', async () => {
    const clock: TestClock = { now: evening }
    const [large = '', ...others] = Array.from({ length: 4 }, () => newId('ws'))
    await environment.queryAsAdmin(
      `INSERT INTO platform.schedules (workspace_id, queue, resource_id, local_time, timezone, next_at, next_date)
       SELECT $1, $2, n::text, '06:00', 'Europe/Berlin', $3, '2026-11-09' FROM generate_series(1, 120) AS n`,
      [large, planQueue, morning],
    )
    for (const workspaceId of others) await put(environment, workspaceId, evening)
    clock.now = new Date(morning.getTime() + 60_000)
    const pass = createPass(environment, environment.database, clock)
    const count = async (workspaceId: string) => Object.keys(await listDates(environment, workspaceId)).length
    expect(await pass.once()).toBe('more')
    expect(await count(large)).toBe(50)
    for (const workspaceId of others) expect(await count(workspaceId)).toBe(1)
    await pass.untilIdle()
    expect(await count(large)).toBe(120)
  })

  it('runs the schedules of other workspaces when those of one fail', async () => {
    const [failing = '', other = ''] = [newId('ws'), newId('ws')]
    for (const workspaceId of [failing, other]) await put(environment, workspaceId, evening)
    const database = withFault(environment.database, async (tx) => {
      if (tx.workspaceId === failing) throw new Error('out of order')
    })
    const pass = createPass(environment, database, { now: morning })
    expect(await pass.once()).toBe('more')
    await expect(pass.once()).rejects.toThrow(failing)
    expect(await listDates(environment, other)).toEqual({ plans: ['2026-11-09'] })
    expect(await listDates(environment, failing)).toEqual({})
  })
})
