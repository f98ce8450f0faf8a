import { quoteIdentifier, withAdminConnection } from '../databases/admin.ts'
import { sweepScratch } from '../servers/scratch.ts'
import type { TestServers } from './setup.ts'

/** Ends what `setup` started, and what test files started and did not end. */
export default async function teardown(): Promise<void> {
  // True because Jest runs setup and teardown in one process, and setup is the only writer.
  const { wpTestServers } = globalThis as typeof globalThis & { wpTestServers?: TestServers }
  const { postgres, nats } = wpTestServers ?? {}
  if (postgres?.source === 'env') await dropTestDatabases(postgres.url)
  await Promise.all([postgres?.stop(), nats?.stop()])
  sweepScratch({ includeOwn: true })
}

/** Other servers are gone with their databases; the one named by the environment stays, and templates stay in it. */
async function dropTestDatabases(url: string): Promise<void> {
  await withAdminConnection(url, async (admin) => {
    const ofThisRun = `test_${process.env.WP_TEST_RUN}_%`
    const { rows } = await admin.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE datname LIKE $1',
      [ofThisRun],
    )
    for (const { name } of rows) await admin.query(`DROP DATABASE ${quoteIdentifier(name)} WITH (FORCE)`)
  })
}
