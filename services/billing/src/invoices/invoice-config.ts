import { integer } from '@wp/service'
import { z } from 'zod'

/** A percentage with at most two decimals, as hundredths of a percent. */
const percent = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,2})?$/, 'must be a percentage such as 19 or 8.1')
  .transform((value) => Math.round(Number(value) * 100))
  .pipe(z.number().int().min(0).max(10_000))

/** Environment variables for invoices. */
export const invoiceConfig = {
  /** Time after the end of a period in which late use still counts for it. */
  INVOICE_GRACE_HOURS: integer(0, 720).default(24),
  /** Days from the issue of an invoice until it must be paid. */
  INVOICE_DUE_DAYS: integer(0, 365).default(14),
  /** The operator, as named on invoices. */
  BILLING_SELLER_NAME: z.string().min(1).max(200).default('Workspace Platform'),
  /** Postal address; `\n` begins a new line. */
  BILLING_SELLER_ADDRESS: z
    .string()
    .max(500)
    .transform((value) => value.replaceAll('\\n', '\n'))
    .optional(),
  /** TrueType or OpenType font for names and addresses on PDFs, such as Noto Sans CJK. Default DejaVu Sans. */
  BILLING_FONT_FILE: z.string().optional(),
  BILLING_SELLER_TAX_ID: z.string().max(40).optional(),
  /** Tax on the subtotal of every invoice, in percent. Read as hundredths of a percent. */
  BILLING_TAX_PERCENT: percent.default(0),
}

export type InvoiceConfig = z.output<z.ZodObject<typeof invoiceConfig>>
