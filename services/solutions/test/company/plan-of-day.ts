import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connectDatabase, type Database } from '@wp/database'
import { serviceCaller } from '@wp/events'
import type { Job } from '@wp/jobs'
import { eventually } from '@wp/testkit'
import { runPlan } from '../../src/plans/run-plan.ts'
import { type Client, type Control, createClient } from '../../src/store/client.ts'
import { dateOf, dayOf } from '../../src/workplace/local-days.ts'
import type { ForecastCompany } from './forecast-company.ts'
import { createPlanner, type Planner, schedules } from './planner.ts'

export function describePlanOfDay(testOf: () => ForecastCompany): void {
  describe('one plan of a space and day', () => {
    let harness: ForecastCompany['harness']
    let { read, change, createSchedule, queueJob, resultOf, run, eventsOf } = {} as Planner // set before the first test
    let database: Database<Client>
    let manchester: string
    let scheduleId: string
    beforeAll(async () => {
      const test = testOf()
      harness = test.harness
      ;({ read, change, createSchedule, queueJob, resultOf, run, eventsOf } = createPlanner(harness))
      manchester = test.company.spaceIds.get('MAN') ?? ''
      const url = harness.fleet.databases.get('solutions')?.workerUrl ?? ''
      database = connectDatabase({ url, workerUrl: url, prisma: createClient, shard: '' })
      scheduleId = await createSchedule({ name: 'Manchester', space_id: manchester })
    })
    afterAll(() => database?.close())
    const plansOf = (date: string) =>
      read(`plans?space_id=${manchester}&since=${date}&until=${dateOf(dayOf(date) + 1)}`)

    it('is made by jobs that are delivered again and run at once', async () => {
      const ids = await Promise.all(Array.from({ length: 6 }, () => queueJob(scheduleId, '2025-05-20')))
      await eventually(async () => (await Promise.all(ids.map(resultOf))).every((job) => job?.state === 'finished'))
      const results = await Promise.all(ids.map(resultOf))
      const made = results.filter((job) => job?.result.plan_id !== undefined)
      expect([made.length, (await eventsOf(manchester, '2025-05-20')).length]).toEqual([1, 1])
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
      expect(await eventsOf(manchester, '2025-05-19')).toEqual([])
      await attempt('2025-05-19', (write) => write())
      expect([(await plansOf('2025-05-19')).length, (await eventsOf(manchester, '2025-05-19')).length]).toEqual([1, 1])
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
      expect([(await plansOf(date)).length, (await eventsOf(manchester, date)).length]).toEqual([1, 1])
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
      scheduleId = await createSchedule({ name: 'Manchester', space_id: manchester })
      expect(await run(scheduleId, '2025-05-20')).toEqual({ skipped: 'the day has a plan' })
    })
  })
}
