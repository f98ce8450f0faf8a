import { z } from 'zod'
import type { ProviderPayment } from '../payment-provider.ts'

/** A Checkout Session (https://docs.stripe.com/api/checkout/sessions/object), as far as it is read. */
export const CheckoutSession = z.object({
  id: z.string(),
  url: z.string().nullish(),
  expires_at: z.number().nullish(),
  client_reference_id: z.string().nullish(),
  payment_status: z.string(),
  amount_total: z.number().int().nullish(),
  currency: z.string().nullish(),
})
export type CheckoutSession = z.infer<typeof CheckoutSession>

/** An event (https://docs.stripe.com/api/events/object), as far as it is read. */
export const StripeEvent = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({ object: z.unknown() }),
})

/** The events after which a session may be paid. Payments by bank debit succeed days after the session is completed. */
export const paidEventTypes: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
])

/** Returns what a session says about the payment. */
export const toPayment = (session: CheckoutSession): ProviderPayment => ({
  reference: session.id,
  invoiceId: session.client_reference_id ?? null,
  isPaid: session.payment_status === 'paid',
  amountMinor: session.amount_total ?? 0,
  currency: (session.currency ?? '').toUpperCase(),
})
