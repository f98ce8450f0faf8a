import type { Database } from '@wp/database'
import type { SealedStore } from '@wp/service'

interface Row {
  integrationId: string
  secrets: Record<string, string>
}

const hasPrefix = 'EXISTS (SELECT FROM jsonb_each_text(secrets) s WHERE starts_with(s.value, $1))'

/** Returns the associated data of a sealed secret. */
export const secretAssociatedData = (integrationId: string, name: string): string => `${integrationId}/secrets/${name}`

/** The sealed secrets of all integrations, for key rotation. */
export const sealedIntegrations = (pool: Database['worker']): SealedStore<Row> => ({
  name: 'integrations',
  async findSealedWith(mark, after, limit) {
    const { rows } = await pool.query<Row>(
      `SELECT integration_id, secrets FROM integrations
       WHERE ${hasPrefix} AND integration_id > $2 ORDER BY integration_id LIMIT $3`,
      [mark, after?.integrationId ?? '', limit],
    )
    return rows
  },
  sealedValues: ({ integrationId: id, secrets }) =>
    Object.entries(secrets).map(([name, sealed]) => ({ sealed, associatedData: secretAssociatedData(id, name) })),
  async updateSealed({ integrationId: id, secrets }, sealed) {
    const resealed = Object.fromEntries(
      Object.entries(secrets).map(([name, was], index) => [name, sealed[index] ?? was]),
    )
    await pool.query('UPDATE integrations SET secrets = $3 WHERE integration_id = $1 AND secrets = $2::jsonb', [
      id,
      JSON.stringify(secrets),
      JSON.stringify(resealed),
    ])
  },
  async countSealedWith(mark) {
    const text = `SELECT count(*)::int AS count FROM integrations WHERE ${hasPrefix}`
    const { rows } = await pool.query<{ count: number }>(text, [mark])
    return rows[0]?.count ?? 0
  },
})
