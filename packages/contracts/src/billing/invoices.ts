import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { listQuery } from '../core/shape/shape.ts'
import { BillingDetails, BillingDetailsPatch, Invoice, invoiceStatuses } from './invoice-shapes.ts'

const invoicePath = z.object({ id: id('bill') })

/** Invoices of the workspace, and whom they are addressed to. */
export const billingInvoices = declareEndpoints('billing', {
  listInvoices: {
    method: 'GET',
    path: '/v1/billing/invoices',
    summary: 'List invoices, newest first',
    description:
      'The draft of the current period comes first; it is calculated when it is read. A period without anything to pay has no invoice.',
    scope: 'billing:read',
    query: listQuery({ status: z.enum(invoiceStatuses).optional() }),
    list: Invoice,
  },
  getInvoice: {
    method: 'GET',
    path: '/v1/billing/invoices/{id}',
    summary: 'Read an invoice',
    description: 'Returns the lines, taxes and totals in minor units of the currency, and the status of the payment.',
    scope: 'billing:read',
    params: invoicePath,
    ok: Invoice,
  },
  getInvoicePdf: {
    method: 'GET',
    path: '/v1/billing/invoices/{id}/pdf',
    summary: 'Download an invoice as PDF',
    description: 'The same invoice gives the same file. A draft is marked as one.',
    scope: 'billing:read',
    params: invoicePath,
    response: 'file',
    fileTypes: ['application/pdf'],
  },
  getDetails: {
    method: 'GET',
    path: '/v1/billing/details',
    summary: 'Read whom invoices are addressed to',
    description: 'Name, address and tax number as they appear on the next invoice.',
    scope: 'billing:read',
    ok: BillingDetails,
  },
  updateDetails: {
    method: 'PATCH',
    path: '/v1/billing/details',
    summary: 'Change whom invoices are addressed to',
    description: 'Applies to invoices issued from now on. `null` clears a field.',
    scope: 'billing:write',
    body: BillingDetailsPatch,
    ok: BillingDetails,
    audit: { action: 'billing_details.updated', target: 'workspace', field: 'workspace_id' },
  },
})
