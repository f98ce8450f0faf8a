import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { timestamp } from '../core/shape/shape.ts'

/** `manual`: an operator records the payment. */
export const paymentProviders = ['manual', 'stripe'] as const

export const InvoicePayment = z
  .object({
    id: id('bill'),
    provider: z.enum(paymentProviders).describe('`manual`: by the instructions; `stripe`: online at `url`'),
    instructions: z.string().describe('What to do to pay, for people'),
    url: z.string().nullable().describe('Page on which the invoice is paid; null if there is none'),
    expires_at: timestamp().nullable().describe('When the page expires; start the payment again after it'),
  })
  .meta({ id: 'InvoicePayment' })
export type InvoicePayment = z.infer<typeof InvoicePayment>

/** Payment of invoices. */
export const billingPayments = declareEndpoints('billing', {
  startPayment: {
    method: 'POST',
    path: '/v1/billing/invoices/{id}/payment',
    summary: 'Start the payment of an open invoice',
    description:
      'Returns how to pay, and where if the operator accepts payments online. Started twice, an invoice is still paid once.',
    scope: 'billing:write',
    params: z.object({ id: id('bill') }),
    ok: InvoicePayment,
    errors: ['conflict', 'service_unavailable'],
    audit: { action: 'invoice.payment_started', target: 'invoice' },
  },
  receiveStripeEvent: {
    method: 'POST',
    path: '/v1/billing/payments/stripe/events',
    summary: 'Receive an event from Stripe',
    description:
      'Called by Stripe, which signs its events with the secret of the operator in `Stripe-Signature`. Other requests are refused.',
    credentials: 'none',
    input: 'stream',
    contentTypes: ['application/json'],
    headers: ['stripe-signature'],
    bare: z.object({ received: z.literal(true).describe('Always true') }),
    errors: ['not_found', 'validation_failed', 'payload_too_large'],
  },
})
