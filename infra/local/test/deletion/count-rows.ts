import type { TestDatabase } from '@wp/testkit'
import { Client } from 'pg'

/** Counts the rows of a workspace in every table with a column `workspace_id`, by table. */
export async function countRows(databases: ReadonlyMap<string, TestDatabase>, workspaceId: string) {
  const counts: Record<string, number> = {}
  for (const [service, { adminUrl }] of databases) {
    const client = new Client({ connectionString: adminUrl })
    await client.connect()
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT table_schema || '.' || table_name AS name FROM information_schema.columns
       WHERE column_name = 'workspace_id' AND table_schema IN ('public', 'platform')`,
    )
    for (const { name } of tables) {
      const text = `SELECT count(*)::int AS n FROM ${name} WHERE workspace_id = $1`
      const { rows } = await client.query<{ n: number }>(text, [workspaceId])
      if (rows[0] !== undefined && rows[0].n > 0) counts[`${service} ${name}`] = rows[0].n
    }
    await client.end()
  }
  return counts
}
