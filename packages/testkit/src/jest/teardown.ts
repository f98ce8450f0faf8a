import { quoteIdentifier, withAdminConnection } from '../databases/admin.ts'
import { sweepScratch } from '../servers/process/scratch.ts'
import type { TestServers } from './setup.ts'

/** Stops the servers of `setup`, and those that test files did not stop. */
export default async function teardown(): Promise<void> {
  // Jest runs setup and teardown in one process, and only setup sets this property.
  const { wpTestServers } = globalThis as typeof globalThis & { wpTestServers?: TestServers }
  const { postgres, nats } = wpTestServers ?? {}
  if (postgres?.source === 'env') await dropTestDatabases(postgres.url)
  await Promise.all([postgres?.stop(), nats?.stop()])
  sweepScratch({ includeOwn: true })
}

/** Drops the databases of this run on a server named by the environment. Templates are kept. */
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
