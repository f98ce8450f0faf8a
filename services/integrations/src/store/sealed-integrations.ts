import type { Database } from '@wp/database'
import type { SealedStore } from '@wp/service'
import { secretBinding } from '../connections/secrets.ts'

interface Row {
  integration_id: string
  secrets: Record<string, string>
}

const isUnder = 'EXISTS (SELECT FROM jsonb_each_text(secrets) s WHERE starts_with(s.value, $1))'

/** The secrets of the integrations of all workspaces. */
export const sealedIntegrations = (pool: Database['worker']): SealedStore<Row> => ({
  name: 'integrations',
  async findSealedWith(mark, after, limit) {
    const { rows } = await pool.query<Row>(
      `SELECT integration_id, secrets FROM integrations
       WHERE ${isUnder} AND integration_id > $2 ORDER BY integration_id LIMIT $3`,
      [mark, after?.integration_id ?? '', limit],
    )
    return rows
  },
  sealedValues: ({ integration_id: id, secrets }) =>
    Object.entries(secrets).map(([name, sealed]) => ({ sealed, associatedData: secretBinding(id, name) })),
  async updateSealed({ integration_id: id, secrets }, sealed) {
    const anew = Object.fromEntries(Object.entries(secrets).map(([name, was], index) => [name, sealed[index] ?? was]))
    await pool.query('UPDATE integrations SET secrets = $3 WHERE integration_id = $1 AND secrets = $2::jsonb', [
      id,
      JSON.stringify(secrets),
      JSON.stringify(anew),
    ])
  },
  async countSealedWith(mark) {
    const text = `SELECT count(*)::int AS count FROM integrations WHERE ${isUnder}`
    const { rows } = await pool.query<{ count: number }>(text, [mark])
    return rows[0]?.count ?? 0
  },
})
