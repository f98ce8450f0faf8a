import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createTestDatabase, hasDatabase, openWorkerPool, type TestDatabase } from '@wp/testkit'
import { collectStatements, type Statement } from './collect-statements.ts'

const root = join(import.meta.dirname, '../../../..')

const serviceFolders = globSync('services/*', { cwd: root })
  .map((path) => path.slice('services/'.length))
  .filter(hasDatabase)
  .sort()
  .map((service): [folder: string, database: string] => [`services/${service}/src/store`, service])

/** The database of auth has the platform tables and that of queued mails. */
const packageFolders = ['database', 'events', 'jobs', 'mail'].map((name): [folder: string, database: string] => [
  `packages/${name}/src`,
  'auth',
])

/** Files with a statement that cannot be prepared without its parameters, each with the reason. */
const exceptions: Record<string, string> = {
  'packages/database/src/backup/restore.ts': 'the table is a parameter',
  'packages/database/src/migrations/history.ts': 'the table is a field of an object',
  'packages/jobs/src/background/retention.ts': 'table and column are those of a rule',
  'packages/jobs/src/data-deletion/delete-rows.ts': 'the table is a parameter',
  'services/auth/src/store/credentials/last-used.ts': 'the table is a parameter',
  'services/auth/src/store/workspaces/workspace-users.ts': 'the column is a parameter',
  'services/data/src/store/search/newest-records.ts': 'has a part for each source',
  'services/integrations/src/store/integrations.ts': 'the strength of the lock is a parameter',
  'services/solutions/src/store/figures.ts': 'tables and columns are those of a list',
  'services/solutions/src/store/forecast-series.ts': 'tables and columns are those of a list',
  'services/webhook-delivery/src/store/deliveries/replayable-deliveries.ts': 'has a part for each status',
  'services/webhook-delivery/src/store/subscriptions/subscriptions.ts': 'the strength of the lock is a parameter',
}

const databases: TestDatabase[] = []
afterAll(() => Promise.all(databases.map((database) => database.drop())))

describe('the statements', () => {
  it.each([...serviceFolders, ...packageFolders])('of %s can be prepared', async (folder, service) => {
    const database = await createTestDatabase(service)
    databases.push(database)
    const pool = openWorkerPool(database.adminUrl, 1)
    const failures: string[] = []
    const unprepared = new Set<string>()
    for (const file of globSync(`${folder}/**/*.ts`, { cwd: root }).sort())
      for (const statement of await collectStatements(join(root, file))) {
        const failure = await findFailure(statement, (text) => pool.query(text))
        if (failure === undefined) continue
        if (file in exceptions) unprepared.add(file)
        else failures.push(`${file}:${statement.line}: ${failure}`)
      }
    await pool.end()
    expect(failures).toEqual([])
    expect([...unprepared]).toEqual(Object.keys(exceptions).filter((file) => file.startsWith(`${folder}/`)))
  })
})

/**
 * Prepares a statement, with each of its texts until one succeeds.
 * @returns the error of the first text, if all fail
 */
async function findFailure(
  { texts }: Statement,
  query: (text: string) => Promise<unknown>,
): Promise<string | undefined> {
  let failure: string | undefined
  for (const text of texts) {
    try {
      await query(`PREPARE statement AS ${text}`)
      await query('DEALLOCATE statement')
      return undefined
    } catch (error) {
      // A parameter that is used in a replaced part only.
      if (error instanceof Error && 'code' in error && error.code === '42P18') return undefined
      failure ??= String(error)
    }
  }
  return failure
}
