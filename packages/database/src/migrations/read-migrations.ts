import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HistoryEntry } from './history.ts'

/** Thrown when a migration cannot be applied. `cause` is PostgreSQL's error, if there is one. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
  readonly migration: string

  constructor(migration: string, reason: string, cause?: unknown) {
    super(`migration ${migration} ${reason}`, { cause })
    this.migration = migration
  }
}

/** One migration as stored in its folder. */
export interface Migration {
  /** Name of the folder, `<timestamp>_<name>`; migrations run in the order of their names. */
  name: string
  sql: string
  /** SHA-256 of the file in hexadecimal, as Prisma stores it in `_prisma_migrations`. */
  checksum: string
  /** False if the file has the line `-- migrate: no-transaction`. */
  isTransactional: boolean
}

/**
 * Reads a Prisma migrations folder, `<dir>/<timestamp>_<name>/migration.sql`, in order.
 *
 * @throws Error if the folder or the file of one migration is missing
 */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const entries = await readdir(dir, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return await Promise.all(names.sort().map((name) => readMigration(dir, name)))
}

async function readMigration(dir: string, name: string): Promise<Migration> {
  const file = await readFile(join(dir, name, 'migration.sql'))
  const sql = file.toString()
  const checksum = createHash('sha256').update(file).digest('hex')
  return { name, sql, checksum, isTransactional: !/^--\s*migrate:\s*no-transaction\s*$/m.test(sql) }
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
