import { createHmac } from 'node:crypto'
import { type Context, report } from '../../context.ts'
import { retry } from '../../retry.ts'

/** The answer of the local receiver. */
export interface ForwardedDelivery {
  statusCode: number
  attempts: number
  /** Duration of the last attempt. */
  durationMs: number
}

export interface ForwardOptions {
  address: URL
  secret: string
  signal: AbortSignal
}

/** A receiver that does not answer in this time is asked again. */
const attemptTimeoutMs = 30_000

/** Posts a delivery to the local receiver, until it answers. */
export const forwardDelivery = (
  context: Context,
  delivery: PolledDelivery,
  { address, secret, signal }: ForwardOptions,
): Promise<ForwardedDelivery> =>
  retry(
    async (attempt) => {
      const startedAt = performance.now()
      const response = await fetch(address, {
        method: 'POST',
        headers: signDelivery(delivery, secret, attempt, context.now()),
        body: delivery.body,
        redirect: 'manual', // the platform follows no redirects either
        signal: AbortSignal.any([signal, AbortSignal.timeout(attemptTimeoutMs)]),
      })
      await response.body?.cancel()
      return { statusCode: response.status, attempts: attempt, durationMs: Math.round(performance.now() - startedAt) }
    },
    {
      signal,
      onInterrupted: (reason) => report(context, `No answer from ${address} (${reason}); trying again.`),
      onResumed: () => report(context, `${address} answers again.`),
    },
  )

/** Returns the address of a receiver: a URL, a host with a port, or a port of this machine. */
export function parseReceiverAddress(text: string): URL | undefined {
  const url = URL.parse(
    /^\d+$/.test(text) ? `http://localhost:${text}/` : text.includes('://') ? text : `http://${text}`,
  )
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url : undefined
}

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
function signDelivery(
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
