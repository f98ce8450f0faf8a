import type { Database, Query, Row } from '@wp/database'
import type { SamlProvider } from '#db'
import type { Tx } from '../client.ts'
import { workerQuery } from '../cross-workspace.ts'

/** The metadata of a workspace's SAML identity provider, beside its entity id. */
export type SamlProviderRow = Row<
  SamlProvider,
  | 'workspaceId'
  | 'metadataUrl'
  | 'signInUrl'
  | 'certificates'
  | 'signsRequests'
  | 'ownCertificate'
  | 'checkedAt'
  | 'failure'
>

const columns = `workspace_id, metadata_url, sign_in_url, certificates, signs_requests, own_certificate, checked_at, failure`

export async function findSamlProvider(query: Query, workspaceId: string): Promise<SamlProviderRow | undefined> {
  const [row] = await query<SamlProviderRow>(`SELECT ${columns} FROM saml_providers WHERE workspace_id = $1`, [
    workspaceId,
  ])
  return row
}

/** Finds the SAML provider of a workspace with the worker role, for a browser that is not signed in. */
export const findSamlProviderOfWorkspace = (pool: Database['worker'], workspaceId: string) =>
  findSamlProvider(workerQuery(pool), workspaceId)

/** Inserts or replaces the SAML provider of a workspace, whose metadata has just been read. */
export const upsertSamlProvider = (
  { query }: Tx,
  provider: Omit<SamlProviderRow, 'checkedAt' | 'failure'>,
): Promise<unknown> =>
  query(
    `INSERT INTO saml_providers (workspace_id, metadata_url, sign_in_url, certificates, signs_requests,
       own_certificate, next_check_at)
     VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $2::text IS NOT NULL THEN now() + interval '1 hour' END)
     ON CONFLICT (workspace_id) DO UPDATE SET metadata_url = excluded.metadata_url,
       sign_in_url = excluded.sign_in_url, certificates = excluded.certificates,
       signs_requests = excluded.signs_requests, own_certificate = excluded.own_certificate,
       checked_at = now(), next_check_at = excluded.next_check_at, failure = NULL`,
    [
      ...[provider.workspaceId, provider.metadataUrl, provider.signInUrl, provider.certificates],
      ...[provider.signsRequests, provider.ownCertificate],
    ],
  )

/** Deletes the SAML provider of a workspace, if there is one. */
export const deleteSamlProvider = ({ query }: Tx, workspaceId: string): Promise<unknown> =>
  query('DELETE FROM saml_providers WHERE workspace_id = $1', [workspaceId])

/** A provider whose metadata is due, and the entity id that it must have. */
export interface DueMetadata {
  workspaceId: string
  metadataUrl: string
  issuer: string
}

/** Claims providers whose metadata is due: no other replica gets them within the hour. */
export const claimDueMetadata = (pool: Database['worker'], limit: number): Promise<DueMetadata[]> =>
  workerQuery(pool)<DueMetadata>(
    `UPDATE saml_providers p SET next_check_at = now() + interval '1 hour' FROM sso_connections c
     WHERE c.workspace_id = p.workspace_id AND p.workspace_id IN (
       SELECT workspace_id FROM saml_providers WHERE next_check_at <= now()
       ORDER BY next_check_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING p.workspace_id, p.metadata_url, c.issuer`,
    [limit],
  )

type NewMetadata = Pick<SamlProviderRow, 'signInUrl' | 'certificates' | 'signsRequests'>

/** Stores metadata that was read again, unless its address has been changed. */
export const updateMetadata = (
  pool: Database['worker'],
  { workspaceId, metadataUrl }: DueMetadata,
  { signInUrl, certificates, signsRequests }: NewMetadata,
): Promise<unknown> =>
  workerQuery(pool)(
    `UPDATE saml_providers SET sign_in_url = $3, certificates = $4, signs_requests = $5, checked_at = now(), failure = NULL
     WHERE workspace_id = $1 AND metadata_url = $2`,
    [workspaceId, metadataUrl, signInUrl, certificates, signsRequests],
  )

/** Stores why metadata could not be read again. The earlier metadata stays. */
export const recordMetadataFailure = (
  pool: Database['worker'],
  { workspaceId, metadataUrl }: DueMetadata,
  failure: string,
): Promise<unknown> =>
  workerQuery(pool)('UPDATE saml_providers SET failure = $3 WHERE workspace_id = $1 AND metadata_url = $2', [
    ...[workspaceId, metadataUrl, failure.slice(0, 300)],
  ])
