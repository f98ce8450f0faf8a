import { z } from 'zod'
import { meters } from '../core/quota/meter.ts'
import { id } from '../core/shape/id.ts'
import { mailAddress } from '../core/shape/mail-address.ts'
import { resourceName } from '../core/shape/resource-name.ts'
import { text, timestamp } from '../core/shape/shape.ts'

/** `draft`: of a period that has not been issued; `open`: to be paid. */
export const invoiceStatuses = ['draft', 'open', 'paid', 'void'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** `proration`: a plan for part of the period; `adjustment`: use that was recorded after the previous invoice. */
export const invoiceLineKinds = ['plan', 'seat', 'usage', 'proration', 'adjustment'] as const
export type InvoiceLineKind = (typeof invoiceLineKinds)[number]

const minor = (description: string) => z.number().int().describe(`${description}, in minor units`)

export const InvoiceLine = z
  .object({
    description: z.string().describe('What is charged, for people'),
    kind: z
      .enum(invoiceLineKinds)
      .describe(
        'Price of the plan for the whole period (`plan`) or a part of it (`proration`), of seats (`seat`), of use (`usage`), or of use of an earlier period that was recorded late (`adjustment`)',
      ),
    meter: z.enum(meters).nullable().describe('The meter of the charged use; null for other lines'),
    quantity: z.number().int().describe('Number of units'),
    unit_price_minor: minor('Price of one'),
    amount_minor: minor('Amount, rounded half up'),
    period_start: timestamp().describe('Start of the charged time'),
    period_end: timestamp().describe('End of the charged time, not included'),
  })
  .meta({ id: 'InvoiceLine' })
export type InvoiceLine = z.infer<typeof InvoiceLine>

const customerFields = {
  company_name: resourceName(200).nullable().describe('Name to which invoices are addressed; null if it is not known'),
  address: text(500).nullable().describe('Postal address, with line breaks'),
  vat_id: text(40).nullable().describe('VAT number of the customer; null without one'),
}
const emailMeta = { description: 'Address for questions about invoices' }

/** Whom the invoices of a workspace are addressed to. */
export const BillingDetails = z
  .object({
    workspace_id: id('ws'),
    ...customerFields,
    email: z
      .string()
      .max(254)
      .nullable()
      .meta({ format: 'email', ...emailMeta }),
  })
  .meta({ id: 'BillingDetails' })
export type BillingDetails = z.infer<typeof BillingDetails>

export const BillingDetailsPatch = z
  .strictObject({ ...customerFields, email: mailAddress().nullable().meta(emailMeta) })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, 'must have at least one field')
  .meta({ id: 'BillingDetailsPatch' })
export type BillingDetailsPatch = z.infer<typeof BillingDetailsPatch>

/** The operator, as named on invoices. */
export const InvoiceSeller = z
  .object({
    name: z.string().describe('Name of the operator'),
    address: z.string().nullable().describe('Postal address, with line breaks; null if the operator states none'),
    tax_id: z.string().nullable().describe('Tax number of the operator; null if the operator states none'),
  })
  .meta({ id: 'InvoiceSeller' })
export type InvoiceSeller = z.infer<typeof InvoiceSeller>

export const Invoice = z
  .object({
    id: id('bill'),
    number: z.string().nullable().describe('Without gaps in a year; null for a draft'),
    subscription_id: id('sub').nullable().describe('Subscription of the workspace; null if there was none'),
    status: z
      .enum(invoiceStatuses)
      .describe('`draft` while the period is not over, then `open` until it is `paid` or made `void`'),
    period_start: timestamp().describe('Start of the billed period'),
    period_end: timestamp().describe('End of the billed period, not included'),
    currency: z.string().describe('ISO 4217'),
    seller: InvoiceSeller,
    customer: BillingDetails,
    lines: z.array(InvoiceLine).describe('What is charged'),
    subtotal_minor: minor('Sum of the lines'),
    tax_rate: z.number().min(0).max(100).describe('Percent of the subtotal'),
    tax_minor: minor('Tax, rounded half up'),
    total_minor: minor('Amount to pay'),
    issued_at: timestamp().nullable().describe('When it was issued; null for a draft'),
    due_at: timestamp().nullable().describe('When it must be paid; null for a draft'),
    paid_at: timestamp().nullable().describe('When the payment was recorded; null until then'),
    voided_at: timestamp().nullable().describe('When it was made void; null unless it was'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Invoice' })
export type Invoice = z.infer<typeof Invoice>
