import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Client, escapeIdentifier } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  type DatabaseBackup,
  readMigrationNames,
  readTableDefinitions,
  type Table,
  tableFileName,
} from './backup-manifest.ts'

/** A consistent snapshot of one database, independent of how long writing it takes. */
export interface Snapshot {
  /** Writes the snapshot into a new folder. @returns the number of rows */
  dump(folder: string): Promise<number>
  close(): Promise<void>
}

/**
 * Takes a snapshot of a service's database. To back up several databases, take all snapshots before writing any of
 * them: their times are then as close as databases without a common transaction allow.
 *
 * @param adminUrl connection URL of the database as a role that bypasses row-level security (superuser, BYPASSRLS)
 */
export async function takeSnapshot(adminUrl: string): Promise<Snapshot> {
  const client = new Client({ connectionString: adminUrl, application_name: 'backup' })
  await client.connect()
  // With row_security off, a role that does not bypass policies gets an error instead of incomplete rows.
  await client.query(`SET row_security = off; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`)
  const { rows } = await client.query<{ at: Date }>('SELECT clock_timestamp() AS at')
  const at = rows[0]?.at.toISOString() ?? ''
  return {
    async dump(folder) {
      // Owner access only: secrets are encrypted or hashed, but names and e-mail addresses are not.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const tables: DatabaseBackup['tables'] = []
      for (const table of await readTableDefinitions(client)) tables.push(await writeTable(client, table, folder))
      const migrations = await readMigrationNames(client)
      const backup: DatabaseBackup = { at, migrations, tables, sequences: await readSequences(client) }
      await writeFile(join(folder, 'backup.json'), `${JSON.stringify(backup, null, 2)}\n`)
      return tables.reduce((sum, table) => sum + table.rows, 0)
    },
    close: () => client.end(),
  }
}

async function writeTable(client: Client, { name, identifier, columns }: Table, folder: string) {
  const list = columns.map(escapeIdentifier).join(', ')
  const rows = client.query(copyTo(`COPY ${identifier} (${list}) TO STDOUT`))
  await pipeline(rows, createGzip(), createWriteStream(join(folder, tableFileName(name))))
  return { name, columns, rows: rows.rowCount }
}

/** Sequences are not transactional: the values read are those of the snapshot's rows or later. */
async function readSequences(client: Client): Promise<DatabaseBackup['sequences']> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS last FROM pg_sequences
     WHERE schemaname IN ('public', 'platform') AND last_value IS NOT NULL ORDER BY 1`,
  )
  return rows
}
