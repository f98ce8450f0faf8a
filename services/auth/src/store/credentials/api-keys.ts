import { type Page, type PrincipalType, problem, type Scope } from '@wp/contracts'
import { decodeCursor, newId, paginateBy, type Query, type Row } from '@wp/database'
import type { ApiKey } from '#db'
import type { Tx } from '../client.ts'
import type { WorkspacePlacement } from '../workspaces/workspaces.ts'

/** An API key without its secret. */
export type ApiKeyRow = Row<
  ApiKey,
  | 'keyId'
  | 'workspaceId'
  | 'shard'
  | 'location'
  | 'name'
  | 'last4'
  | 'createdBy'
  | 'createdAt'
  | 'expiresAt'
  | 'lastUsedAt'
  | 'rotatedAt'
> & { scopes: Scope[]; creatorRemoved: boolean }

const columns = `key_id, workspace_id, shard, location, name, scopes, last4, created_by, created_at, expires_at,
  last_used_at, rotated_at,
  CASE created_by_type
    WHEN 'user' THEN NOT EXISTS (
      SELECT FROM memberships m WHERE m.workspace_id = k.workspace_id AND m.user_id = k.created_by)
    WHEN 'service_principal' THEN NOT EXISTS (
      SELECT FROM service_principals p WHERE p.client_id = k.created_by AND p.deleted_at IS NULL)
    ELSE false
  END AS creator_removed`

/** Condition: the key is none of a portal link, which is managed with its link. */
export const isApiKey = 'portal_link_id IS NULL'

/** Returns an API key of the workspace. @throws Problem `not_found` */
export async function requireApiKey(query: Query, workspaceId: string, keyId: string): Promise<ApiKeyRow> {
  const [row] = await query<ApiKeyRow>(
    `SELECT ${columns} FROM api_keys k WHERE k.workspace_id = $1 AND k.key_id = $2 AND k.deleted_at IS NULL AND ${isApiKey}`,
    [workspaceId, keyId],
  )
  if (row === undefined) throw problem('not_found')
  return row
}

/** Condition: the key is the token of a directory, which can do nothing else. */
export const isDirectoryToken = `scopes = ARRAY['auth:provision']`

interface ApiKeyFilters {
  limit: number
  cursor?: string | undefined
  /** Principal that created the keys; undefined for all. */
  createdBy: string | undefined
  isDirectoryToken?: boolean
}

/** Lists API keys of the workspace, newest first. */
export async function listApiKeyRows(
  query: Query,
  workspaceId: string,
  { limit, cursor, createdBy, ...filters }: ApiKeyFilters,
): Promise<Page<ApiKeyRow>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const rows = await query<ApiKeyRow>(
    `SELECT ${columns} FROM api_keys k WHERE k.workspace_id = $1 AND k.deleted_at IS NULL AND ${isApiKey} AND ($3::text IS NULL OR k.created_by = $3)
     ${filters.isDirectoryToken === true ? `AND ${isDirectoryToken}` : ''}
     ${after === undefined ? '' : 'AND (k.created_at, k.key_id) < ($4, $5)'}
     ORDER BY k.created_at DESC, k.key_id DESC LIMIT $2`,
    [workspaceId, limit + 1, createdBy ?? null, ...(after === undefined ? [] : [after.createdAt, after.id])],
  )
  return paginateBy(rows, limit, 'keyId')
}

/** The stored part of an API key secret. */
interface StoredApiKeySecret {
  /** SHA-256 of the whole key, hexadecimal. */
  hash: string
  last4: string
}

export interface NewApiKey {
  placement: WorkspacePlacement
  name: string | null
  scopes: readonly Scope[]
  expiresAt: Date | null
  createdBy: { id: string; type: PrincipalType }
  secret: StoredApiKeySecret
}

/** Inserts an API key with the hash of its secret. */
export async function insertApiKey(tx: Tx, key: NewApiKey): Promise<ApiKeyRow> {
  const { placement, name, scopes, expiresAt, createdBy, secret } = key
  const keyId = newId('akey')
  const { workspaceId, shard, location } = placement
  await tx.query(
    `WITH added AS (
       INSERT INTO api_keys
         (workspace_id, key_id, shard, location, name, scopes, expires_at, created_by, created_by_type, last4)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ) INSERT INTO api_key_secrets (hash, key_id, workspace_id) VALUES ($11, $2, $1)`,
    [
      workspaceId,
      keyId,
      shard,
      location,
      name,
      scopes,
      expiresAt,
      createdBy.id,
      createdBy.type,
      secret.last4,
      secret.hash,
    ],
  )
  return await requireApiKey(tx.query, placement.workspaceId, keyId)
}

/** Locks an API key until the transaction ends. @throws Problem `not_found` */
export async function lockApiKey(tx: Tx, workspaceId: string, keyId: string): Promise<ApiKeyRow> {
  await tx.query('SELECT FROM api_keys WHERE workspace_id = $1 AND key_id = $2 FOR UPDATE', [workspaceId, keyId])
  return await requireApiKey(tx.query, workspaceId, keyId)
}

/** Renames a locked API key. */
export async function renameApiKey(tx: Tx, keyId: string, name: string | null): Promise<void> {
  await tx.db.apiKey.update({ where: { keyId }, data: { name } })
}

/** Deletes a locked API key. A tombstone stays, so that the key resolves to "revoked". */
export async function deleteApiKeyRow(tx: Tx, keyId: string): Promise<void> {
  await tx.query(`UPDATE api_keys SET deleted_at = clock_timestamp() WHERE key_id = $1`, [keyId])
}

/**
 * Replaces the secret of a locked API key. Earlier secrets expire at the end of the overlap, or at the end of an
 * earlier overlap if that is sooner. The expiry is truncated to milliseconds, so it is never rounded into the future.
 * @returns when the previous secret stops working; null if it already has
 */
export async function replaceApiKeySecret(
  tx: Tx,
  { keyId, workspaceId }: ApiKeyRow,
  secret: StoredApiKeySecret,
  overlapSeconds: number,
): Promise<Date | null> {
  const replaced = await tx.query<ReplacedSecret>(
    `UPDATE api_key_secrets
     SET expires_at = least(expires_at, date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => $2))
     WHERE key_id = $1 RETURNING expires_at`,
    [keyId, overlapSeconds],
  )
  await tx.db.apiKeySecret.create({ data: { hash: secret.hash, keyId, workspaceId } })
  await tx.query(
    `UPDATE api_keys SET last4 = $2, rotated_at = date_trunc('milliseconds', clock_timestamp()) WHERE key_id = $1`,
    [keyId, secret.last4],
  )
  return previousExpiry(replaced, overlapSeconds)
}

/** A secret that a rotation has replaced. */
export interface ReplacedSecret {
  expiresAt: Date
}

/**
 * Returns when the secret before the current one stops working; null if it already has.
 * @param replaced all earlier secrets; the last one has the latest expiry
 * @param overlapSeconds the overlap of the rotation
 */
export const previousExpiry = (replaced: readonly ReplacedSecret[], overlapSeconds: number): Date | null =>
  overlapSeconds === 0 ? null : new Date(Math.max(...replaced.map(({ expiresAt }) => expiresAt.getTime())))
