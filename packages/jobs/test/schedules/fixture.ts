import type { Database, Transaction } from '@wp/database'
import { type NewSchedule, putSchedule } from '../../src/index.ts'
import { createRunEnqueuer } from '../../src/schedules/run-enqueuer.ts'
import type { TestEnvironment } from '../fixture/test-environment.ts'
import { callerIn } from '../fixture/test-jobs.ts'

export const planQueue = 'plan'
/** Any prefix serves. */
export const planQueues = { [planQueue]: 'run' } as const

/** A clock that the test sets. */
export interface TestClock {
  now: Date
}

/** Creates the pass of one replica, by the clock of a test; without one, by that of the database. */
export function createPass({ log }: TestEnvironment, database: Database, clock?: TestClock) {
  const { pass } = createRunEnqueuer({
    database,
    service: 'solutions',
    queues: planQueues,
    log,
    ...(clock === undefined ? {} : { now: () => clock.now }),
  })
  const { signal } = new AbortController()
  return {
    once: () => pass(signal),
    /** Runs passes until nothing is due, or another replica has locked what is. */
    async untilIdle(): Promise<void> {
      while ((await pass(signal)) === 'more');
    },
  }
}

/** Puts a schedule in a transaction of its own, by default at 06:00 in Berlin. */
export const put = (
  { database }: TestEnvironment,
  workspaceId: string,
  now: Date | undefined,
  schedule: Partial<NewSchedule> = {},
) =>
  database.transact(callerIn(workspaceId), (tx) =>
    putSchedule(
      tx,
      { queue: planQueue, resourceId: 'plans', localTime: '06:00', timezone: 'Europe/Berlin', ...schedule },
      now,
    ),
  )

/** Returns the dates of the enqueued jobs of a workspace, in order, by resource. */
export async function listDates(environment: TestEnvironment, workspaceId: string): Promise<Record<string, string[]>> {
  const rows = await environment.queryAsAdmin<{ subject: string; dates: string[] }>(
    `SELECT subject, array_agg(input ->> 'date' ORDER BY input ->> 'date') AS dates FROM platform.jobs
     WHERE workspace_id = $1 AND queue = $2 AND input ->> 'resourceId' = subject GROUP BY subject`,
    [workspaceId, planQueue],
  )
  return Object.fromEntries(rows.map(({ subject, dates }) => [subject, dates]))
}

/** Returns the database of a replica whose transactions run `fault` before they commit. */
export const withFault = (database: Database, fault: (tx: Transaction) => Promise<void>): Database => ({
  ...database,
  transact: (caller, work) =>
    database.transact(caller, async (tx) => {
      const result = await work(tx)
      await fault(tx)
      return result
    }),
})
