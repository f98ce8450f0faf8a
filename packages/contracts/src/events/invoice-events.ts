import { z } from 'zod'
import { event } from '../core/event.ts'
import { timestamp } from '../core/shape/shape.ts'
import { payloadExample, payloadFields } from './payload.ts'

/** Kinds about invoices. */
export const invoiceEvents = {
  INVOICE_ISSUED: event({
    kind: 'INVOICE_ISSUED',
    producer: 'billing',
    summary: 'An invoice was issued',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('open'),
      number: z.string().describe('Number of the invoice'),
      total_minor: z.number().int().describe('Amount to pay with tax, in minor units'),
      currency: z.string().describe('Currency by ISO 4217'),
      period_start: timestamp().describe('Start of the billed period'),
      period_end: timestamp().describe('End of the billed period, not included'),
      due_at: timestamp().describe('When it must be paid'),
    }),
    example: payloadExample('bill_01h455vb4pex5vsknk084sn02q', 'open', {
      number: 'INV-2026-000042',
      total_minor: 4900,
      currency: 'EUR',
      period_start: '2026-01-05T09:30:00.000Z',
      period_end: '2026-02-05T09:30:00.000Z',
      due_at: '2026-02-20T09:30:00.000Z',
    }),
  }),
} as const
