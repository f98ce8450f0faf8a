import type { HistoryEntry } from './history.ts'
import type { Migration } from './read-migrations.ts'

/** A migration that cannot be, or was not, applied; `cause` has PostgreSQL's error where there is one. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
  readonly migration: string

  constructor(migration: string, reason: string, cause?: unknown) {
    super(`migration ${migration} ${reason}`, { cause })
    this.migration = migration
  }
}

/**
 * What is left to do, given what is on disk and what the database says. Entries without a folder are another version's
 * and pass: during a deployment the older one still starts.
 *
 * @throws MigrationError for one edited after it was applied, or one that stands half done
 */
export function findPending(migrations: readonly Migration[], history: readonly HistoryEntry[]): Migration[] {
  const known = new Map(history.map((entry) => [entry.name, entry]))
  for (const migration of migrations) {
    const entry = known.get(migration.name)
    if (entry === undefined) continue
    if (!entry.finished)
      throw new MigrationError(
        migration.name,
        `stands half done${entry.logs ? ` (${entry.logs})` : ''}: it runs without a transaction; finish or undo it by hand, then resolve it as applied or rolled-back`,
      )
    if (entry.checksum !== migration.checksum)
      throw new MigrationError(migration.name, 'was edited after it was applied: put it back and write a new one')
  }
  return migrations.filter(({ name }) => !known.has(name))
}
