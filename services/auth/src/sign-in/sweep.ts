import type { Database } from '@wp/database'
import { createLoop } from '@wp/events'
import type { Logger, Worker } from '@wp/service'
import { removeEndedLogins } from '../store/logins.ts'
import { workerQuery } from '../store/worker-query.ts'

/** Rows one statement removes; small, so that no lock is held long. */
const batch = 2_000

/** Removes sign-ins that have ended. */
export function createLoginSweep({ pool, log }: { pool: Database['worker']; log: Logger }): Worker {
  const pass = async () => ((await removeEndedLogins(workerQuery(pool), batch)) === batch ? 'more' : 'idle')
  return createLoop({ name: 'sign-in sweep', pass, pollMs: 600_000, log })
}
