import { problem } from '@wp/contracts'
import { parseJson } from '@wp/runtime'
import { readBytes } from '@wp/service'
import type { Operation } from '../context.ts'
import { recordPayment } from '../payments/settle-invoice.ts'
import {
  CheckoutSession,
  isSignedByStripe,
  paidEventTypes,
  StripeEvent,
  toPayment,
} from '../payments/stripe-provider.ts'

/** Events are smaller than 64 KiB. */
const maxEventBytes = 262_144

/**
 * Records the payment that an event of Stripe reports. An event that was handled before, or that reports nothing to
 * record, is acknowledged too: Stripe would otherwise send it for days.
 */
export const receiveStripeEvent: Operation<'receiveStripeEvent'> = async (context, caller, { body, headers }) => {
  const { config, now } = context
  const secret = config.STRIPE_WEBHOOK_SECRET
  if (secret === undefined) throw problem('not_found', { detail: 'Payments by Stripe are not configured' })
  const bytes = await readBytes(body, maxEventBytes, `An event has at most ${maxEventBytes} bytes`)
  if (!isSignedByStripe(bytes, headers['stripe-signature'] ?? '', secret, now()))
    throw problem('validation_failed', { detail: 'Stripe-Signature is not a valid, recent signature of the body' })
  const event = StripeEvent.safeParse(parseJson(bytes.toString()))
  if (!event.success) throw problem('validation_failed', { detail: 'The body is not an event of Stripe' })
  if (paidEventTypes.has(event.data.type)) {
    const payment = toPayment(CheckoutSession.parse(event.data.data.object))
    // A session of a delayed payment method is completed before it is paid.
    if (payment.isPaid) await recordPayment(context, payment, caller.requestId)
  }
  return { received: true }
}
