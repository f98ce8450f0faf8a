import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from './bulk/with-client.ts'
import type { LoadFleet } from './load-fleet.ts'

const longestWaitMs = 30_000

/**
 * Waits until jobs, events and deliveries have been processed and PostgreSQL vacuums nothing, half a minute at most.
 * @returns the time in seconds
 */
export async function waitUntilIdle(load: LoadFleet): Promise<number> {
  const startedAt = performance.now()
  const vacuums = {
    adminUrl: load.postgresUrl,
    statement: `SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'`,
  }
  const queues = [...load.fleet.databases].map(([service, { adminUrl }]) => ({
    adminUrl,
    statement: `SELECT (SELECT count(*) FROM platform.jobs WHERE state IN ('queued', 'running') AND run_at <= now())
      + (SELECT count(*) FROM platform.outbox WHERE published_at IS NULL)
      ${service === 'webhook-delivery' ? "+ (SELECT count(*) FROM deliveries WHERE status = 'pending')" : ''} AS count`,
  }))
  for (;;) {
    const counts = await Promise.all(
      [vacuums, ...queues].map(({ adminUrl, statement }) =>
        withClient(adminUrl, async (client) => Number((await client.query(statement)).rows[0]?.count)),
      ),
    )
    const elapsedMs = performance.now() - startedAt
    if (counts.every((count) => count === 0) || elapsedMs > longestWaitMs) return elapsedMs / 1_000
    await pause(200)
  }
}
