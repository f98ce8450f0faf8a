import type { IdentityChange, IdentityChangePage, IdentityHeartbeat } from '@wp/contracts'
import { type Database, inWorkerTransaction, type Query, type Row, workerQuery } from '@wp/database'
import type { IdentityChange as StoredChange } from '#db'

type Pool = Database['worker']

interface ChangeRow extends Row<StoredChange, 'subjectId'> {
  number: number
  type: IdentityChange['type']
}

interface LogRow {
  latest: number
  hasUnnumbered: boolean
}

/**
 * Gives the next numbers to up to `limit` committed changes, and returns what a heartbeat states about the log. A lock
 * serializes replicas, so that numbers have no gaps and never appear out of order. Without changes to number, one
 * statement is enough: all that was committed before it has a number.
 *
 * @returns undefined if another replica holds the lock
 */
export async function numberIdentityChanges(pool: Pool, limit: number): Promise<IdentityHeartbeat | undefined> {
  const before = await readLog(workerQuery(pool))
  if (!before.hasUnnumbered) return unchanged(before)
  return await inWorkerTransaction(pool, async (_client, query) => {
    const [lock] = await query<{ mine: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('auth.identity_changes', 0)) AS mine`,
    )
    if (lock?.mine !== true) return undefined
    // Read after the lock was taken, so that it includes the numbers of its previous holder.
    const log = await readLog(query)
    if (!log.hasUnnumbered) return unchanged(log)
    const after = Number(log.latest)
    const changes = (await assignNumbers(query, after, limit)).map(toChange)
    return { after, latest: after + changes.length, is_complete: changes.length < limit, changes }
  })
}

function unchanged(log: LogRow): IdentityHeartbeat {
  const latest = Number(log.latest)
  return { after: latest, latest, is_complete: true, changes: [] }
}

const assignNumbers = (query: Query, after: number, limit: number): Promise<ChangeRow[]> =>
  query<ChangeRow>(
    `WITH due AS (
       SELECT change_id, row_number() OVER (ORDER BY change_id) AS place
       FROM (SELECT change_id FROM identity_changes WHERE number IS NULL ORDER BY change_id LIMIT $2) AS oldest
     ), numbered AS (
       UPDATE identity_changes c SET number = $1::bigint + due.place FROM due WHERE c.change_id = due.change_id
       RETURNING c.number, c.type, c.subject_id
     )
     SELECT number, type, subject_id FROM numbered ORDER BY number`,
    [after, limit],
  )

/** Returns a page of up to `limit` changes after a number. */
export async function readChangePage(query: Query, after: number, limit: number): Promise<IdentityChangePage> {
  // Read first: a change that is numbered or deleted between the two statements must not be missed.
  const log = await readLog(query)
  const rows = await query<ChangeRow>(
    `SELECT number, type, subject_id FROM identity_changes WHERE number > $1 ORDER BY number LIMIT $2`,
    [after, limit],
  )
  const changes = rows.map(toChange)
  const latest = Number(log.latest)
  const position = changes.at(-1)?.number ?? after
  // Retention deletes by age, so that what is missing can be anywhere in the page.
  const isContinuous = position === after + changes.length
  if (after > latest || !isContinuous) return { status: 'truncated', position: latest, changes: [] }
  const isCurrent = !log.hasUnnumbered && position >= latest && changes.length < limit
  return { status: isCurrent ? 'current' : 'more', position, changes }
}

async function readLog(query: Query): Promise<LogRow> {
  const [log] = await query<LogRow>(
    `SELECT coalesce(max(number), 0) AS latest, EXISTS (SELECT FROM identity_changes WHERE number IS NULL) AS has_unnumbered
     FROM identity_changes`,
    [],
    'read_identity_log',
  )
  if (log === undefined) throw new Error('the aggregate of the change log has no row')
  return log
}

const toChange = ({ number, type, subjectId }: ChangeRow): IdentityChange => ({
  number: Number(number),
  type,
  id: subjectId,
})
