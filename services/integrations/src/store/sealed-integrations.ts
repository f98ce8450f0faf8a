import type { Database } from '@wp/database'
import type { SealedRows } from '@wp/service'
import { secretBinding } from '../connections/secrets.ts'

interface Row {
  integration_id: string
  secrets: Record<string, string>
}

const isUnder = 'EXISTS (SELECT FROM jsonb_each_text(secrets) s WHERE starts_with(s.value, $1))'

/** The secrets of the integrations of all workspaces. */
export const sealedIntegrations = (pool: Database['worker']): SealedRows<Row> => ({
  what: 'integrations',
  async next(mark, after, limit) {
    const { rows } = await pool.query<Row>(
      `SELECT integration_id, secrets FROM integrations
       WHERE ${isUnder} AND integration_id > $2 ORDER BY integration_id LIMIT $3`,
      [mark, after?.integration_id ?? '', limit],
    )
    return rows
  },
  values: ({ integration_id: id, secrets }) =>
    Object.entries(secrets).map(([name, sealed]) => ({ sealed, belongsTo: secretBinding(id, name) })),
  async replace({ integration_id: id, secrets }, sealed) {
    const anew = Object.fromEntries(Object.entries(secrets).map(([name, was], index) => [name, sealed[index] ?? was]))
    await pool.query('UPDATE integrations SET secrets = $3 WHERE integration_id = $1 AND secrets = $2::jsonb', [
      id,
      JSON.stringify(secrets),
      JSON.stringify(anew),
    ])
  },
  async count(mark) {
    const text = `SELECT count(*)::int AS count FROM integrations WHERE ${isUnder}`
    const { rows } = await pool.query<{ count: number }>(text, [mark])
    return rows[0]?.count ?? 0
  },
})
