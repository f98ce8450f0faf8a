import { connectDatabase, type Database, newId } from '@wp/database'
import { createTestDatabase, type TestDatabase } from '@wp/testkit'
import { Client } from 'pg'
import { z } from 'zod'
import { PrismaClient } from '#db'
import { invoiceConfig } from '../../src/invoices/invoice-config.ts'
import type { IssueContext } from '../../src/invoices/issue-invoice.ts'

/** A database of billing with access as superuser. */
export interface BillingDatabase {
  urls: TestDatabase
  admin: Client
  /** Opens the database as another replica does. */
  connect(): Database<PrismaClient>
  /** Creates the context of an issuer at a time. */
  issuer(database: Database<PrismaClient>, time: string): IssueContext
  /** Records that a workspace subscribed to the plan `team` with 10 seats. */
  subscribe(workspaceId: string, at: string): Promise<void>
  drop(): Promise<void>
}

export async function createBillingDatabase(existing?: { url: string; workerUrl: string }): Promise<BillingDatabase> {
  const urls = await createTestDatabase('billing')
  const { url, workerUrl } = existing ?? urls
  const adminUrl = new URL(urls.adminUrl)
  adminUrl.pathname = new URL(url).pathname
  const admin = new Client({ connectionString: adminUrl.href })
  await admin.connect()
  const config = z.object(invoiceConfig).parse({ BILLING_TAX_PERCENT: '19', BILLING_SELLER_NAME: 'Seller AG' })
  return {
    urls,
    admin,
    connect: () =>
      connectDatabase({ url, workerUrl, prisma: (adapter) => new PrismaClient({ adapter }), shard: 'test' }),
    issuer: (database, time) => ({ config, database, now: () => Date.parse(time) }),
    async subscribe(workspaceId, at) {
      await admin.query(
        `INSERT INTO subscriptions (id, workspace_id, shard, plan_code, seats, anchor_at)
         VALUES ($1, $2, 'test', 'team', 10, $3)`,
        [newId('sub'), workspaceId, at],
      )
      await admin.query(
        `INSERT INTO plan_changes (workspace_id, occurred_at, from_plan, to_plan, from_seats, to_seats, anchor_at)
         VALUES ($1, $2, 'free', 'team', 10, 10, $2)`,
        [workspaceId, at],
      )
      await admin.query('INSERT INTO invoice_schedules (workspace_id, due_at) VALUES ($1, $2)', [workspaceId, at])
    },
    async drop() {
      await admin.end()
      await urls.drop()
    },
  }
}
