import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { Migration } from './read-migrations.ts'

/** Thrown when a migration cannot be applied. `cause` is PostgreSQL's error, if there is one. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
  readonly migration: string

  constructor(migration: string, reason: string, cause?: unknown) {
    super(`migration ${migration} ${reason}`, { cause })
    this.migration = migration
  }
}

/** History of the service's migrations. Compatible with Prisma Migrate, so that its command line works too. */
export const serviceHistory = 'public._prisma_migrations'

/** History of the platform tables, separate because Prisma's command line must not see it. */
export const platformHistory = 'platform.migrations'

export type History = typeof serviceHistory | typeof platformHistory

/** A migration that was started and not rolled back. */
export interface HistoryEntry {
  name: string
  checksum: string
  finished: boolean
  logs: string | null
}

/** Creates the history table if it is missing. Services may read it to check that their schema exists. */
export async function ensureHistory(client: ClientBase, table: History): Promise<void> {
  await client.query(`
    CREATE SCHEMA IF NOT EXISTS ${table.split('.')[0]};
    CREATE TABLE IF NOT EXISTS ${table} (
      id                  varchar(36) PRIMARY KEY NOT NULL,
      checksum            varchar(64) NOT NULL,
      finished_at         timestamptz,
      migration_name      varchar(255) NOT NULL,
      logs                text,
      rolled_back_at      timestamptz,
      started_at          timestamptz NOT NULL DEFAULT now(),
      applied_steps_count integer NOT NULL DEFAULT 0
    );
    GRANT SELECT ON ${table} TO wp_app, wp_worker`)
}

/** Returns the applied and the partially applied migrations; none if the table does not exist yet. */
export async function readHistory(client: ClientBase, table: History): Promise<HistoryEntry[]> {
  const { rows } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [table])
  if (!rows[0]?.exists) return []
  const entries = await client.query<HistoryEntry>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, logs FROM ${table}
     WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name`,
  )
  return entries.rows
}

/** Records that a migration has finished; call it inside the migration's transaction if it has one. */
export async function recordFinished(client: ClientBase, table: History, migration: Migration): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE ${table} SET finished_at = clock_timestamp(), applied_steps_count = 1
     WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [migration.name],
  )
  if (rowCount === 0) await insert(client, table, migration, { finished: true })
}

/** Records the start of a migration without a transaction, so that a crash is visible. */
export const recordStarted = (client: ClientBase, table: History, migration: Migration): Promise<void> =>
  insert(client, table, migration, {})

/** Records a failed migration: rolled back if it has a transaction, otherwise partially applied. */
export async function recordFailed(
  client: ClientBase,
  table: History,
  migration: Migration,
  logs: string,
): Promise<void> {
  if (migration.isTransactional) return await insert(client, table, migration, { logs, rolledBack: true })
  await client.query(
    `UPDATE ${table} SET logs = $2 WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [migration.name, logs],
  )
}

async function insert(
  client: ClientBase,
  table: History,
  { name, checksum }: Migration,
  { finished = false, rolledBack = false, logs }: { finished?: boolean; rolledBack?: boolean; logs?: string },
): Promise<void> {
  await client.query(
    `INSERT INTO ${table} (id, checksum, migration_name, logs, finished_at, rolled_back_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN clock_timestamp() END, CASE WHEN $6 THEN clock_timestamp() END, $7)`,
    [randomUUID(), checksum, name, logs ?? null, finished, rolledBack, finished ? 1 : 0],
  )
}

/**
 * Returns the migrations on disk that are not in the history. History entries without a folder belong to another
 * release and are ignored, so that the older release still starts during a deployment.
 *
 * @throws MigrationError if one was edited after it was applied, or is partially applied
 */
export function findPending(migrations: readonly Migration[], history: readonly HistoryEntry[]): Migration[] {
  const entries = new Map(history.map((entry) => [entry.name, entry]))
  for (const migration of migrations) {
    const entry = entries.get(migration.name)
    if (entry === undefined) continue
    if (!entry.finished)
      throw new MigrationError(
        migration.name,
        `is partially applied${entry.logs ? ` (${entry.logs})` : ''}: it runs without a transaction; complete or undo it by hand, then resolve it as applied or rolled-back`,
      )
    if (entry.checksum !== migration.checksum)
      throw new MigrationError(migration.name, 'was edited after it was applied: restore it and write a new migration')
  }
  return migrations.filter(({ name }) => !entries.has(name))
}
