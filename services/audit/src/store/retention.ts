import { type Query, type Row, readAuditRetentionDays } from '@wp/database'
import type { AuditChain } from '#db'
import type { StoredAnchor } from './record-types.ts'

/** A chain and the days for which its records are kept: as operators set, else by the plan; null if unknown. */
export interface ChainRetention {
  chain: string
  days: number | null
}

/** Returns chains in the order of their names, after `after`, at most `limit`. */
export async function findChains(query: Query, after: string, limit: number): Promise<ChainRetention[]> {
  const rows = await query<Row<AuditChain, 'workspaceId'> & { days: number | null }>(
    `SELECT c.workspace_id, r.days FROM audit_chains c LEFT JOIN audit_retention r ON r.workspace_id = c.workspace_id
     WHERE c.workspace_id > $1 ORDER BY c.workspace_id LIMIT $2`,
    [after, limit],
  )
  const ofPlans = await readAuditRetentionDays(
    query,
    rows.map(({ workspaceId }) => workspaceId),
  )
  return rows.map(({ workspaceId, days }) => ({ chain: workspaceId, days: days ?? ofPlans.get(workspaceId) ?? null }))
}

/** Locks the beginning of a chain until the end of the transaction, so that runs of the retention follow each other. */
export async function lockBeginning(query: Query, chain: string): Promise<void> {
  await query(`SELECT pg_advisory_xact_lock(hashtextextended('audit_retention ' || $1, 0))`, [chain])
}

/**
 * Deletes the records from the position `from` to that of the anchor, with their personal data and targets, and writes
 * the anchor.
 * @returns the number of records
 */
export async function cutRecords(query: Query, chain: string, from: number, anchor: StoredAnchor): Promise<number> {
  const { seq, hash, cutAt, token } = anchor
  const [row] = await query<{ count: number }>(
    `WITH cut AS (
       DELETE FROM audit_records WHERE workspace_id = $1 AND seq BETWEEN $2 AND $3 RETURNING id, targets
     ), personal AS (
       DELETE FROM audit_personal_data p USING cut WHERE p.workspace_id = $1 AND p.id = cut.id
     ), named AS (
       SELECT DISTINCT cut.id, target->>'id' AS target_id FROM cut, jsonb_array_elements(cut.targets) AS target
     ), targets AS (
       DELETE FROM audit_targets t USING named
       WHERE t.workspace_id = $1 AND t.target_id = named.target_id AND t.id = named.id
     ), anchor AS (
       INSERT INTO audit_anchors (workspace_id, seq, hash, cut_at, token) VALUES ($1, $3, $4, $5, $6)
       ON CONFLICT (workspace_id) DO UPDATE
       SET seq = excluded.seq, hash = excluded.hash, cut_at = excluded.cut_at, token = excluded.token
     )
     SELECT count(*) AS count FROM cut`,
    [chain, from, seq, hash, cutAt, token],
  )
  return row?.count ?? 0
}

/** Sets how long the records of a chain are kept. */
export async function setRetention(query: Query, { chain, days }: { chain: string; days: number }): Promise<void> {
  await query(
    `INSERT INTO audit_retention (workspace_id, days) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET days = excluded.days, updated_at = now()`,
    [chain, days],
  )
}
