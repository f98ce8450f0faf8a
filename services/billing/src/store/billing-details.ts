import type { BillingDetails as Row } from '#db'
import type { Db } from './client.ts'

export type { Row as BillingDetailsRow }

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
