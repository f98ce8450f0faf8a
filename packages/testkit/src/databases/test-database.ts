import { randomBytes } from 'node:crypto'
import { databaseNames, databaseUrls, operatorPurposes, operatorRole } from '@wp/database'
import type { ClientBase } from 'pg'
import { testPostgres } from '../test-servers.ts'
import { quoteIdentifier, withPooledAdmin } from './admin.ts'
import { ensureTemplate, testRolePasswords } from './template.ts'

export type TestDatabase = {
  name: string
  /** URL with the application role, which serves requests and sees one workspace at a time. */
  url: string
  /** URL with the worker role, which sees all workspaces. */
  workerUrl: string
  /** URL with the role that owns the tables. */
  ownerUrl: string
  /** URL with the superuser, which bypasses row-level security. */
  adminUrl: string
  /** Ends all sessions and drops the database. */
  drop(): Promise<void>
}

/**
 * Creates an empty, migrated database for a test file, with the platform tables and those of
 * `services/<service>/prisma/migrations`. It is a copy of a template, which the first caller creates; a copy takes
 * about 20 ms in memory. A name without such a service, such as `jobs-test`, gives the platform tables only.
 *
 * @param server the superuser's URL; default: the PostgreSQL of the test run
 * @throws Error if there is no PostgreSQL; MigrationError if a migration fails
 */
export async function createTestDatabase(service: string, server = testPostgres()): Promise<TestDatabase> {
  const template = await ensureTemplate(server, service)
  const roles = databaseNames(service)
  const operators = (operatorPurposes[service] ?? []).map((purpose) => operatorRole(service, purpose))
  const users = [roles.app, roles.worker, ...operators].map(quoteIdentifier).join(', ')
  const name = `test_${process.env.WP_TEST_RUN}_${service.replaceAll('-', '_')}_${randomBytes(4).toString('hex')}`
  await withPooledAdmin(server, async (admin) => {
    await admin.query(
      `CREATE DATABASE ${quoteIdentifier(name)} TEMPLATE ${quoteIdentifier(template)} STRATEGY FILE_COPY OWNER ${quoteIdentifier(roles.owner)}`,
    )
    // Connect privileges are not part of the template.
    await admin.query(`REVOKE ALL ON DATABASE ${quoteIdentifier(name)} FROM PUBLIC;
      GRANT CONNECT ON DATABASE ${quoteIdentifier(name)} TO ${users}`)
  })
  const { app, worker, owner } = databaseUrls(server, service, testRolePasswords, name)
  const adminUrl = new URL(server)
  adminUrl.pathname = `/${name}`
  return {
    name,
    url: withPatience(app),
    workerUrl: withPatience(worker),
    ownerUrl: owner,
    adminUrl: adminUrl.href,
    drop: () =>
      withPooledAdmin(server, async (admin) => {
        await waitForSessionsToEnd(admin, name)
        await admin.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`)
      }),
  }
}

/** Lets services wait longer for a connection: on a busy machine a fleet that starts can take more than the default. */
function withPatience(url: string): string {
  const patient = new URL(url)
  patient.searchParams.set('connect_timeout', '20')
  return patient.href
}

/**
 * Waits up to a second until all sessions have ended. A pool's `end` resolves before its connections are closed.
 * Dropping the database with FORCE would raise errors in these connections, which no listener handles, and fail another
 * test.
 */
async function waitForSessionsToEnd(admin: ClientBase, name: string): Promise<void> {
  for (let look = 0; look < 100; look += 1) {
    const { rows } = await admin.query('SELECT FROM pg_stat_activity WHERE datname = $1 LIMIT 1', [name])
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
