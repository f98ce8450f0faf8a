import { connectDatabase, type Database, newId } from '@wp/database'
import { createTestDatabase, testPostgres } from '@wp/testkit'
import { Client } from 'pg'
import { z } from 'zod'
import { PrismaClient } from '#db'
import { invoiceConfig } from '../../src/invoices/invoice-config.ts'
import type { IssueContext } from '../../src/invoices/issue-invoice.ts'
import { exampleInvoice } from './example-invoice.ts'

/** A database of billing with access as superuser. */
export interface BillingDatabase {
  admin: Client
  /** Opens the database as another replica does. */
  connect(): Database<PrismaClient>
  /** Creates the context of an issuer at a time. */
  issuer(database: Database<PrismaClient>, time: string): IssueContext
  /** Records that a workspace subscribed to the plan `team` with 10 seats. */
  subscribe(workspaceId: string, at: string): Promise<void>
  close(): Promise<void>
}

/** Creates a database of its own, which `close` drops. */
export async function createBillingDatabase(): Promise<BillingDatabase> {
  const urls = await createTestDatabase('billing')
  const billing = await connectBillingDatabase({ DATABASE_URL: urls.url, DATABASE_WORKER_URL: urls.workerUrl })
  return {
    ...billing,
    async close() {
      await billing.close()
      await urls.drop()
    },
  }
}

/** Opens the database of a running service. @param env the environment of the service */
export async function connectBillingDatabase(env: Record<string, string>): Promise<BillingDatabase> {
  const { DATABASE_URL: url = '', DATABASE_WORKER_URL: workerUrl = '' } = env
  const adminUrl = new URL(testPostgres())
  adminUrl.pathname = new URL(url).pathname
  const admin = new Client({ connectionString: adminUrl.href })
  await admin.connect()
  const config = z.object(invoiceConfig).parse({ BILLING_TAX_PERCENT: '19', BILLING_SELLER_NAME: 'Seller AG' })
  return {
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
      await admin.query('INSERT INTO invoice_schedules (workspace_id, due_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        workspaceId,
        at,
      ])
    },
    close: () => admin.end(),
  }
}

/** Issues an invoice over 58.31 to a workspace, for a period that ended long ago, another each time. */
export async function insertOpenInvoice(
  billing: Pick<BillingDatabase, 'admin'>,
  workspaceId: string,
  shard = 'test',
): Promise<{ id: string; workspaceId: string; shard: string; number: string }> {
  const id = newId('bill')
  const number = `INV-2020-${id.slice(-12)}`
  const { lines, seller, customer, subtotal_minor, tax_rate, tax_minor } = exampleInvoice()
  const content = {
    lines,
    seller,
    customer: { ...customer, workspace_id: workspaceId },
    subtotal_minor,
    tax_rate,
    tax_minor,
  }
  await billing.admin.query(
    `INSERT INTO invoices (id, workspace_id, shard, number, period_start, period_end, content, usage, total_minor,
       currency, issued_at, due_at)
     VALUES ($1, $2, $3, $4, to_timestamp(random() * 1e8), '2003-01-01Z', $5, '{}', 5831, 'EUR', '2020-02-02Z', '2020-02-16Z')`,
    [id, workspaceId, shard, number, JSON.stringify(content)],
  )
  return { id, workspaceId, shard, number }
}
