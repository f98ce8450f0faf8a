import type { Database, Query, Row } from '@wp/database'
import type { SsoConnection } from '#db'
import type { Tx } from '../client.ts'
import { workerQuery } from '../cross-workspace.ts'

/** The connection of a workspace to the identity provider of its company. */
export type SsoConnectionRow = Row<
  SsoConnection,
  | 'workspaceId'
  | 'kind'
  | 'issuer'
  | 'clientId'
  | 'secretSealed'
  | 'groupsClaim'
  | 'isRequired'
  | 'breakGlassUserId'
  | 'createdAt'
  | 'updatedAt'
>

const columns = `c.workspace_id, c.kind, c.issuer, c.client_id, c.secret_sealed, c.groups_claim, c.is_required,
  c.break_glass_user_id, c.created_at, c.updated_at`

export async function findSsoConnection(query: Query, workspaceId: string): Promise<SsoConnectionRow | undefined> {
  const [row] = await query<SsoConnectionRow>(
    `SELECT ${columns} FROM sso_connections c JOIN workspaces w USING (workspace_id)
     WHERE c.workspace_id = $1 AND w.deleted_at IS NULL`,
    [workspaceId],
  )
  return row
}

/** Finds the connection of the workspace that has verified a domain, in any workspace. */
export async function findSsoConnectionOfDomain(
  pool: Database['worker'],
  domain: string,
): Promise<SsoConnectionRow | undefined> {
  const [row] = await workerQuery(pool)<SsoConnectionRow>(
    `SELECT ${columns} FROM sso_domains d JOIN sso_connections c USING (workspace_id) JOIN workspaces w USING (workspace_id)
     WHERE d.domain = $1 AND d.verified_at IS NOT NULL AND w.deleted_at IS NULL`,
    [domain],
  )
  return row
}

/** Finds the connection of a workspace with the worker role, for a browser that is not signed in. */
export const findSsoConnectionOfWorkspace = (pool: Database['worker'], workspaceId: string) =>
  findSsoConnection(workerQuery(pool), workspaceId)

/** Inserts or replaces the connection of a workspace. */
export const upsertSsoConnection = (
  { query }: Tx,
  connection: Omit<SsoConnectionRow, 'createdAt' | 'updatedAt'>,
): Promise<unknown> =>
  query(
    `INSERT INTO sso_connections (workspace_id, issuer, client_id, secret_sealed, groups_claim, is_required,
       break_glass_user_id, kind) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (workspace_id) DO UPDATE SET kind = excluded.kind, issuer = excluded.issuer, client_id = excluded.client_id,
       secret_sealed = excluded.secret_sealed, groups_claim = excluded.groups_claim, is_required = excluded.is_required,
       break_glass_user_id = excluded.break_glass_user_id, updated_at = clock_timestamp()`,
    [
      ...[connection.workspaceId, connection.issuer, connection.clientId, connection.secretSealed],
      ...[connection.groupsClaim, connection.isRequired, connection.breakGlassUserId, connection.kind],
    ],
  )

/** Deletes the connection of a workspace. @returns false if there is none */
export async function deleteSsoConnectionRow({ query }: Tx, workspaceId: string): Promise<boolean> {
  const rows = await query('DELETE FROM sso_connections WHERE workspace_id = $1 RETURNING 1', [workspaceId])
  return rows.length === 1
}

type SealedRow = Pick<SsoConnectionRow, 'workspaceId' | 'secretSealed'>

/** The sealed client secrets and private keys, which are sealed again when the key-encryption key changes. */
export const sealedSsoSecrets = (pool: Database['worker']) => {
  const query = workerQuery(pool)
  return {
    name: 'sso_connections',
    findSealedWith: (keyPrefix: string, after: SealedRow | undefined, limit: number): Promise<SealedRow[]> =>
      query<SealedRow>(
        `SELECT workspace_id, secret_sealed FROM sso_connections
         WHERE starts_with(secret_sealed, $1) AND workspace_id > $2 ORDER BY workspace_id LIMIT $3`,
        [keyPrefix, after?.workspaceId ?? '', limit],
      ),
    sealedValues: ({ workspaceId, secretSealed }: SealedRow) => [
      { sealed: secretSealed, associatedData: ssoSecretData(workspaceId) },
    ],
    async updateSealed({ workspaceId, secretSealed }: SealedRow, [resealed]: readonly string[]): Promise<void> {
      await query('UPDATE sso_connections SET secret_sealed = $3 WHERE workspace_id = $1 AND secret_sealed = $2', [
        ...[workspaceId, secretSealed, resealed],
      ])
    },
    async countSealedWith(keyPrefix: string): Promise<number> {
      const text = 'SELECT count(*)::int AS count FROM sso_connections WHERE starts_with(secret_sealed, $1)'
      const [row] = await query<{ count: number }>(text, [keyPrefix])
      return row?.count ?? 0
    },
  }
}

/** Data that a sealed client secret or private key is bound to. */
export const ssoSecretData = (workspaceId: string): string => `sso:${workspaceId}`
