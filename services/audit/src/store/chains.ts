import type { Query } from '@wp/database'
import type { Appended, Head } from '../chain/append.ts'
import { genesis } from '../chain/record.ts'

/** The chain of what happened in no workspace. No workspace has this name: theirs are identifiers. */
export const platformChain = 'platform'

/** Where a chain ends, locked until the transaction ends; nobody else appends to it meanwhile. Begins it where need be. */
export async function lockChain(query: Query, chain: string): Promise<Head> {
  const [head] = await query<Head>(
    `INSERT INTO audit_chains (workspace_id, seq, hash) VALUES ($1, 0, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET workspace_id = excluded.workspace_id
     RETURNING seq, hash`,
    [chain, genesis],
  )
  if (head === undefined) throw new Error('an upsert answers its row')
  return head
}

/** Which of these records the chain has. To be asked once it is locked, so that it has not one more the next moment. */
export async function knownIds(query: Query, chain: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    'SELECT id FROM audit_records WHERE workspace_id = $1 AND id = ANY ($2::text[])',
    [chain, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Adds records with what stands beside them, and moves the end of their chain. One statement, however many. */
export async function addRecords(query: Query, chain: string, appended: readonly Appended[], end: Head): Promise<void> {
  const each = <T>(pick: (one: Appended) => T): T[] => appended.map(pick)
  const targets = appended.flatMap(({ record }) =>
    [...new Set(record.targets.map(({ id }) => id))].map((targetId) => ({ id: record.id, targetId })),
  )
  await query(
    `WITH given AS (
       SELECT * FROM unnest($4::bigint[], $5::text[], $6::text[], $7::timestamptz[], $8::text[], $9::text[],
                            $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
                            $17::text[], $18::text[], $19::text[], $20::text[])
         AS given (seq, id, action, occurred_at, actor_id, actor_type,
                   targets, request_id, outcome, changes, personal_hash, prev_hash, hash,
                   salt, actor_name, ip, user_agent)
     ), records AS (
       INSERT INTO audit_records (workspace_id, seq, id, action, occurred_at, actor_id, actor_type, targets, request_id,
                                  outcome, changes, personal_hash, prev_hash, hash)
       SELECT $1, seq, id, action, occurred_at, actor_id, actor_type, targets::jsonb, request_id,
              outcome, changes::jsonb, personal_hash, prev_hash, hash
       FROM given
     ), personal AS (
       INSERT INTO audit_personal (workspace_id, id, salt, actor_name, ip, user_agent)
       SELECT $1, id, salt, actor_name, ip, user_agent FROM given
     ), targets AS (
       INSERT INTO audit_targets (workspace_id, target_id, id)
       SELECT $1, * FROM unnest($21::text[], $22::text[])
     )
     UPDATE audit_chains SET seq = $2, hash = $3, updated_at = now() WHERE workspace_id = $1`,
    [
      ...[chain, end.seq, end.hash],
      each(({ record }) => record.seq),
      each(({ record }) => record.id),
      each(({ record }) => record.action),
      each(({ record }) => record.occurredAt),
      each(({ record }) => record.actor.id),
      each(({ record }) => record.actor.type),
      each(({ record }) => JSON.stringify(record.targets)),
      each(({ record }) => record.requestId),
      each(({ record }) => record.outcome),
      each(({ record }) => (record.changes === null ? null : JSON.stringify(record.changes))),
      each(({ record }) => record.personalHash),
      each(({ record }) => record.prevHash),
      each(({ hash }) => hash),
      each(({ personal }) => personal.salt),
      each(({ personal }) => personal.actorName),
      each(({ personal }) => personal.ip),
      each(({ personal }) => personal.userAgent),
      targets.map(({ targetId }) => targetId),
      targets.map(({ id }) => id),
    ],
  )
}
