import { join } from 'node:path'
import { pause } from '@wp/runtime'
import { Client } from 'pg'
import { applyMigration } from './apply-migration.ts'
import { findPending, MigrationError } from './find-pending.ts'
import { ensureHistory, type History, platformHistory, readHistory, serviceHistory } from './history.ts'
import { readMigrations } from './read-migrations.ts'

interface MigrateOptions {
  /** Address of the database as its owner. */
  ownerUrl: string
  /** The service's `prisma/migrations`; left out: the platform tables alone. */
  dir?: string
  log?: (line: string) => void
  /** How long to wait for another migrator of the same database, in milliseconds. */
  waitMs?: number
}

const platformDir = join(import.meta.dirname, '../../platform')

/** Any number, the same in every migrator: one migrates a database at a time. */
const migrationLockId = 7_114_820_935

/**
 * Brings a database up to date: the platform tables, then the service's own. Each migration runs in one transaction
 * with its entry in the history, unless it says `-- migrate: no-transaction`. Nothing to do is no error; two at once
 * take turns.
 *
 * @returns the names of the migrations applied now
 * @throws MigrationError when one fails, was edited after it was applied, or stands half done from an earlier run
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
 * The names of the migrations that a database still lacks, as any of its roles sees it; also what a service asks to
 * know whether its schema is there.
 */
export async function pendingMigrations({ url, dir }: { url: string; dir?: string }): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const pending = findPending(await readMigrations(platformDir), await readHistory(client, platformHistory))
    if (dir !== undefined)
      pending.push(...findPending(await readMigrations(dir), await readHistory(client, serviceHistory)))
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/**
 * Ends the half-done state of a migration without a transaction, after somebody has looked: `applied` when its changes
 * are complete, `rolled-back` when they were undone and it shall run again.
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
    if (rowCount === 0) throw new MigrationError(name, 'does not stand half done')
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
 * Asks again and again rather than waiting inside PostgreSQL: a statement that waits holds a snapshot, for which a
 * CREATE INDEX CONCURRENTLY of the one whose turn it is would wait in turn.
 */
async function acquireMigrationLock(client: Client, waitMs: number): Promise<void> {
  for (const deadline = Date.now() + waitMs; ; await pause(100)) {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [migrationLockId])
    if (rows[0]?.mine) return
    if (Date.now() > deadline) throw new Error('another migrator has been at this database for too long')
  }
}
