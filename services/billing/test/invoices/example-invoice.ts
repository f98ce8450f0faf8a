import type { Invoice, InvoiceLine } from '@wp/contracts'

const times = { period_start: '2026-01-15T08:00:00.000Z', period_end: '2026-02-15T08:00:00.000Z' }

/** Returns a line with a price of 49.00. */
export const exampleLine = (quantity: number): InvoiceLine => ({
  description: 'Team plan',
  kind: 'plan',
  meter: null,
  quantity,
  unit_price_minor: 4900,
  amount_minor: quantity * 4900,
  ...times,
})

/** Returns an open invoice. */
export const exampleInvoice = (changes: Partial<Invoice> = {}): Invoice => ({
  id: 'bill_01h455vb4pex5vsknk084sn02q',
  number: 'INV-2026-000042',
  subscription_id: null,
  status: 'open',
  ...times,
  currency: 'EUR',
  seller: { name: 'Seller AG', address: 'Street 1\nBerlin', tax_id: 'DE123456789' },
  customer: {
    workspace_id: 'ws_01h455vb4pex5vsknk084sn02q',
    company_name: 'Łódź & Ελλάς Москва',
    address: 'Street 2\n75001 Paris',
    vat_id: null,
    email: null,
  },
  lines: [exampleLine(1)],
  subtotal_minor: 4900,
  tax_rate: 19,
  tax_minor: 931,
  total_minor: 5831,
  issued_at: '2026-02-16T08:00:00.000Z',
  due_at: '2026-03-02T08:00:00.000Z',
  paid_at: null,
  voided_at: null,
  created_at: '2026-02-16T08:00:00.000Z',
  updated_at: '2026-02-16T08:00:00.000Z',
  ...changes,
})
