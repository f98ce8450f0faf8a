import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { migrate } from './migrate.ts'
import { provisionGroups } from './provision.ts'
import { diffSchema } from './schema-engine.ts'

interface SchemaOptions {
  /** URL of any PostgreSQL server, as a role that may create databases; a scratch database is created there. */
  adminUrl: string
  /** The service's `prisma/migrations`. */
  dir: string
  /** The service's `prisma/schema.prisma`. */
  schemaFile: string
}

/**
 * Returns the SQL of the migration that brings the database to the schema, including the grants of new tables: those
 * with `workspace_id` are protected by row-level security, others are shared. Empty if there is no difference.
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
      return grants.length === 0 ? sql : `${sql}\n-- Grants and row-level security\n${grants.join('\n')}\n`
    })
  })
}

/**
 * Returns a readable list of the differences between the migrations and the schema, and of tables with `workspace_id`
 * that lack forced row-level security. Empty if there are none. CHECK constraints, partial and expression indexes,
 * views and functions cannot be expressed in a Prisma schema and are not compared.
 */
export async function findDrift({ adminUrl, dir, schemaFile }: SchemaOptions): Promise<string> {
  const schema = await readFile(schemaFile, 'utf8')
  return await withScratchDatabase(adminUrl, dir, async (url) => {
    const { summary } = await diffSchema(schema, url)
    const found = await withClient(url, readTables)
    const unguarded = found
      .filter(({ tenant, guarded }) => tenant && !guarded)
      .map(({ name }) => `[!] ${name} has workspace_id but no forced row-level security`)
    return [summary, ...unguarded].filter((line) => line !== '').join('\n')
  })
}

interface Table {
  /** Quoted for SQL where necessary. */
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

/** Advisory lock; its holder may assume that every existing scratch database was left behind by a crash. */
const scratchLockId = 6_610_395_127

/** Runs `work` with the URL of a temporary database, owned by the administrator, that a service's migrations filled. */
async function withScratchDatabase<T>(adminUrl: string, dir: string, work: (url: string) => Promise<T>): Promise<T> {
  await provisionGroups(adminUrl)
  const admin = new Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query('SELECT pg_advisory_lock($1)', [scratchLockId])
    const stale = await admin.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE datname LIKE 'wp\\_scratch\\_%'`,
    )
    for (const { name } of stale.rows) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    const name = `wp_scratch_${randomBytes(6).toString('hex')}`
    await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
    try {
      const url = new URL(adminUrl)
      url.pathname = `/${name}`
      await migrate({ ownerUrl: url.href, dir })
      return await work(url.href)
    } finally {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    }
  } finally {
    await admin.end()
  }
}
