import type { ClientBase } from 'pg'
import { z } from 'zod'
import { platformHistory, readHistory, serviceHistory } from '../migrations/history.ts'

/** Manifest of the backup of one service's database. The rows are stored next to it, one file per table. */
export const DatabaseBackup = z.object({
  /** Time of the snapshot, ISO 8601. */
  at: z.string(),
  /** Applied migrations with their checksums; a restore requires the same ones. */
  migrations: z.array(z.string()), // unbounded: a file of the operator
  // unbounded: a file of the operator
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int() })),
  sequences: z.array(z.object({ name: z.string(), last: z.string() })), // unbounded: a file of the operator
})
export type DatabaseBackup = z.infer<typeof DatabaseBackup>

/** Returns the name of the file with the rows of a table: output of COPY, compressed with gzip. */
export const tableFileName = (table: string): string => `${table}.copy.gz`

/** A table to dump or restore. */
export interface Table {
  /** `schema.name`. */
  name: string
  /** Quoted for SQL. */
  identifier: string
  columns: string[]
}

/** Returns all tables except the migration histories. Generated columns are omitted. */
export async function readTableDefinitions(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT format('%s.%s', n.nspname, c.relname) AS name, format('%I.%I', n.nspname, c.relname) AS identifier,
       array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relkind = 'r' AND n.nspname IN ('public', 'platform')
       AND format('%s.%s', n.nspname, c.relname) <> ALL ($1)
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
     GROUP BY n.nspname, c.relname ORDER BY 1`,
    [[platformHistory, serviceHistory]],
  )
  return rows
}

/** Returns the applied migrations as `<name> <checksum>`, for comparison of backup and database. */
export async function readMigrationNames(client: ClientBase): Promise<string[]> {
  const histories = [await readHistory(client, platformHistory), await readHistory(client, serviceHistory)]
  return histories.flat().map(({ name, checksum }) => `${name} ${checksum}`)
}
