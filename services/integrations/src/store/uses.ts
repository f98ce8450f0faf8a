import type { ScopedClient } from '@wp/database'
import type { PrismaClient } from '#db'

type Db = ScopedClient<PrismaClient>

/** A thing that uses an integration. */
export interface Use {
  service: string
  type: string
  id: string
}

/** Notes a use, once however often it is said. */
export async function addUse(db: Db, workspaceId: string, integrationId: string, use: Use): Promise<void> {
  await db.integrationUse.createMany({ data: [{ workspaceId, integrationId, ...use }], skipDuplicates: true })
}

export async function removeUse(db: Db, workspaceId: string, integrationId: string, use: Use): Promise<void> {
  await db.integrationUse.deleteMany({ where: { workspaceId, integrationId, ...use } })
}

/** The first of them, oldest first. */
export const listUses = (db: Db, workspaceId: string, integrationId: string, limit: number): Promise<Use[]> =>
  db.integrationUse.findMany({
    where: { workspaceId, integrationId },
    select: { service: true, type: true, id: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: limit,
  })
