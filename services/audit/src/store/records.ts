import type { Page } from '@wp/contracts'
import { decodeCursor, paginate, type Query, type Row } from '@wp/database'
import type { AuditPersonalData, AuditRecord } from '#db'
import type { ChainHead, StoredRecord } from './record-types.ts'

export interface RecordFilter {
  actor?: string | undefined
  action?: string | undefined
  target?: string | undefined
  outcome?: string | undefined
  /** Inclusive. */
  since?: string | undefined
  /** Exclusive. */
  until?: string | undefined
}

/** A record with its personal data, which are null after erasure. */
interface RecordRow
  extends Omit<AuditRecord, 'seq' | 'targets' | 'outcome' | 'changes' | 'recordedAt'>,
    Nullable<Row<AuditPersonalData, 'salt' | 'actorName' | 'ip' | 'userAgent'>> {
  seq: number
  targets: StoredRecord['record']['targets']
  outcome: StoredRecord['record']['outcome']
  changes: StoredRecord['record']['changes']
}
type Nullable<T> = { [Field in keyof T]: T[Field] | null }

const select = `SELECT r.workspace_id, r.seq, r.id, r.action, r.occurred_at, r.actor_id, r.actor_type,
    r.actor_client_id, r.actor_session_id, r.targets, r.request_id, r.outcome, r.changes, r.personal_hash, r.prev_hash,
    r.hash, p.salt, p.actor_name, p.ip, p.user_agent
  FROM audit_records r LEFT JOIN audit_personal_data p ON p.workspace_id = r.workspace_id AND p.id = r.id
  WHERE r.workspace_id = $1`

/** Returns one page of a workspace's records, newest first. Every filter has an index. */
export async function findRecords(
  query: Query,
  workspaceId: string,
  filter: RecordFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<StoredRecord>> {
  const values: unknown[] = [workspaceId]
  const conditions = filterConditions(filter, values)
  if (cursor !== undefined) {
    const { createdAt, id } = decodeCursor(cursor)
    conditions.push(`(r.occurred_at, r.id) < ($${values.push(createdAt)}, $${values.push(id)})`)
  }
  const rows = await query<RecordRow>(
    `${[select, ...conditions].join(' AND ')} ORDER BY r.occurred_at DESC, r.id DESC LIMIT ${limit + 1}`,
    values,
  )
  return paginate(rows.map(toStoredRecord), limit, ({ record }) => ({
    createdAt: new Date(record.occurredAt),
    id: record.id,
  }))
}

/**
 * Adds the values of a filter to `values`, whose first is the workspace. @returns SQL conditions, all of which must
 * hold
 */
function filterConditions(filter: RecordFilter, values: unknown[]): string[] {
  const { actor, action, target, outcome, since, until } = filter
  const condition = (value: string | undefined, sql: (placeholder: string) => string) =>
    value === undefined ? [] : [sql(`$${values.push(value)}`)]
  return [
    ...condition(actor, (name) => `r.actor_id = ${name}`),
    ...condition(action, (name) => `r.action = ${name}`),
    ...condition(outcome, (name) => `r.outcome = ${name}`),
    ...condition(
      target,
      (name) => `r.id IN (SELECT id FROM audit_targets WHERE workspace_id = $1 AND target_id = ${name})`,
    ),
    ...condition(since, (name) => `r.occurred_at >= ${name}`),
    ...condition(until, (name) => `r.occurred_at < ${name}`),
  ]
}

export async function findRecord(query: Query, workspaceId: string, id: string): Promise<StoredRecord | undefined> {
  const [row] = await query<RecordRow>(`${select} AND r.id = $2`, [workspaceId, id])
  return row && toStoredRecord(row)
}

/** The position of a record. The id orders records that have the same position, which only tampering can cause. */
export type RecordPosition = Row<AuditRecord, 'seq' | 'id'>

/** Reads records of a chain in descending order: below `below`, down to the position `from`, at most `limit`. */
export async function readDescending(
  query: Query,
  chain: string,
  { below, from, limit }: { below: RecordPosition; from: number; limit: number },
): Promise<StoredRecord[]> {
  const rows = await query<RecordRow>(
    `${select} AND (r.seq, r.id) < ($2, $3) AND r.seq >= $4 ORDER BY r.seq DESC, r.id DESC LIMIT ${limit}`,
    [chain, below.seq, below.id, from],
  )
  return rows.map(toStoredRecord)
}

/**
 * Reads records of a part of a chain in ascending order: above the position `after`, up to `to`, at most `limit`. The
 * part bounds the work of the statement, however few of its records match the filter.
 */
export async function readAscending(
  query: Query,
  workspaceId: string,
  filter: RecordFilter,
  { after, to, limit }: { after: number; to: number; limit: number },
): Promise<StoredRecord[]> {
  const values: unknown[] = [workspaceId]
  const conditions = filterConditions(filter, values)
  conditions.push(`r.seq > $${values.push(after)}`, `r.seq <= $${values.push(to)}`)
  const rows = await query<RecordRow>(
    `${[select, ...conditions].join(' AND ')} ORDER BY r.seq, r.id LIMIT ${limit}`,
    values,
  )
  return rows.map(toStoredRecord)
}

/**
 * Returns the head of the chain, the position of its last record, and the previous hash named by the record after `to`.
 * Read in one statement, so that a record appended concurrently is not taken for an inserted one.
 */
export async function readChainEnd(
  query: Query,
  chain: string,
  to: number | undefined,
): Promise<{ head: ChainHead | undefined; lastSeq: number; nextPrevHash: string | null }> {
  const [row] = await query<{ seq: number | null; hash: string | null; lastSeq: number; nextPrevHash: string | null }>(
    `SELECT c.seq, c.hash,
            coalesce((SELECT max(seq) FROM audit_records WHERE workspace_id = $1), 0) AS last_seq,
            (SELECT prev_hash FROM audit_records WHERE workspace_id = $1 AND seq = $2::bigint + 1
             ORDER BY id LIMIT 1) AS next_prev_hash
     FROM (SELECT 1) AS one LEFT JOIN audit_chains c ON c.workspace_id = $1`,
    [chain, to ?? null],
  )
  const { seq = null, hash = null, lastSeq = 0, nextPrevHash = null } = row ?? {}
  return { head: seq === null || hash === null ? undefined : { seq, hash }, lastSeq, nextPrevHash }
}

function toStoredRecord(row: RecordRow): StoredRecord {
  const { occurredAt, hash, salt, actorName, ip, userAgent, ...chained } = row
  const { actorId, actorType, actorClientId, actorSessionId, ...rest } = chained
  const actor = {
    id: actorId,
    type: actorType,
    ...(actorClientId === null ? {} : { client_id: actorClientId }),
    ...(actorSessionId === null ? {} : { session_id: actorSessionId }),
  }
  return {
    record: { ...rest, occurredAt: occurredAt.toISOString(), actor },
    hash,
    personal: salt === null ? null : { salt, actorName, ip, userAgent },
  }
}
