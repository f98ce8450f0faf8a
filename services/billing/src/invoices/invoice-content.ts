import { type BillingDetails, BillingDetails as Details, InvoiceLine, InvoiceSeller } from '@wp/contracts'
import { z } from 'zod'
import type { BillingDetailsRow } from '../store/billing-details.ts'
import type { CalculatedInvoice } from './calculate-invoice.ts'
import type { InvoiceConfig } from './invoice-config.ts'

/** The part of an invoice that is frozen when it is issued. */
export const InvoiceContent = z.object({
  seller: InvoiceSeller,
  customer: Details,
  // unbounded: written by this service
  lines: z.array(InvoiceLine),
  subtotal_minor: z.number(),
  tax_rate: z.number(),
  tax_minor: z.number(),
})
export type InvoiceContent = z.infer<typeof InvoiceContent>

/** Builds the content of an invoice from its calculation, the seller of now and the customer of now. */
export const buildContent = (
  { lines, subtotalMinor, taxMinor }: CalculatedInvoice,
  settings: InvoiceConfig,
  customer: BillingDetails,
): InvoiceContent => ({
  seller: {
    name: settings.BILLING_SELLER_NAME,
    address: settings.BILLING_SELLER_ADDRESS ?? null,
    tax_id: settings.BILLING_SELLER_TAX_ID ?? null,
  },
  customer,
  lines,
  subtotal_minor: subtotalMinor,
  tax_rate: settings.BILLING_TAX_PERCENT / 100,
  tax_minor: taxMinor,
})

/** Returns the public form of billing details; all fields are null if the workspace entered none. */
export const detailsView = (workspaceId: string, row: BillingDetailsRow | null): BillingDetails => ({
  workspace_id: workspaceId,
  company_name: row?.companyName ?? null,
  address: row?.address ?? null,
  vat_id: row?.vatId ?? null,
  email: row?.email ?? null,
})
