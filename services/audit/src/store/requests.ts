import {
  type LoggedRequest,
  type Page,
  type RequestReport,
  type RequestUsageDay,
  requestRetentionDays,
  requestUsageDays,
} from '@wp/contracts'
import { decodeCursor, newId, paginate, type Query, type Row } from '@wp/database'
import type { RetentionRule } from '@wp/jobs/background'
import type { z } from 'zod'
import type { RequestDay, RequestEntry } from '#db'

/** Slots of a ring: the newest requests of a workspace that are kept, of users and of programs each. */
export const ringSlots = 10_000

export const requestRetention: RetentionRule[] = [
  { table: 'request_entries', column: 'occurred_at', period: `${requestRetentionDays} days` },
  { table: 'request_days', column: 'last_used_at', period: `${requestUsageDays} days` },
]

/** A reported request with what the contract of its endpoint says. */
export type NewRequest = RequestReport['requests'][number] & { method: string; path: string }

/**
 * Writes requests into the rings of their workspaces, each over the oldest of its ring. A workspace thus never has more
 * rows than slots, and takes none from another.
 */
export async function insertRequests(query: Query, requests: readonly NewRequest[]): Promise<void> {
  if (requests.length === 0) return
  await query(
    `WITH given AS (
       SELECT *, principal_type = 'user' AS is_user,
         row_number() OVER (PARTITION BY workspace_id, principal_type = 'user' ORDER BY occurred_at, id) AS position
       FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::int[],
         $9::text[], $10::int[], $11::text[], $12::text[], $13::text[])
         AS row (workspace_id, id, request_id, occurred_at, endpoint, method, path, status, code, duration_ms,
           principal_id, principal_type, credential_id)
     ), rings AS (
       INSERT INTO request_rings AS ring (workspace_id, is_user, written)
       SELECT workspace_id, is_user, count(*) FROM given GROUP BY workspace_id, is_user ORDER BY workspace_id, is_user
       ON CONFLICT (workspace_id, is_user) DO UPDATE SET written = ring.written + excluded.written
       RETURNING workspace_id, is_user, written
     )
     INSERT INTO request_entries (workspace_id, is_user, slot, id, request_id, occurred_at, endpoint, method, path,
       status, code, duration_ms, principal_id, principal_type, credential_id)
     SELECT workspace_id, is_user, (written - position) % ${ringSlots}, id, request_id, occurred_at, endpoint, method,
       path, status, code, duration_ms, principal_id, principal_type, credential_id
     FROM given JOIN rings USING (workspace_id, is_user)
     ON CONFLICT (workspace_id, is_user, slot) DO UPDATE SET id = excluded.id, request_id = excluded.request_id,
       occurred_at = excluded.occurred_at, endpoint = excluded.endpoint, method = excluded.method, path = excluded.path,
       status = excluded.status, code = excluded.code, duration_ms = excluded.duration_ms,
       principal_id = excluded.principal_id, principal_type = excluded.principal_type,
       credential_id = excluded.credential_id`,
    [
      requests.map((row) => row.workspace_id),
      requests.map(() => newId('req')),
      requests.map((row) => row.request_id),
      requests.map((row) => row.occurred_at),
      requests.map((row) => row.endpoint),
      requests.map((row) => row.method),
      requests.map((row) => row.path),
      requests.map((row) => row.status),
      requests.map((row) => row.code),
      requests.map((row) => row.duration_ms),
      requests.map((row) => row.principal_id),
      requests.map((row) => row.principal_type),
      requests.map((row) => row.credential_id),
    ],
  )
}

/** Adds counts to those of the credentials and days. */
export async function addRequestCounts(query: Query, counts: RequestReport['counts']): Promise<void> {
  if (counts.length === 0) return
  await query(
    `INSERT INTO request_days AS known (workspace_id, credential_id, date, principal_id, principal_type, requests,
       client_errors, server_errors, last_used_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::date[], $4::text[], $5::text[], $6::int[], $7::int[], $8::int[],
       $9::timestamptz[]) AS row (workspace_id, credential_id, date)
     ORDER BY workspace_id, credential_id, date
     ON CONFLICT (workspace_id, credential_id, date) DO UPDATE SET requests = known.requests + excluded.requests,
       client_errors = known.client_errors + excluded.client_errors,
       server_errors = known.server_errors + excluded.server_errors,
       last_used_at = greatest(known.last_used_at, excluded.last_used_at)`,
    [
      counts.map((row) => row.workspace_id),
      counts.map((row) => row.credential_id),
      counts.map((row) => row.date),
      counts.map((row) => row.principal_id),
      counts.map((row) => row.principal_type),
      counts.map((row) => row.requests),
      counts.map((row) => row.client_errors),
      counts.map((row) => row.server_errors),
      counts.map((row) => row.last_used_at),
    ],
  )
}

export interface RequestFilter {
  principal?: string | undefined
  credential?: string | undefined
  callers?: 'programs' | 'users' | undefined
  method?: string | undefined
  status?: string | undefined
  q?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

interface PageQuery {
  limit: number
  cursor?: string | undefined
}

type EntryRow = Row<
  RequestEntry,
  | 'id'
  | 'requestId'
  | 'occurredAt'
  | 'method'
  | 'path'
  | 'endpoint'
  | 'status'
  | 'code'
  | 'durationMs'
  | 'principalId'
  | 'principalType'
  | 'credentialId'
>

/** Returns one page of the requests of a workspace, newest first. A filter reads at most the rings of the workspace. */
export async function findRequests(
  query: Query,
  workspaceId: string,
  filter: RequestFilter,
  { limit, cursor }: PageQuery,
): Promise<Page<z.input<typeof LoggedRequest>>> {
  const values: unknown[] = [workspaceId]
  const conditions = requestConditions(filter, values)
  if (cursor !== undefined) {
    const { createdAt, id } = decodeCursor(cursor)
    conditions.push(`(occurred_at, id) < ($${values.push(createdAt)}, $${values.push(id)})`)
  }
  const rows = await query<EntryRow>(
    `SELECT id, request_id, occurred_at, method, path, endpoint, status, code, duration_ms, principal_id, principal_type,
       credential_id
     FROM request_entries WHERE ${['workspace_id = $1', ...conditions].join(' AND ')}
     ORDER BY occurred_at DESC, id DESC LIMIT ${limit + 1}`,
    values,
  )
  const { items, nextCursor } = paginate(rows, limit, ({ occurredAt, id }) => ({ createdAt: occurredAt, id }))
  return { items: items.map(requestView), nextCursor }
}

/** Adds the values of a filter to `values`. @returns SQL conditions, all of which must hold */
function requestConditions({ status, q, callers, since, until, ...equal }: RequestFilter, values: unknown[]): string[] {
  const columns = {
    principal: 'principal_id',
    credential: 'credential_id',
    method: 'method',
  }
  const equalities = Object.entries(columns).flatMap(([name, column]) => {
    const value = equal[name as keyof typeof equal] // the names of `columns` are those of the fields
    return value === undefined ? [] : [`${column} = $${values.push(value)}`]
  })
  const [first = 0, isClass] = status === undefined ? [] : [Number(status[0]), status.endsWith('xx')]
  const statusCondition = isClass
    ? [`status >= $${values.push(first * 100)}`, `status < $${values.push(first * 100 + 100)}`]
    : status === undefined
      ? []
      : [`status = $${values.push(Number(status))}`]
  return [
    ...equalities,
    ...statusCondition,
    ...(callers === undefined ? [] : [callers === 'users' ? 'is_user' : 'NOT is_user']),
    ...(since === undefined ? [] : [`occurred_at >= $${values.push(since)}`]),
    ...(until === undefined ? [] : [`occurred_at < $${values.push(until)}`]),
    ...(q === undefined
      ? []
      : [`position(lower($${values.push(q)}) IN lower(path || ' ' || endpoint || ' ' || request_id)) > 0`]),
  ]
}

const requestView = (row: EntryRow): z.input<typeof LoggedRequest> => ({
  id: row.id,
  request_id: row.requestId,
  occurred_at: row.occurredAt.toISOString(),
  method: row.method,
  path: row.path,
  endpoint: row.endpoint,
  status: row.status,
  code: row.code,
  duration_ms: row.durationMs,
  principal: principalOf(row),
  credential_id: row.credentialId,
})

/** The principals that the edge reported, whose types its contract has checked. */
const principalOf = ({ principalId, principalType }: Pick<EntryRow, 'principalId' | 'principalType'>) => ({
  id: principalId,
  type: principalType as z.input<typeof LoggedRequest>['principal']['type'],
})

type DayRow = Omit<Row<RequestDay, keyof RequestDay>, 'workspaceId' | 'date'> & { date: string }

/** Returns one page of the daily counts of credentials, the latest use first. */
export async function findRequestDays(
  query: Query,
  workspaceId: string,
  filter: Pick<RequestFilter, 'principal' | 'credential'>,
  { limit, cursor }: PageQuery,
): Promise<Page<z.input<typeof RequestUsageDay>>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const rows = await query<DayRow>(
    `SELECT date::text, credential_id, principal_id, principal_type, requests, client_errors, server_errors, last_used_at
     FROM request_days
     WHERE workspace_id = $1 AND ($2::text IS NULL OR principal_id = $2) AND ($3::text IS NULL OR credential_id = $3)
       AND ($4::timestamptz IS NULL OR (last_used_at, credential_id) < ($4, $5::text))
     ORDER BY last_used_at DESC, credential_id DESC LIMIT ${limit + 1}`,
    [workspaceId, filter.principal ?? null, filter.credential ?? null, after?.createdAt ?? null, after?.id ?? null],
  )
  const { items, nextCursor } = paginate(rows, limit, (row) => ({ createdAt: row.lastUsedAt, id: row.credentialId }))
  return { items: items.map(dayView), nextCursor }
}

const dayView = (row: DayRow): z.input<typeof RequestUsageDay> => ({
  date: row.date,
  credential_id: row.credentialId,
  principal: principalOf(row),
  requests: row.requests,
  client_errors: row.clientErrors,
  server_errors: row.serverErrors,
  last_used_at: row.lastUsedAt.toISOString(),
})
