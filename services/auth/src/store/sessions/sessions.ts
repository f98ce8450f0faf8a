import type { Page } from '@wp/contracts'
import { decodeCursor, newId, paginateBy, type Query, type Row } from '@wp/database'
import type { Session, User } from '#db'
import { withUserContext } from '../cross-workspace.ts'

/** The grant of a user to a client: the bounds of every access token of the session. */
export interface ClientGrant {
  clientId: string
  clientName: string
  workspaceId: string
  scopes: readonly string[]
  /** The only resource of its access tokens; null for all. */
  resource: string | null
}

/** The columns of an `AuthenticatedSession`, in a query that names the sessions `s` and their users `u`. */
export const sessionColumns = `s.session_id, s.user_id, u.email, s.expires_at, s.authenticated_at, s.is_step_up,
  CASE WHEN s.client_id IS NOT NULL THEN jsonb_build_object(
    'clientId', s.client_id, 'clientName', s.client_name, 'workspaceId', s.granted_workspace_id,
    'scopes', to_jsonb(s.granted_scopes), 'resource', s.granted_resource) END AS "grant"`

/** A live session without its refresh token. */
export interface AuthenticatedSession
  extends Row<Session, 'sessionId' | 'userId' | 'authenticatedAt' | 'isStepUp' | 'expiresAt'>,
    Row<User, 'email'> {
  /** Null for a session of the platform's own client. */
  grant: ClientGrant | null
}

export interface LiveSession extends AuthenticatedSession {
  /** Expiry of the newest refresh token; never after the session. */
  refreshExpiresAt: Date
}

/** Maximum lifetime of a session, regardless of its use. */
const sessionLifetimeDays = 90
/** Time after which an unused refresh token expires. */
export const refreshTokenIdleDays = 30

interface NewSession extends Row<Session, 'userId' | 'method'> {
  ip?: string | undefined
  userAgent?: string | undefined
  grant?: ClientGrant | undefined
  /** Default: now. */
  authenticatedAt?: Date | undefined
  isStepUp?: boolean | undefined
}

/** Inserts a session with its first refresh token; undefined if the user does not exist or is disabled. */
export async function insertSession(
  query: Query,
  { userId, method, ip, userAgent, grant, authenticatedAt, isStepUp }: NewSession,
  refreshHash: string,
): Promise<LiveSession | undefined> {
  const [row] = await query<Omit<LiveSession, 'grant'>>(
    `WITH made AS (
       INSERT INTO sessions (session_id, user_id, method, ip, user_agent, expires_at, client_id, client_name,
         granted_workspace_id, granted_scopes, granted_resource, authenticated_at, is_step_up)
       SELECT $1, u.user_id, $3, $4, left($5, 500), date_trunc('milliseconds', now()) + make_interval(days => $7),
         $9, $10, $11, $12::text[], $13, coalesce($14::timestamptz, date_trunc('milliseconds', now())), $15::boolean
       FROM users u WHERE u.user_id = $2 AND u.disabled_at IS NULL
       RETURNING session_id, user_id, expires_at, authenticated_at, is_step_up
     ), refresh AS (
       INSERT INTO refresh_tokens (hash, session_id, expires_at)
       SELECT $6, session_id, least(expires_at, date_trunc('milliseconds', now()) + make_interval(days => $8)) FROM made
       RETURNING expires_at
     )
     SELECT made.session_id, made.user_id, u.email, made.expires_at,
       refresh.expires_at AS refresh_expires_at, made.authenticated_at, made.is_step_up
     FROM made, refresh, users u WHERE u.user_id = made.user_id`,
    [
      newId('ses'),
      userId,
      method,
      ip ?? null,
      userAgent ?? null,
      refreshHash,
      sessionLifetimeDays,
      refreshTokenIdleDays,
      grant?.clientId ?? null,
      grant?.clientName ?? null,
      grant?.workspaceId ?? null,
      grant?.scopes ?? null,
      grant?.resource ?? null,
      authenticatedAt ?? null,
      isStepUp ?? false,
    ],
  )
  return row && { ...row, grant: grant ?? null }
}

export interface SessionRow
  extends Row<
    Session,
    'sessionId' | 'method' | 'clientId' | 'clientName' | 'ip' | 'userAgent' | 'createdAt' | 'lastUsedAt'
  > {
  /** Expiry of the newest refresh token, which is never after the session's; that of the session for a browser. */
  endsAt: Date
}

/** Lists the live sessions of a user, newest first. */
export async function listSessionRows(
  query: Query,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<SessionRow>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const rows = await query<SessionRow>(
    `SELECT s.session_id, s.method, s.client_id, s.client_name, s.ip, s.user_agent, s.created_at, s.last_used_at, r.ends_at
     FROM sessions s, LATERAL (
       SELECT CASE WHEN s.browser_token_hash IS NOT NULL THEN s.expires_at ELSE max(expires_at) END AS ends_at
       FROM refresh_tokens WHERE session_id = s.session_id) r
     WHERE s.user_id = $1 AND s.ended_at IS NULL AND s.expires_at > now() AND r.ends_at > now()
     ${after === undefined ? '' : 'AND (s.created_at, s.session_id) < ($3, $4)'}
     ORDER BY s.created_at DESC, s.session_id DESC LIMIT $2`,
    [userId, limit + 1, ...(after === undefined ? [] : [after.createdAt, after.id])],
  )
  return paginateBy(rows, limit, 'sessionId')
}

/** Reason why a session ended before its expiry. */
type EndReason = 'logout' | 'revoked' | 'reuse' | 'reported'

type SessionOwner = Row<Session, 'sessionId' | 'userId'>

/** Ends a session of a user. @returns false if it was not live */
export async function endSessionRow(
  query: Query,
  { sessionId, userId }: SessionOwner,
  reason: EndReason,
): Promise<boolean> {
  const ended = await query(
    `UPDATE sessions SET ended_at = clock_timestamp(), end_reason = $3
     WHERE session_id = $1 AND user_id = $2 AND ended_at IS NULL AND expires_at > clock_timestamp()
     RETURNING session_id`,
    [sessionId, userId, reason],
  )
  return ended.length > 0
}

/** Ends a session that its user reported by the link of an alert. @returns the user; undefined if it was not live */
export async function endReportedSessionRow(query: Query, sessionId: string): Promise<string | undefined> {
  const [row] = await query<Row<Session, 'userId'>>('SELECT user_id FROM sessions WHERE session_id = $1', [sessionId])
  if (row === undefined) return undefined
  return (await endSessionRow(query, { sessionId, userId: row.userId }, 'reported')) ? row.userId : undefined
}

/** Ends the sessions of clients that a user authorized for a workspace. */
export const endClientSessionsOfUser = (query: Query, workspaceId: string, userId: string): Promise<unknown> =>
  query(
    `UPDATE sessions SET ended_at = clock_timestamp(), end_reason = 'revoked'
     WHERE user_id = $2 AND granted_workspace_id = $1 AND ended_at IS NULL`,
    [workspaceId, userId],
  )

/** Ends all sessions of a user who is a member of no workspace. */
export const endSessionsWithoutWorkspace = (query: Query, userId: string): Promise<unknown> =>
  withUserContext(query, userId, () =>
    query(
      `UPDATE sessions SET ended_at = clock_timestamp(), end_reason = 'revoked'
       WHERE user_id = $1 AND ended_at IS NULL AND NOT EXISTS (SELECT FROM memberships WHERE user_id = $1)`,
      [userId],
    ),
  )

const liveCondition = `s.session_id = $1 AND s.user_id = $2 AND u.user_id = s.user_id AND s.ended_at IS NULL
  AND s.expires_at > clock_timestamp() AND u.disabled_at IS NULL`

/** Finds the session of a user; undefined if it has ended or the user is disabled. */
export async function findAuthenticatedSession(
  query: Query,
  { sessionId, userId }: SessionOwner,
): Promise<AuthenticatedSession | undefined> {
  const [row] = await query<AuthenticatedSession>(
    `SELECT ${sessionColumns} FROM sessions s, users u WHERE ${liveCondition}`,
    [sessionId, userId],
  )
  return row
}

/**
 * Records that the user of a session has proved again who they are.
 * @returns the changed session; undefined if it has ended or the user is disabled
 */
export async function markReauthenticated(
  query: Query,
  { sessionId, userId }: SessionOwner,
): Promise<AuthenticatedSession | undefined> {
  const [row] = await query<AuthenticatedSession>(
    `UPDATE sessions s SET authenticated_at = date_trunc('milliseconds', clock_timestamp())
     FROM users u WHERE ${liveCondition} RETURNING ${sessionColumns}`,
    [sessionId, userId],
  )
  return row
}
