import type { ClientBase } from 'pg'
import { z } from 'zod'
import { platformHistory, readHistory, serviceHistory } from '../migrations/history.ts'

/** What a backup holds of one service's database; the rows lie beside it, a file a table. */
export const DatabaseBackup = z.object({
  /** When what is in it was true. */
  at: z.string(),
  /** The migrations that had been applied, with their checksums: rows fit the tables that these make. */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int() })),
  sequences: z.array(z.object({ name: z.string(), last: z.string() })),
})
export type DatabaseBackup = z.infer<typeof DatabaseBackup>

/** The rows of a table, as COPY writes them, compressed. */
export const tableFileName = (table: string): string => `${table}.copy.gz`

/** A table as statements and files name it. */
export interface Table {
  /** `schema.name`. */
  name: string
  /** Quoted. */
  identifier: string
  columns: string[]
}

/** Every table that holds what happened: all but the histories of migrations. Columns that are computed are left out. */
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

/** The applied migrations, as backup and database are compared by them. */
export async function readMigrationNames(client: ClientBase): Promise<string[]> {
  const histories = [await readHistory(client, platformHistory), await readHistory(client, serviceHistory)]
  return histories.flat().map(({ name, checksum }) => `${name} ${checksum}`)
}
