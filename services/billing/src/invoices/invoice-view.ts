import { createHash } from 'node:crypto'
import type { Invoice } from '@wp/contracts'
import type { InvoiceRow, IssuedStatus } from '../store/invoices.ts'
import type { DraftInvoice } from './draft-invoices.ts'
import { InvoiceContent } from './invoice-content.ts'

/** Returns the public form of an issued invoice. */
export function invoiceView(row: InvoiceRow): Invoice {
  return {
    id: row.id,
    number: row.number,
    subscription_id: row.subscriptionId,
    status: row.status as IssuedStatus, // a check constraint of the table
    period_start: row.periodStart.toISOString(),
    period_end: row.periodEnd.toISOString(),
    currency: row.currency,
    ...InvoiceContent.parse(row.content),
    total_minor: Number(row.totalMinor),
    issued_at: row.issuedAt.toISOString(),
    due_at: row.dueAt.toISOString(),
    paid_at: row.paidAt?.toISOString() ?? null,
    voided_at: row.voidedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

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
