import { createHmac } from 'node:crypto'

/** The signing secret of tests. */
export const testWebhookSecret = 'whsec_of_tests'

/** Signs a body as Stripe does. @param time milliseconds since 1970 */
export function stripeSignature(body: string, secret = testWebhookSecret, time = Date.now()): string {
  const timestamp = Math.floor(time / 1000)
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return `t=${timestamp},v1=${signature}`
}

/** Builds a signed request with an event of Stripe. */
export function stripeEventRequest(type: string, object: unknown) {
  const rawBody = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
  return { rawBody, headers: { 'content-type': 'application/json', 'stripe-signature': stripeSignature(rawBody) } }
}
