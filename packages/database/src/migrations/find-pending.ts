import type { HistoryEntry } from './history.ts'
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
