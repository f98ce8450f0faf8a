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
 * Fills a database that was just migrated, and holds nothing yet, with what a backup holds: all of it or nothing.
 *
 * @param adminUrl of the database, as a superuser: the rows were checked when they were written, so constraints between
 *   tables, triggers and row-level security rest meanwhile
 * @returns how many rows
 * @throws Error when the database is not empty, was migrated otherwise, or the backup is damaged
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
      if (table === undefined) throw new Error(`the backup has a table ${name}, the database has none`)
      await readTable(client, { ...table, columns }, rows, folder)
    }
    for (const { name, last } of backup.sequences) await client.query('SELECT setval($1, $2)', [name, last])
    await client.query('COMMIT; ANALYZE')
    return backup.tables.reduce((sum, table) => sum + table.rows, 0)
  } finally {
    await client.end()
  }
}

function requireSameMigrations(then: string[], now: string[]): void {
  const missing = then.filter((name) => !now.includes(name))
  const further = now.filter((name) => !then.includes(name))
  if (missing.length + further.length === 0) return
  const say = (names: string[]) => names.map((name) => name.split(' ', 1)[0]).join(', ')
  throw new Error(
    `the database was not migrated by the release the backup is of: ${[
      missing.length > 0 ? `it lacks ${say(missing)}` : [],
      further.length > 0 ? `it has ${say(further)} besides` : [],
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
  const into = client.query(copyFrom(`COPY ${table.identifier} (${list}) FROM STDIN`))
  await pipeline(createReadStream(join(folder, tableFileName(table.name))), createGunzip(), into)
  if (into.rowCount !== rows) throw new Error(`${table.name} has ${into.rowCount} rows instead of ${rows}`)
}
