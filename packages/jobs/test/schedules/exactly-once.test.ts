import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { addDays } from '../../src/schedules/local-clock.ts'
import { openTestEnvironment } from '../fixture/test-environment.ts'
import { createPass, listDates, put, type TestClock, withFault } from './fixture.ts'

const environment = await openTestEnvironment()
afterAll(() => environment.close())

const dayMs = 86_400_000
/** Periods with one change of the clock in every zone that has them. */
const periods = [
  ['autumn', '2026-10-01', 40],
  ['spring', '2027-03-07', 32],
] as const
const startOf = (date: string) => new Date(`${date}T18:00:00Z`)

/** A local time for each zone, in its gap or overlap if it has one, and the days from the start to the first run. */
const schedules = [
  { resourceId: 'berlin', localTime: '02:30', timezone: 'Europe/Berlin', first: 1 },
  { resourceId: 'new-york', localTime: '01:30', timezone: 'America/New_York', first: 1 },
  { resourceId: 'lord-howe', localTime: '02:00', timezone: 'Australia/Lord_Howe', first: 2 },
  { resourceId: 'kolkata', localTime: '06:00', timezone: 'Asia/Kolkata', first: 1 },
]

describe('a calendar schedule', () => {
  it.each(periods)(
    'enqueues one job for each date in %s with two replicas that race and fail',
    async (_, from, days) => {
      const workspaceId = newId('ws')
      const start = startOf(from)
      const clock: TestClock = { now: start }
      for (const schedule of schedules) await put(environment, workspaceId, clock.now, schedule)
      const replicas = [environment.connect(), environment.connect()]
      let terminated = 0
      const dying = replicas.map((replica) => {
        const database = withFault(replica, async ({ query }) => {
          terminated += 1
          await query('SELECT pg_terminate_backend(pg_backend_pid())')
        })
        return createPass(environment, database, clock)
      })
      for (let day = 1; day <= days; day += 1) {
        clock.now = new Date(start.getTime() + day * dayMs)
        // A replica that was just started has no memory of the passes before.
        const passes = replicas.map((replica) => createPass(environment, replica, clock))
        // On some days both lose their connections after the claim, on others one does while the other works.
        if (day % 20 === 0) await Promise.allSettled(dying.map((pass) => pass.once()))
        const fault = day % 20 === 10 ? dying[(day - 10) % 40 === 0 ? 0 : 1]?.once() : undefined
        await Promise.allSettled([fault, ...passes.map((pass) => pass.once())])
        if (fault !== undefined) await passes[0]?.untilIdle()
      }
      expect(terminated).toBeGreaterThan(days / 20)
      const dates = await listDates(environment, workspaceId)
      for (const { resourceId, first } of schedules)
        expect(dates[resourceId]).toEqual(Array.from({ length: days }, (_, day) => addDays(from, first + day)))
    },
  )

  it('is run by another replica when a process is killed before its commit', async () => {
    const workspaceId = newId('ws')
    const { url, workerUrl } = environment
    const start = startOf('2026-10-01')
    await put(environment, workspaceId, start)
    const clock = { now: new Date(start.getTime() + dayMs) }
    const program = fileURLToPath(new URL('./claiming-process.ts', import.meta.url))
    const child = spawn(process.execPath, [program, url, workerUrl, clock.now.toISOString()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      await once(child.stdout, 'data')
      const pass = createPass(environment, environment.database, clock)
      expect(await pass.once()).toBeGreaterThan(0) // locked by the child
      expect(await listDates(environment, workspaceId)).toEqual({})
      child.kill('SIGKILL')
      await once(child, 'exit')
      while ((await pass.once()) !== 'more');
      await pass.untilIdle()
    } finally {
      child.kill('SIGKILL')
    }
    expect(await listDates(environment, workspaceId)).toEqual({ plans: ['2026-10-02'] })
  })
})
