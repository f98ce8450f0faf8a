import { join } from 'node:path'
import { pause } from '@wp/runtime'
import { Client } from 'pg'
import { applyMigration } from './apply-migration.ts'
import {
  ensureHistory,
  findPending,
  type History,
  MigrationError,
  platformHistory,
  readHistory,
  serviceHistory,
} from './history.ts'
import { readMigrations } from './read-migrations.ts'

interface MigrateOptions {
  /** Connection URL as the owner of the database. */
  ownerUrl: string
  /** The service's `prisma/migrations`; if omitted, only the platform tables are migrated. */
  dir?: string
  log?: (line: string) => void
  /** Maximum wait for another migrator of the same database, in milliseconds; default 10 minutes. */
  waitMs?: number
}

const platformDir = join(import.meta.dirname, '../../platform')

/** Advisory lock that serializes the migrators of a database. */
const migrationLockId = 7_114_820_935

/**
 * Applies the pending migrations: first those of the platform tables, then the service's. Each runs in one transaction
 * together with its history entry, unless it contains `-- migrate: no-transaction`. Concurrent calls are serialized.
 *
 * @returns the names of the migrations applied by this call
 * @throws MigrationError if one fails, was edited after it was applied, or is partially applied by an earlier run
 */
export async function migrate({ ownerUrl, dir, log = () => {}, waitMs = 600_000 }: MigrateOptions): Promise<string[]> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'migrate' })
  await client.connect()
  try {
    await acquireMigrationLock(client, waitMs)
    const applied = await applyPending(client, platformHistory, platformDir, log)
    if (dir !== undefined) applied.push(...(await applyPending(client, serviceHistory, dir, log)))
    return applied
  } finally {
    await client.end()
  }
}

/**
 * Resolves a partially applied migration after manual repair.
 *
 * @param outcome `applied` if its changes were completed by hand, `rolled-back` if they were undone and it must run
 *   again
 * @throws MigrationError if the migration is not partially applied
 */
export async function resolveMigration(
  ownerUrl: string,
  name: string,
  outcome: 'applied' | 'rolled-back',
): Promise<void> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const column = outcome === 'applied' ? 'finished_at' : 'rolled_back_at'
    const { rowCount } = await client.query(
      `UPDATE ${serviceHistory} SET ${column} = now()
       WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
      [name],
    )
    if (rowCount === 0) throw new MigrationError(name, 'is not partially applied')
  } finally {
    await client.end()
  }
}

async function applyPending(
  client: Client,
  history: History,
  dir: string,
  log: (line: string) => void,
): Promise<string[]> {
  await ensureHistory(client, history)
  const pending = findPending(await readMigrations(dir), await readHistory(client, history))
  for (const migration of pending) {
    await applyMigration(client, history, migration)
    log(`applied ${migration.name}`)
  }
  return pending.map(({ name }) => name)
}

/**
 * Polls for the lock instead of waiting inside PostgreSQL: a waiting statement holds a snapshot, and a
 * CREATE INDEX CONCURRENTLY of the current holder would wait for that snapshot.
 */
async function acquireMigrationLock(client: Client, waitMs: number): Promise<void> {
  for (const deadline = Date.now() + waitMs; ; await pause(100)) {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [migrationLockId])
    if (rows[0]?.mine) return
    if (Date.now() > deadline)
      throw new Error(`another migrator has held the lock of this database for more than ${waitMs} ms`)
  }
}
