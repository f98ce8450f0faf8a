import { problem, type Scope } from '@wp/contracts'
import { afterCursor, type Cursor, newId } from '@wp/database'
import type { ServicePrincipal } from '#db'
import type { Secret } from '../../secrets/secret.ts'
import { definedFields } from '../defined-fields.ts'
import type { Tx } from '../transaction.ts'

interface ServicePrincipalFilters {
  limit: number
  cursor?: string | undefined
  status?: string | undefined
  environment?: string | undefined
}

/** A service principal of the workspace. @throws Problem `not_found` */
export async function findServicePrincipal(
  db: Tx['db'],
  workspaceId: string,
  clientId: string,
): Promise<ServicePrincipal> {
  const row = await db.servicePrincipal.findFirst({ where: { workspaceId, clientId, deletedAt: null } })
  if (row === null) throw problem('not_found')
  return row
}

/** The service principals of the workspace, newest first, one more than the limit where there are more. */
export async function listServicePrincipals(
  db: Tx['db'],
  workspaceId: string,
  { limit, cursor, status, environment }: ServicePrincipalFilters,
): Promise<ServicePrincipal[]> {
  return await db.servicePrincipal.findMany({
    where: {
      workspaceId,
      deletedAt: null,
      ...(status === undefined ? {} : { status }),
      ...(environment === undefined ? {} : { environment }),
      ...afterCursor(cursor, 'clientId'),
    },
    orderBy: [{ createdAt: 'desc' }, { clientId: 'desc' }],
    take: limit + 1,
  })
}

/** The sort key of a service principal. */
export const cursorOfServicePrincipal = ({ createdAt, clientId }: ServicePrincipal): Cursor => ({
  createdAt,
  id: clientId,
})

export interface NewServicePrincipal {
  workspaceId: string
  clientId?: string
  name: string
  scopes: readonly Scope[]
  environment: string | null
  createdBy: string
  secret: Secret
}

/** Keeps a new service principal and the hash of its secret. */
export async function insertServicePrincipal(tx: Tx, principal: NewServicePrincipal): Promise<ServicePrincipal> {
  const { secret, scopes, clientId = newId('sp'), ...facts } = principal
  return await tx.db.servicePrincipal.create({
    data: {
      ...facts,
      clientId,
      scopes: [...scopes],
      secrets: { create: { hash: secret.hash, workspaceId: facts.workspaceId } },
    },
  })
}

/** A service principal, held against other changes until the transaction ends. @throws Problem `not_found` */
export async function lockServicePrincipal(tx: Tx, workspaceId: string, clientId: string): Promise<ServicePrincipal> {
  await tx.query('SELECT FROM service_principals WHERE workspace_id = $1 AND client_id = $2 FOR UPDATE', [
    workspaceId,
    clientId,
  ])
  return await findServicePrincipal(tx.db, workspaceId, clientId)
}

/** Undefined leaves a field as it is. */
type ServicePrincipalChanges = {
  [Field in 'name' | 'scopes' | 'environment' | 'status' | 'tokensValidAfter']?: ServicePrincipal[Field] | undefined
}

/** Changes a held service principal. */
export async function updateServicePrincipal(
  tx: Tx,
  clientId: string,
  changes: ServicePrincipalChanges,
): Promise<ServicePrincipal> {
  return await tx.db.servicePrincipal.update({ where: { clientId }, data: definedFields(changes) })
}

/** Deletes a held service principal and forgets its secrets. It stays as a tombstone: its tokens answer "revoked". */
export async function deleteServicePrincipal(tx: Tx, clientId: string): Promise<void> {
  await tx.query('UPDATE service_principals SET deleted_at = clock_timestamp() WHERE client_id = $1', [clientId])
  await tx.db.clientSecret.deleteMany({ where: { clientId } })
}

/** Gives a held service principal a new secret; see `replaceApiKeySecret` for when the ones before it end. */
export async function replaceClientSecret(
  tx: Tx,
  { clientId, workspaceId }: ServicePrincipal,
  secret: Secret,
  overlapSeconds: number,
): Promise<ServicePrincipal> {
  await tx.query('DELETE FROM client_secrets WHERE client_id = $1 AND expires_at <= clock_timestamp()', [clientId])
  await tx.query(
    `UPDATE client_secrets
     SET expires_at = least(expires_at, date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => $2))
     WHERE client_id = $1`,
    [clientId, overlapSeconds],
  )
  await tx.db.clientSecret.create({ data: { hash: secret.hash, clientId, workspaceId } })
  await tx.query(
    `UPDATE service_principals
     SET secret_rotated_at = date_trunc('milliseconds', clock_timestamp()), updated_at = clock_timestamp()
     WHERE client_id = $1`,
    [clientId],
  )
  return await findServicePrincipal(tx.db, workspaceId, clientId)
}
