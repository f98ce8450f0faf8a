import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

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
