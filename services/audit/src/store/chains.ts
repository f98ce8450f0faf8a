import type { Query, Row } from '@wp/database'
import type { AuditRecord } from '#db'
import type { AppendedRecord, ChainHead, StoredAnchor } from './record-types.ts'

/** The chain of events outside any workspace. Cannot collide with a workspace id, which is a TypeID. */
export const platformChain = 'platform'

/**
 * Locks a chain until the end of the transaction, so that no other transaction appends to it. Creates a missing chain.
 * @param initialHash the previous hash of the first record of a new chain
 * @returns its head
 */
export async function lockChain(query: Query, chain: string, initialHash: string): Promise<ChainHead> {
  const [head] = await query<ChainHead>(
    `INSERT INTO audit_chains (workspace_id, seq, hash) VALUES ($1, 0, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET workspace_id = excluded.workspace_id
     RETURNING seq, hash`,
    [chain, initialHash],
    'lock_chain',
  )
  if (head === undefined) throw new Error('the upsert returned no row')
  return head
}

/** Returns the head of a chain; undefined if nothing was ever appended to it. */
export async function findHead(query: Query, chain: string): Promise<ChainHead | undefined> {
  const [head] = await query<ChainHead>('SELECT seq, hash FROM audit_chains WHERE workspace_id = $1', [chain])
  return head
}

/** Returns the anchor of a chain; undefined if nothing of it was cut. */
export async function findAnchor(query: Query, chain: string): Promise<StoredAnchor | undefined> {
  const [anchor] = await query<StoredAnchor>(
    'SELECT seq, hash, cut_at, token FROM audit_anchors WHERE workspace_id = $1',
    [chain],
  )
  return anchor
}

/** Returns which of these records the chain contains. The chain must be locked. */
export async function findExistingIds(query: Query, chain: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await query<Row<AuditRecord, 'id'>>(
    'SELECT id FROM audit_records WHERE workspace_id = $1 AND id = ANY ($2::text[])',
    [chain, ids],
    'find_existing_records',
  )
  return new Set(rows.map(({ id }) => id))
}

/** Inserts records with their personal data and targets, and advances the head of the chain, in one statement. */
export async function insertRecords(
  query: Query,
  chain: string,
  appended: readonly AppendedRecord[],
  end: ChainHead,
): Promise<void> {
  const column = <T>(value: (appended: AppendedRecord) => T): T[] => appended.map(value)
  const targets = appended.flatMap(({ record }) =>
    [...new Set(record.targets.map(({ id }) => id))].map((targetId) => ({ id: record.id, targetId })),
  )
  await query(
    `WITH given AS (
       SELECT * FROM unnest($4::bigint[], $5::text[], $6::text[], $7::timestamptz[], $8::text[], $9::text[],
                            $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
                            $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[])
         AS given (seq, id, action, occurred_at, actor_id, actor_type, actor_client_id, actor_session_id,
                   targets, request_id, outcome, changes, personal_hash, prev_hash, hash,
                   salt, actor_name, ip, user_agent)
     ), records AS (
       INSERT INTO audit_records (workspace_id, seq, id, action, occurred_at, actor_id, actor_type, actor_client_id,
                                  actor_session_id, targets, request_id, outcome, changes, personal_hash, prev_hash, hash)
       SELECT $1, seq, id, action, occurred_at, actor_id, actor_type, actor_client_id,
              actor_session_id, targets::jsonb, request_id, outcome, changes::jsonb, personal_hash, prev_hash, hash
       FROM given
     ), personal AS (
       INSERT INTO audit_personal_data (workspace_id, id, salt, actor_name, ip, user_agent)
       SELECT $1, id, salt, actor_name, ip, user_agent FROM given
     ), targets AS (
       INSERT INTO audit_targets (workspace_id, target_id, id)
       SELECT $1, * FROM unnest($23::text[], $24::text[])
     )
     UPDATE audit_chains SET seq = $2, hash = $3, updated_at = now() WHERE workspace_id = $1`,
    [
      ...[chain, end.seq, end.hash],
      column(({ record }) => record.seq),
      column(({ record }) => record.id),
      column(({ record }) => record.action),
      column(({ record }) => record.occurredAt),
      column(({ record }) => record.actor.id),
      column(({ record }) => record.actor.type),
      column(({ record }) => record.actor.client_id ?? null),
      column(({ record }) => record.actor.session_id ?? null),
      column(({ record }) => JSON.stringify(record.targets)),
      column(({ record }) => record.requestId),
      column(({ record }) => record.outcome),
      column(({ record }) => (record.changes === null ? null : JSON.stringify(record.changes))),
      column(({ record }) => record.personalHash),
      column(({ record }) => record.prevHash),
      column(({ hash }) => hash),
      column(({ personal }) => personal.salt),
      column(({ personal }) => personal.actorName),
      column(({ personal }) => personal.ip),
      column(({ personal }) => personal.userAgent),
      targets.map(({ targetId }) => targetId),
      targets.map(({ id }) => id),
    ],
    'insert_records',
  )
}
