import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { diffSchema } from './schema-engine.ts'
import { withScratchDatabase } from './scratch-database.ts'

interface SchemaOptions {
  /** A role that may create databases, on any PostgreSQL; a scratch database is made there. */
  adminUrl: string
  /** The service's `prisma/migrations`. */
  dir: string
  /** The service's `prisma/schema.prisma`. */
  schemaFile: string
}

/**
 * The SQL of the migration that a changed schema needs, with the rights of its new tables: those with `workspace_id`
 * are protected, others shared. Empty when the migrations already give the schema.
 */
export async function draftMigration({ adminUrl, dir, schemaFile }: SchemaOptions): Promise<string> {
  const schema = await readFile(schemaFile, 'utf8')
  return await withScratchDatabase(adminUrl, dir, async (url) => {
    const { sql } = await diffSchema(schema, url)
    if (sql === '') return ''
    return await withClient(url, async (client) => {
      const before = await readTables(client)
      await client.query(sql)
      const created = (await readTables(client)).filter(({ name }) => !before.some((table) => table.name === name))
      const grants = created.map(
        ({ name, tenant }) => `SELECT platform.${tenant ? 'protect' : 'share'}('${name.replaceAll("'", "''")}');`,
      )
      return grants.length === 0 ? sql : `${sql}\n-- Who sees the rows\n${grants.join('\n')}\n`
    })
  })
}

/**
 * What separates the migrations from the schema, for people; empty when nothing does. Also names tables with
 * `workspace_id` that row-level security does not guard. CHECK constraints, partial and expression indexes, views and
 * functions are not part of a Prisma schema and are not looked at.
 */
export async function findDrift({ adminUrl, dir, schemaFile }: SchemaOptions): Promise<string> {
  const schema = await readFile(schemaFile, 'utf8')
  return await withScratchDatabase(adminUrl, dir, async (url) => {
    const { summary } = await diffSchema(schema, url)
    const found = await withClient(url, readTables)
    const unguarded = found
      .filter(({ tenant, guarded }) => tenant && !guarded)
      .map(({ name }) => `[!] ${name} holds workspace_id without forced row-level security`)
    return [summary, ...unguarded].filter((line) => line !== '').join('\n')
  })
}

interface Table {
  /** As SQL spells it. */
  name: string
  tenant: boolean
  guarded: boolean
}

async function readTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT quote_ident(c.relname) AS name, a.attname IS NOT NULL AS tenant,
      c.relrowsecurity AND c.relforcerowsecurity AS guarded
    FROM pg_class c
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> '_prisma_migrations'
    ORDER BY c.relname`)
  return rows
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return await work(client).finally(() => client.end())
}
