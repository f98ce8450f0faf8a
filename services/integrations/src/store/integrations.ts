import {
  type ConnectionError,
  type InputOf,
  type IntegrationProvider,
  type IntegrationStatus,
  type integrations,
  type Page,
  problem,
} from '@wp/contracts'
import { afterCursor, contains, countRows, definedFields, matchMetadata, newId, paginate } from '@wp/database'
import { Prisma } from '#db'
import type { Db, Tx } from './client.ts'

/** A stored integration. */
export interface Integration {
  integrationId: string
  workspaceId: string
  provider: IntegrationProvider
  name: string
  config: Record<string, unknown>
  /** Sealed values by name. */
  secrets: Record<string, string>
  status: IntegrationStatus
  lastError: ConnectionError | null
  lastCheckedAt: Date | null
  revision: number
  metadata: Record<string, string>
  externalId: string | null
  createdAt: Date
  updatedAt: Date
}

export type IntegrationFilter = InputOf<typeof integrations.listIntegrations>['query']

export const newIntegrationId = () => newId('int')

/** Returns one page of a workspace's integrations, newest first. */
export async function findIntegrations(
  db: Db,
  workspaceId: string,
  filter: IntegrationFilter,
): Promise<Page<Integration>> {
  const { limit, cursor, external_id: externalId, search, metadata, ...named } = filter
  const rows = await db.integration.findMany({
    where: {
      workspaceId,
      ...definedFields({ ...named, externalId }),
      ...(search === undefined ? {} : { name: contains(search) }),
      ...matchMetadata(metadata),
      ...afterCursor(cursor, 'integrationId'),
    },
    orderBy: [{ createdAt: 'desc' }, { integrationId: 'desc' }],
    take: limit + 1,
  })
  const { items, nextCursor } = paginate(rows, limit, ({ createdAt, integrationId: id }) => ({ createdAt, id }))
  return { items: items.map(toIntegration), nextCursor }
}

/**
 * Returns the connected integrations of a provider, oldest first. `integrationId`: only this one; `member`: a
 * configuration member that must be set.
 */
export async function listConnected(
  db: Db,
  workspaceId: string,
  provider: IntegrationProvider,
  { integrationId, member, limit }: { integrationId: string | undefined; member: string | undefined; limit: number },
): Promise<Integration[]> {
  const rows = await db.integration.findMany({
    where: {
      workspaceId,
      provider,
      ...(integrationId === undefined
        ? { OR: [{ status: 'connected' }, { status: 'pending', lastCheckedAt: { not: null } }] }
        : { integrationId, status: { not: 'disconnected' } }),
      ...(member === undefined ? {} : { config: { path: [member], not: Prisma.AnyNull } }),
    },
    orderBy: [{ createdAt: 'asc' }, { integrationId: 'asc' }],
    take: limit,
  })
  return rows.map(toIntegration)
}

/** @throws Problem `not_found` */
export async function findIntegration(db: Db, workspaceId: string, integrationId: string): Promise<Integration> {
  const row = await db.integration.findFirst({ where: { workspaceId, integrationId } })
  if (row === null) throw problem('not_found')
  return toIntegration(row)
}

/** Returns the row, locked until the transaction ends. @throws Problem `not_found` */
export async function lockIntegration(
  { db, query }: Tx,
  workspaceId: string,
  integrationId: string,
  strength: 'NO KEY UPDATE' | 'UPDATE' = 'NO KEY UPDATE',
): Promise<Integration> {
  await query(`SELECT FROM integrations WHERE workspace_id = $1 AND integration_id = $2 FOR ${strength}`, [
    workspaceId,
    integrationId,
  ])
  return findIntegration(db, workspaceId, integrationId)
}

export type NewIntegration = Pick<
  Integration,
  'integrationId' | 'workspaceId' | 'provider' | 'name' | 'secrets' | 'metadata' | 'externalId'
> & { config: Json }

type Json = Prisma.InputJsonObject

export const toJson = (value: Record<string, unknown>): Json => value as Json // parsed from a JSON body by a provider's shape

export async function insertIntegration(db: Db, integration: NewIntegration): Promise<Integration> {
  return toIntegration(await db.integration.create({ data: integration }))
}

/** Fields to change; others keep their values. */
export type IntegrationChange = Omit<Prisma.IntegrationUncheckedUpdateInput, 'lastError'> & {
  lastError?: Integration['lastError']
}

export async function updateIntegration(
  db: Db,
  { workspaceId, integrationId }: Pick<Integration, 'workspaceId' | 'integrationId'>,
  { lastError, ...change }: IntegrationChange,
): Promise<Integration> {
  const data = { ...change, ...(lastError === undefined ? {} : { lastError: lastError ?? Prisma.DbNull }) }
  return toIntegration(await db.integration.update({ where: { workspaceId, integrationId }, data }))
}

export async function deleteIntegration(db: Db, workspaceId: string, integrationId: string): Promise<void> {
  await db.integration.deleteMany({ where: { workspaceId, integrationId } })
}

type Row = Awaited<ReturnType<Db['integration']['findFirstOrThrow']>>

/** Casts are safe: JSON columns, and columns with a CHECK, contain only what this module wrote. */
const toIntegration = (row: Row): Integration => ({
  ...row,
  provider: row.provider as IntegrationProvider,
  config: row.config as Integration['config'],
  secrets: row.secrets as Integration['secrets'],
  status: row.status as IntegrationStatus,
  lastError: row.lastError as ConnectionError | null,
  metadata: row.metadata as Integration['metadata'],
})

export const integrationQuota = countRows('integrations', 'integrations')
