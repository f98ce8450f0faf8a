import type { ScopedClient } from '@wp/database'
import type { PrismaClient, BillingDetails as Row } from '#db'

export type { Row as BillingDetailsRow }

type Db = ScopedClient<PrismaClient>
export type DetailsChange = Partial<Pick<Row, 'companyName' | 'address' | 'vatId' | 'email'>>

export const findDetails = (db: Db, workspaceId: string): Promise<Row | null> =>
  db.billingDetails.findFirst({ where: { workspaceId } })

/** Changes the given fields and leaves the others. */
export const saveDetails = (db: Db, workspaceId: string, change: DetailsChange, now: Date): Promise<Row> =>
  db.billingDetails.upsert({
    where: { workspaceId },
    create: { workspaceId, ...change, updatedAt: now },
    update: { ...change, updatedAt: now },
  })
