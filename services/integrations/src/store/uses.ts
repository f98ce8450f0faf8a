import type { Db } from './client.ts'

/** A resource of a service that uses an integration. */
export interface IntegrationUse {
  service: string
  type: string
  id: string
}

/** Inserts a use; repeated calls have no effect. */
export async function insertUse(
  db: Db,
  workspaceId: string,
  integrationId: string,
  use: IntegrationUse,
): Promise<void> {
  await db.integrationUse.createMany({ data: [{ workspaceId, integrationId, ...use }], skipDuplicates: true })
}

export async function deleteUse(
  db: Db,
  workspaceId: string,
  integrationId: string,
  use: IntegrationUse,
): Promise<void> {
  await db.integrationUse.deleteMany({ where: { workspaceId, integrationId, ...use } })
}

/** Returns up to `limit` uses, oldest first. */
export const listUses = (
  db: Db,
  workspaceId: string,
  integrationId: string,
  limit: number,
): Promise<IntegrationUse[]> =>
  db.integrationUse.findMany({
    where: { workspaceId, integrationId },
    select: { service: true, type: true, id: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: limit,
  })
