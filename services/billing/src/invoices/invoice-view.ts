import { createHash } from 'node:crypto'
import { Invoice } from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { InvoiceRow, IssuedStatus } from '../store/invoices.ts'
import type { DraftInvoice } from './draft-invoices.ts'
import { InvoiceContent } from './invoice-content.ts'

/** Returns the public form of an issued invoice. */
export const invoiceView = (row: InvoiceRow): Invoice =>
  viewOf(Invoice, row, {
    ...InvoiceContent.parse(row.content),
    status: row.status as IssuedStatus, // a check constraint of the table
    total_minor: Number(row.totalMinor),
  })

/** Returns the public form of a draft. It has no stored times, so those of its period stand for them. */
export function draftView(
  workspaceId: string,
  subscriptionId: string | null,
  { period, calculated }: DraftInvoice,
  content: InvoiceContent,
): Invoice {
  const start = period.start.toISOString()
  return {
    id: invoiceId(workspaceId, period.start),
    number: null,
    subscription_id: subscriptionId,
    status: 'draft',
    period_start: start,
    period_end: period.end.toISOString(),
    currency: calculated.currency,
    ...content,
    total_minor: calculated.totalMinor,
    issued_at: null,
    due_at: null,
    paid_at: null,
    voided_at: null,
    created_at: start,
    updated_at: start,
  }
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Returns the identifier of the invoice of a period: a TypeID whose 128 bits are a digest of workspace and start. The
 * draft, which is not stored, and the issued invoice have the same.
 */
export function invoiceId(workspaceId: string, periodStart: Date): string {
  const digest = createHash('sha256').update(`${workspaceId} ${periodStart.toISOString()}`).digest('hex')
  let bits = BigInt(`0x${digest.slice(0, 32)}`)
  let suffix = ''
  for (let position = 0; position < 26; position += 1) {
    suffix = (alphabet[Number(bits & 31n)] ?? '') + suffix
    bits >>= 5n
  }
  return `bill_${suffix}`
}
