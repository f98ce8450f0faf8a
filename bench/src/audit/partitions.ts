import type { Query } from '@wp/database'

type Row = Record<string, string | number>

/**
 * Copies the records to a table partitioned by month, with the same indexes, and measures on both what partitions would
 * change: pages, a batch of a verification, and the deletion of the oldest month of the workspace.
 */
export async function measurePartitions(query: Query, workspaceId: string): Promise<Row[]> {
  const rows: Row[] = []
  await createPartitions(query)
  const measure = async (name: string, work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    rows.push({ name, 'first ms': performance.now() - startedAt })
    process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`)
  }
  await measure('partitions: copied', () => query('INSERT INTO partitioned SELECT * FROM audit_records'))
  await query('VACUUM ANALYZE partitioned')
  for (const table of ['audit_records', 'partitioned']) {
    const page = (condition: string) =>
      `SELECT * FROM ${table} WHERE workspace_id = '${workspaceId}' AND ${condition} ORDER BY occurred_at DESC, id DESC LIMIT 101`
    const [old] = await query<{ time: string }>(
      `SELECT (min(occurred_at) + interval '30 days')::text AS time FROM ${table}`,
    )
    const oldest = `workspace_id = '${workspaceId}' AND occurred_at < '${old?.time}'`
    for (let n = 0; n < 2; n += 1) {
      await measure(`${table}: newest page`, () => query(page('true')))
      await measure(`${table}: page of an unknown actor`, () => query(page(`actor_id = 'usr_unknown'`)))
      await measure(`${table}: 1,000 records by position`, () =>
        query(
          `SELECT * FROM ${table} WHERE workspace_id = '${workspaceId}' AND seq < 500000 ORDER BY seq DESC LIMIT 1000`,
        ),
      )
      await measure(`${table}: one record by id`, () =>
        query(`SELECT * FROM ${table} WHERE workspace_id = '${workspaceId}' AND id = 'log_01000000000000000000004242'`),
      )
    }
    await measure(`${table}: deletion of the oldest month by rows`, () => query(`DELETE FROM ${table} WHERE ${oldest}`))
  }
  await measure('partitioned: drop of one partition', () => query('DROP TABLE partitioned_3'))
  return rows
}

async function createPartitions(query: Query): Promise<void> {
  await query(`CREATE TABLE partitioned (LIKE audit_records INCLUDING DEFAULTS) PARTITION BY RANGE (occurred_at)`)
  for (let month = 0; month <= 25; month += 1)
    await query(`DO $$ BEGIN EXECUTE format('CREATE TABLE partitioned_${month} PARTITION OF partitioned FOR VALUES FROM (%L) TO (%L)',
      date_trunc('month', now()) - interval '${25 - month} months', date_trunc('month', now()) - interval '${24 - month} months'); END $$`)
  await query('ALTER TABLE partitioned ADD PRIMARY KEY (workspace_id, seq, occurred_at)')
  await query('CREATE INDEX ON partitioned (workspace_id, id)')
  await query('CREATE INDEX ON partitioned (workspace_id, occurred_at DESC, id DESC)')
  for (const column of ['actor_id', 'action', 'outcome'])
    await query(`CREATE INDEX ON partitioned (workspace_id, ${column}, occurred_at DESC, id DESC)`)
}
