import { type Page, problem, type Scope } from '@wp/contracts'
import { afterCursor, definedFields, newId, paginateBy, type Query } from '@wp/database'
import type { ServicePrincipal } from '#db'
import type { Tx } from '../client.ts'
import { previousExpiry, type ReplacedSecret } from './api-keys.ts'

export type { ServicePrincipal }

interface ServicePrincipalFilters {
  limit: number
  cursor?: string | undefined
  status?: string | undefined
  environment?: string | undefined
}

/** Returns a service principal of the workspace. @throws Problem `not_found` */
export async function requireServicePrincipal(
  db: Tx['db'],
  workspaceId: string,
  clientId: string,
): Promise<ServicePrincipal> {
  const row = await db.servicePrincipal.findFirst({ where: { workspaceId, clientId, deletedAt: null } })
  if (row === null) throw problem('not_found')
  return row
}

/** Lists service principals of the workspace, newest first. */
export async function listServicePrincipalRows(
  db: Tx['db'],
  workspaceId: string,
  { limit, cursor, status, environment }: ServicePrincipalFilters,
): Promise<Page<ServicePrincipal>> {
  const rows = await db.servicePrincipal.findMany({
    where: {
      workspaceId,
      deletedAt: null,
      ...definedFields({ status, environment }),
      ...afterCursor(cursor, 'clientId'),
    },
    orderBy: [{ createdAt: 'desc' }, { clientId: 'desc' }],
    take: limit + 1,
  })
  return paginateBy(rows, limit, 'clientId')
}

/**
 * Returns the ids of those creators of service principals that are no longer in the workspace: users without a
 * membership, and deleted service principals. The prefix of an id tells its kind.
 */
export async function findRemovedCreators(
  query: Query,
  workspaceId: string,
  principals: readonly Pick<ServicePrincipal, 'createdBy'>[],
): Promise<ReadonlySet<string>> {
  const removed = await query<{ id: string }>(
    `SELECT c.id FROM unnest($2::text[]) AS c (id)
     WHERE (c.id LIKE 'usr\\_%' AND NOT EXISTS (
         SELECT FROM memberships m WHERE m.workspace_id = $1 AND m.user_id = c.id))
       OR (c.id LIKE 'sp\\_%' AND NOT EXISTS (
         SELECT FROM service_principals p WHERE p.workspace_id = $1 AND p.client_id = c.id AND p.deleted_at IS NULL))`,
    [workspaceId, [...new Set(principals.map(({ createdBy }) => createdBy))]],
  )
  return new Set(removed.map(({ id }) => id))
}

interface NewServicePrincipal {
  workspaceId: string
  clientId?: string
  name: string
  scopes: readonly Scope[]
  environment: string | null
  createdBy: string
  /** SHA-256 of the client secret, hexadecimal. */
  secretHash: string
}

/** Inserts a service principal with the hash of its secret. */
export async function insertServicePrincipal(tx: Tx, principal: NewServicePrincipal): Promise<ServicePrincipal> {
  const { workspaceId, clientId = newId('sp'), name, scopes, environment, createdBy, secretHash } = principal
  const [row] = await tx.query<ServicePrincipal>(
    `WITH added AS (
       INSERT INTO service_principals (workspace_id, client_id, name, scopes, environment, created_by)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING *
     ), secret AS (INSERT INTO client_secrets (hash, client_id, workspace_id) VALUES ($7, $2, $1))
     SELECT * FROM added`,
    [workspaceId, clientId, name, scopes, environment, createdBy, secretHash],
  )
  if (row === undefined) throw new Error('the insertion of a service principal returned no row')
  return row
}

/** Locks a service principal until the transaction ends. @throws Problem `not_found` */
export async function lockServicePrincipal(tx: Tx, workspaceId: string, clientId: string): Promise<ServicePrincipal> {
  await tx.query('SELECT FROM service_principals WHERE workspace_id = $1 AND client_id = $2 FOR UPDATE', [
    workspaceId,
    clientId,
  ])
  return await requireServicePrincipal(tx.db, workspaceId, clientId)
}

/** Undefined fields stay unchanged. */
type ServicePrincipalChanges = {
  [Field in 'name' | 'scopes' | 'environment' | 'status' | 'tokensValidAfter']?: ServicePrincipal[Field] | undefined
}

/** Updates a locked service principal. */
export async function updateServicePrincipalRow(
  tx: Tx,
  clientId: string,
  changes: ServicePrincipalChanges,
): Promise<ServicePrincipal> {
  return await tx.db.servicePrincipal.update({ where: { clientId }, data: definedFields(changes) })
}

/** Deletes a locked service principal and its secrets. A tombstone stays, so that its tokens resolve to "revoked". */
export async function deleteServicePrincipalRow(tx: Tx, clientId: string): Promise<void> {
  await tx.query('UPDATE service_principals SET deleted_at = clock_timestamp() WHERE client_id = $1', [clientId])
  await tx.db.clientSecret.deleteMany({ where: { clientId } })
}

/**
 * Replaces the secret of a locked service principal; earlier secrets expire as in `replaceApiKeySecret`.
 * @returns the service principal, and when its previous secret stops working; null if it already has
 */
export async function replaceClientSecret(
  tx: Tx,
  { clientId, workspaceId }: ServicePrincipal,
  secretHash: string,
  overlapSeconds: number,
): Promise<{ rotated: ServicePrincipal; previousExpiresAt: Date | null }> {
  await tx.query('DELETE FROM client_secrets WHERE client_id = $1 AND expires_at <= clock_timestamp()', [clientId])
  const replaced = await tx.query<ReplacedSecret>(
    `UPDATE client_secrets
     SET expires_at = least(expires_at, date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => $2))
     WHERE client_id = $1 RETURNING expires_at`,
    [clientId, overlapSeconds],
  )
  await tx.db.clientSecret.create({ data: { hash: secretHash, clientId, workspaceId } })
  await tx.query(
    `UPDATE service_principals
     SET secret_rotated_at = date_trunc('milliseconds', clock_timestamp()), updated_at = clock_timestamp()
     WHERE client_id = $1`,
    [clientId],
  )
  const rotated = await requireServicePrincipal(tx.db, workspaceId, clientId)
  return { rotated, previousExpiresAt: previousExpiry(replaced, overlapSeconds) }
}
