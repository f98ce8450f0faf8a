import type { Query, Row } from '@wp/database'
import type { Invoice, Prisma } from '#db'
import type { Db } from './client.ts'

export type { Invoice as InvoiceRow }

/** The charged use of an invoice as it is stored. */
export type StoredUsage = Prisma.InvoiceCreateInput['usage']

export type IssuedStatus = 'open' | 'paid' | 'void'

interface InvoiceFilter {
  status?: IssuedStatus | undefined
  /** Only invoices of periods that began before. */
  before?: Date | undefined
  take: number
}

/** Returns issued invoices of a workspace, the newest period first. */
export const listInvoices = (
  db: Db,
  workspaceId: string,
  { status, before, take }: InvoiceFilter,
): Promise<Invoice[]> =>
  db.invoice.findMany({
    where: {
      workspaceId,
      ...(status === undefined ? {} : { status }),
      ...(before === undefined ? {} : { periodStart: { lt: before } }),
    },
    orderBy: { periodStart: 'desc' },
    take,
  })

export const findInvoice = (db: Db, workspaceId: string, id: string): Promise<Invoice | null> =>
  db.invoice.findFirst({ where: { workspaceId, id } })

/** Returns the invoice of the period that began at a time. */
export const findInvoiceOfPeriod = (db: Db, workspaceId: string, periodStart: Date): Promise<Invoice | null> =>
  db.invoice.findFirst({ where: { workspaceId, periodStart } })

export const insertInvoice = (db: Db, invoice: Prisma.InvoiceCreateInput): Promise<Invoice> =>
  db.invoice.create({ data: invoice })

/**
 * Takes the next number of a year. Other transactions that take one wait until this one ends; if it rolls back, the
 * number is taken by the next. So numbers have neither gaps nor doubles.
 */
export async function takeInvoiceNumber(query: Query, year: number): Promise<number> {
  const [row] = await query<{ last: number }>(
    `INSERT INTO invoice_counters (year, last) VALUES ($1, 1)
      ON CONFLICT (year) DO UPDATE SET last = invoice_counters.last + 1 RETURNING last`,
    [year],
  )
  if (row === undefined) throw new Error('the counter of invoices returned no number')
  return row.last
}

/** The state of an invoice that can change. */
export type InvoiceState = Row<Invoice, 'paymentReference'> & { status: IssuedStatus }

/** Locks an invoice until the end of the transaction and returns its state. */
export async function lockInvoice(query: Query, workspaceId: string, id: string): Promise<InvoiceState | undefined> {
  const [row] = await query<InvoiceState>(
    `SELECT status, payment_reference FROM invoices
      WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [workspaceId, id],
  )
  return row
}

type InvoiceChange =
  | { status: 'paid'; paidAt: Date; paymentReference: string; updatedAt: Date }
  | { status: 'void'; voidedAt: Date; updatedAt: Date }

/** Changes the status of a locked invoice. Nothing else of an issued invoice ever changes. */
export const changeInvoice = (db: Db, id: string, change: InvoiceChange): Promise<Invoice> =>
  db.invoice.update({ where: { id }, data: change })

/** Identifies an invoice for work that begins without a workspace. */
export type InvoiceRef = Row<Invoice, 'id' | 'workspaceId' | 'shard' | 'number' | 'totalMinor' | 'currency'>

/** Finds an invoice of any workspace by its id or number. @param query a connection of the worker role */
export async function locateInvoice(query: Query, idOrNumber: string): Promise<InvoiceRef | undefined> {
  const [row] = await query<InvoiceRef>(
    `SELECT id, workspace_id, shard, number, total_minor, currency
       FROM invoices WHERE id = $1 OR number = $1`,
    [idOrNumber],
  )
  return row
}

/** Stores the payment that was started last, so that its state can be read if its report is lost. */
export async function savePaymentReference(db: Db, id: string, paymentReference: string): Promise<void> {
  await db.invoice.updateMany({ where: { id }, data: { paymentReference } })
}

/** Returns open invoices of all workspaces, those due first. @param query a connection of the worker role */
export const listOpenInvoices = (query: Query, limit: number): Promise<(InvoiceRef & Row<Invoice, 'dueAt'>)[]> =>
  query(
    `SELECT id, workspace_id, shard, number, total_minor, currency, due_at
       FROM invoices WHERE status = 'open' ORDER BY due_at, number LIMIT $1`,
    [limit],
  )
