import { randomBytes } from 'node:crypto'
import { databaseNames, databaseUrls } from '@wp/database'
import type { Client } from 'pg'
import { testPostgres } from '../test-servers.ts'
import { quoteIdentifier, withAdminConnection } from './admin.ts'
import { ensureTemplate, testRolePasswords } from './template.ts'

export type TestDatabase = {
  name: string
  /** As the service serves requests: one workspace at a time. */
  url: string
  /** As its workers run: all workspaces. */
  workerUrl: string
  /** As its migrations run: owns the tables. */
  ownerUrl: string
  /** As superuser, past row-level security: for looking and for arranging. */
  adminUrl: string
  /** Ends every session in it and removes it. */
  drop(): Promise<void>
}

/**
 * An empty, migrated database of its own for a test file: the tables of `services/<service>/prisma/migrations` where
 * there are any, and the platform's. A copy of a template that the first caller of a run makes; copying takes about
 * 20 ms in memory. A name without such a service (`jobs-test`) gives the platform's tables alone.
 *
 * @param server superuser's URL; default the PostgreSQL of the run
 * @throws Error saying why there is no PostgreSQL; MigrationError when the migrations do not apply
 */
export async function createTestDatabase(service: string, server = testPostgres()): Promise<TestDatabase> {
  const template = await ensureTemplate(server, service)
  const roles = databaseNames(service)
  const name = `test_${process.env.WP_TEST_RUN}_${service.replaceAll('-', '_')}_${randomBytes(4).toString('hex')}`
  await withAdminConnection(server, async (admin) => {
    await admin.query(
      `CREATE DATABASE ${quoteIdentifier(name)} TEMPLATE ${quoteIdentifier(template)} STRATEGY FILE_COPY OWNER ${quoteIdentifier(roles.owner)}`,
    )
    // Who may enter is kept outside a database, so it is not copied with it.
    await admin.query(`REVOKE ALL ON DATABASE ${quoteIdentifier(name)} FROM PUBLIC;
      GRANT CONNECT ON DATABASE ${quoteIdentifier(name)} TO ${quoteIdentifier(roles.app)}, ${quoteIdentifier(roles.worker)}`)
  })
  const { app, worker, owner } = databaseUrls(server, service, testRolePasswords, name)
  const adminUrl = new URL(server)
  adminUrl.pathname = `/${name}`
  return {
    name,
    url: app,
    workerUrl: worker,
    ownerUrl: owner,
    adminUrl: adminUrl.href,
    drop: () =>
      withAdminConnection(server, async (admin) => {
        await waitForSessionsToEnd(admin, name)
        await admin.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`)
      }),
  }
}

/**
 * A pool's `end` resolves before its connections are closed. To be ended by force meanwhile would be an error of theirs
 * that nobody listens for any more, and fail whichever test runs then. Who stays on is ended by force after a second.
 */
async function waitForSessionsToEnd(admin: Client, name: string): Promise<void> {
  for (let look = 0; look < 100; look += 1) {
    const { rows } = await admin.query('SELECT FROM pg_stat_activity WHERE datname = $1 LIMIT 1', [name])
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
