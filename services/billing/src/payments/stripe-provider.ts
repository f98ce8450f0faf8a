import { createHmac, timingSafeEqual } from 'node:crypto'
import { problem } from '@wp/contracts'
import type { Outbound } from '@wp/outbound'
import { z } from 'zod'
import type { PaymentProvider, ProviderPayment, StartedPayment } from './payment-provider.ts'

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

/** Largest accepted age of a signature, as in the libraries of Stripe. */
const toleranceSeconds = 300
/** An attacker could send many signatures to be compared; Stripe sends two during a rotation of the secret. */
const maxSignatures = 10

interface StripeOptions {
  secretKey: string
  /** Without a path. */
  apiUrl: string
  /** Address to which the customer returns after the payment. */
  publicBaseUrl: string
  outbound: Pick<Outbound, 'request'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** The version whose objects are read here. Stripe keeps each version stable. */
const apiVersion = '2025-03-31.basil'
const maxResponseBytes = 262_144
const msPerHour = 3_600_000

/**
 * Creates the provider that takes payments on a page of Stripe, without a library. Longer than most functions: all
 * requests share one way to call.
 */
export function createStripeProvider({
  secretKey,
  apiUrl,
  publicBaseUrl,
  outbound,
  now,
}: StripeOptions): PaymentProvider {
  async function call(path: string, form?: URLSearchParams, idempotencyKey?: string): Promise<unknown> {
    const response = await outbound
      .request({
        url: new URL(path, apiUrl),
        method: form === undefined ? 'GET' : 'POST',
        protocols: ['https:', 'http:'],
        idempotent: true,
        headers: {
          authorization: `Bearer ${secretKey}`,
          'stripe-version': apiVersion,
          'content-type': form === undefined ? undefined : 'application/x-www-form-urlencoded',
          'idempotency-key': idempotencyKey,
        },
        body: form?.toString(),
        maxResponseBytes,
        keepResponseBytes: maxResponseBytes,
      })
      .catch((cause: unknown) => {
        throw unavailable(cause)
      })
    if (response.status === 404) return undefined
    if (response.status !== 200) throw unavailable(new Error(`Stripe answered ${response.status} to ${path}`))
    return JSON.parse(response.body.toString())
  }

  return {
    name: 'stripe',
    async createPayment(invoice): Promise<StartedPayment> {
      const form = new URLSearchParams({
        mode: 'payment',
        client_reference_id: invoice.id,
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': invoice.currency.toLowerCase(),
        'line_items[0][price_data][unit_amount]': String(invoice.totalMinor),
        'line_items[0][price_data][product_data][name]': `Invoice ${invoice.number}`,
        'payment_intent_data[metadata][invoice]': invoice.number,
        success_url: `${publicBaseUrl}/`,
        cancel_url: `${publicBaseUrl}/`,
        ...(invoice.email === null ? {} : { customer_email: invoice.email }),
      })
      // The same session for an hour: it expires after 24, so a repeated request never returns one that has expired.
      const key = `${invoice.id}-${Math.floor(now() / msPerHour)}`
      const session = CheckoutSession.parse(await call('/v1/checkout/sessions', form, key))
      return {
        reference: session.id,
        instructions: 'Open the page to pay. The invoice is marked as paid when the payment has arrived.',
        url: session.url ?? null,
        expiresAt: session.expires_at == null ? null : new Date(session.expires_at * 1000),
      }
    },
    async readPayment(reference) {
      const session = await call(`/v1/checkout/sessions/${encodeURIComponent(reference)}`)
      return session === undefined ? undefined : toPayment(CheckoutSession.parse(session))
    },
  }
}

const unavailable = (cause: unknown) =>
  problem('service_unavailable', { detail: 'Payments are unavailable; retry shortly', cause })

/**
 * Returns true if an event was signed by Stripe within the last 5 minutes: `Stripe-Signature` holds a timestamp `t` and
 * signatures `v1`, each the HMAC-SHA-256 of `<t>.<raw body>` (https://docs.stripe.com/webhooks#verify-manually).
 * Signatures are compared in constant time.
 *
 * @param now milliseconds since 1970
 */
export function isSignedByStripe(body: Uint8Array, signatureHeader: string, secret: string, now: number): boolean {
  const parts = signatureHeader.split(',').map((part) => part.trim().split('=', 2))
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(timestamp)) return false
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  const signatures = parts.flatMap(([name, value]) => (name === 'v1' && value !== undefined ? [value] : []))
  const isSigned = signatures
    .slice(0, maxSignatures)
    .some((text) => /^[0-9a-f]{64}$/.test(text) && timingSafeEqual(Buffer.from(text, 'hex'), expected))
  return isSigned && Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds
}

export type CheckoutSession = z.infer<typeof CheckoutSession>

/** Returns what a session says about the payment. */
export const toPayment = (session: CheckoutSession): ProviderPayment => ({
  reference: session.id,
  invoiceId: session.client_reference_id ?? null,
  isPaid: session.payment_status === 'paid',
  amountMinor: session.amount_total ?? 0,
  currency: (session.currency ?? '').toUpperCase(),
})
