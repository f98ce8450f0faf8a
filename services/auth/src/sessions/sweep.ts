import { createLoop } from '@wp/events'
import type { Worker } from '@wp/service'
import type { Context } from '../context.ts'
import { removeEnded } from '../store/sweep.ts'
import { workerQuery } from '../store/worker-query.ts'

/** Rows one statement removes; small, so that no lock is held long. */
const batch = 1_000

/** Removes counters, tokens and sessions that have ended. */
export function createSessionSweep({ database, log, metrics }: Pick<Context, 'database' | 'log' | 'metrics'>): Worker {
  async function pass(): Promise<'more' | 'idle'> {
    const done = await removeEnded(workerQuery(database.worker), batch)
    for (const { table, removed } of done) metrics.count('auth_removed_total', { table }, removed)
    return done.some(({ removed }) => removed === batch) ? 'more' : 'idle'
  }
  return createLoop({ name: 'session sweep', pass, pollMs: 600_000, log })
}
