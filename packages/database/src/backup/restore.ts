import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Client, escapeIdentifier } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import {
  DatabaseBackup,
  readMigrationNames,
  readTableDefinitions,
  type Table,
  tableFileName,
} from './backup-manifest.ts'

/**
 * Restores a backup into a migrated, empty database, in one transaction.
 *
 * @param adminUrl connection URL of the database as a superuser: foreign keys, triggers and row-level security are
 *   disabled during the restore, because the rows were checked when they were first written
 * @returns the number of rows
 * @throws Error if the database is not empty, has other migrations than the backup, or the backup is damaged
 */
export async function restoreDatabase(adminUrl: string, folder: string): Promise<number> {
  const backup = DatabaseBackup.parse(JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8')))
  const client = new Client({ connectionString: adminUrl, application_name: 'restore' })
  await client.connect()
  try {
    await client.query('BEGIN; SET LOCAL row_security = off; SET LOCAL session_replication_role = replica')
    requireSameMigrations(backup.migrations, await readMigrationNames(client))
    const tables = new Map((await readTableDefinitions(client)).map((table) => [table.name, table]))
    for (const table of tables.values()) await requireEmpty(client, table)
    for (const { name, columns, rows } of backup.tables) {
      const table = tables.get(name)
      if (table === undefined)
        throw new Error(`the backup contains the table ${name}, which the database does not have`)
      await readTable(client, { ...table, columns }, rows, folder)
    }
    for (const { name, last } of backup.sequences) await client.query('SELECT setval($1, $2)', [name, last])
    await client.query('COMMIT; ANALYZE')
    return backup.tables.reduce((sum, table) => sum + table.rows, 0)
  } finally {
    await client.end()
  }
}

function requireSameMigrations(expected: string[], actual: string[]): void {
  const missing = expected.filter((name) => !actual.includes(name))
  const unexpected = actual.filter((name) => !expected.includes(name))
  if (missing.length + unexpected.length === 0) return
  const list = (names: string[]) => names.map((name) => name.split(' ', 1)[0]).join(', ')
  throw new Error(
    `the database was migrated by another release than the backup: ${[
      missing.length > 0 ? `missing ${list(missing)}` : [],
      unexpected.length > 0 ? `unexpected ${list(unexpected)}` : [],
    ]
      .flat()
      .join('; ')}`,
  )
}

async function requireEmpty(client: Client, { name, identifier }: Table): Promise<void> {
  const { rowCount } = await client.query(`SELECT FROM ${identifier} LIMIT 1`)
  if (rowCount !== 0) throw new Error(`${name} holds rows: only an empty database is restored`)
}

async function readTable(client: Client, table: Table, rows: number, folder: string): Promise<void> {
  const list = table.columns.map(escapeIdentifier).join(', ')
  const copy = client.query(copyFrom(`COPY ${table.identifier} (${list}) FROM STDIN`))
  await pipeline(createReadStream(join(folder, tableFileName(table.name))), createGunzip(), copy)
  if (copy.rowCount !== rows) throw new Error(`${table.name} has ${copy.rowCount} rows instead of ${rows}`)
}
