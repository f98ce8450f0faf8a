import type { Database, Transaction } from '@wp/database'
import type { Conclusion } from '../delivery/standing.ts'

/** An endpoint for which something was concluded that is not yet done. */
export interface Owing {
  webhookId: string
  workspaceId: string
}

export async function findOwing(pool: Database['worker'], limit: number): Promise<Owing[]> {
  const { rows } = await pool.query<Owing>(
    `SELECT webhook_id AS "webhookId", workspace_id AS "workspaceId" FROM endpoints WHERE owed <> '{}' LIMIT $1`,
    [limit],
  )
  return rows
}

export interface Owed {
  conclusions: Conclusion[]
  failingSince: Date | null
  refusals: number
}

/**
 * Takes what is owed, to be done in this transaction, which holds subscription and endpoint until it ends. Undefined
 * when nothing is any more: another replica has done it, it was well meanwhile, or somebody changed or disabled it.
 */
export async function takeOwed({ query }: Transaction, webhookId: string): Promise<Owed | undefined> {
  const subscription = await query<{ status: string }>(
    'SELECT status FROM subscriptions WHERE webhook_id = $1 FOR NO KEY UPDATE',
    [webhookId],
  )
  const [owed] = await query<Owed>(
    `SELECT owed AS conclusions, failing_since AS "failingSince", refusals FROM endpoints
     WHERE webhook_id = $1 AND owed <> '{}' FOR NO KEY UPDATE`,
    [webhookId],
  )
  if (owed === undefined) return undefined
  await query(`UPDATE endpoints SET owed = '{}' WHERE webhook_id = $1`, [webhookId])
  return subscription[0]?.status === 'active' ? owed : undefined
}
