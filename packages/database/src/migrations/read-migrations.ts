import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One migration as its folder holds it. */
export interface Migration {
  /** The folder's name, `<timestamp>_<name>`; the order of names is the order of migrations. */
  name: string
  sql: string
  /** SHA-256 of the file, hexadecimal: what Prisma keeps in `_prisma_migrations`. */
  checksum: string
  /** False for a migration that says `-- migrate: no-transaction` on a line of its own. */
  isTransactional: boolean
}

/**
 * Reads a Prisma migrations folder, `<dir>/<timestamp>_<name>/migration.sql`, in order.
 * @throws Error when the folder, or the file of one migration, is missing
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
