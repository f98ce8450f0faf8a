import type { Query, Row } from '@wp/database'
import type { AuthorizationCode } from '#db'
import type { WorkspacePlacement } from '../workspaces/workspaces.ts'

/** The grant of a user to a client, as a code stores it. */
export type AuthorizationCodeRow = Row<
  AuthorizationCode,
  | 'workspaceId'
  | 'userId'
  | 'method'
  | 'authenticatedAt'
  | 'clientId'
  | 'clientName'
  | 'redirectUri'
  | 'codeChallenge'
  | 'scopes'
  | 'resource'
>

/** Inserts a code, in the transaction's workspace. */
export async function insertAuthorizationCode(
  query: Query,
  hash: string,
  code: AuthorizationCodeRow,
  lifetimeSeconds: number,
): Promise<void> {
  await query(
    `INSERT INTO authorization_codes (hash, workspace_id, user_id, method, client_id, client_name, redirect_uri,
       code_challenge, scopes, resource, authenticated_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12, now() + make_interval(secs => $11))`,
    [
      hash,
      code.workspaceId,
      code.userId,
      code.method,
      code.clientId,
      code.clientName,
      code.redirectUri,
      code.codeChallenge,
      code.scopes,
      code.resource,
      lifetimeSeconds,
      code.authenticatedAt,
    ],
  )
}

/** Finds the user and workspace of a code, used or not. @param query of the worker role: the workspace is unknown */
export async function findCodePlacement(
  query: Query,
  hash: string,
): Promise<(WorkspacePlacement & { userId: string }) | undefined> {
  const [row] = await query<WorkspacePlacement & { userId: string }>(
    `SELECT c.workspace_id, c.user_id, w.shard, w.location
     FROM authorization_codes c JOIN workspaces w USING (workspace_id) WHERE c.hash = $1 AND w.deleted_at IS NULL`,
    [hash],
  )
  return row
}

/** Marks a code as used and returns it; undefined if it was used before or has expired. Locks the row. */
export async function redeemAuthorizationCode(query: Query, hash: string): Promise<AuthorizationCodeRow | undefined> {
  const [row] = await query<AuthorizationCodeRow>(
    `UPDATE authorization_codes SET used_at = clock_timestamp()
     WHERE hash = $1 AND used_at IS NULL AND expires_at > clock_timestamp()
     RETURNING workspace_id, user_id, method, authenticated_at, client_id, client_name, redirect_uri, code_challenge,
       scopes, resource`,
    [hash],
  )
  return row
}

/** Stores the session that began with a code, so that a second use of the code can end it. */
export async function storeSessionOfCode(query: Query, hash: string, sessionId: string): Promise<void> {
  await query('UPDATE authorization_codes SET session_id = $2 WHERE hash = $1', [hash, sessionId])
}

/** Returns the session that began with a code; undefined if none did. */
export async function findSessionOfCode(query: Query, hash: string): Promise<string | undefined> {
  const [row] = await query<Row<AuthorizationCode, 'sessionId'>>(
    'SELECT session_id FROM authorization_codes WHERE hash = $1',
    [hash],
  )
  return row?.sessionId ?? undefined
}
