import { createHmac } from 'node:crypto'

/** A delivery as it was polled. */
export interface PolledDelivery {
  request_id: string
  event_id: string
  event: string
  /** The payload, byte for byte. */
  body: string
}

/**
 * Creates the headers of an attempt, as the platform does for an endpoint: `x-webhook-signature` and those of
 * https://www.standardwebhooks.com.
 */
export function signDelivery(
  { request_id, event_id, event, body }: PolledDelivery,
  secret: string,
  attempt: number,
  now: number,
): Record<string, string> {
  const timestamp = Math.floor(now / 1000)
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret
  const signature = createHmac('sha256', key).update(`${request_id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'wp-webhooks-listen',
    'x-webhook-event': event,
    'x-webhook-request-id': request_id,
    'x-webhook-event-id': event_id,
    'x-webhook-attempt': String(attempt),
    'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'webhook-id': request_id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
}
