import { type Context, report } from '../context.ts'
import { retry } from '../retry.ts'
import { type PolledDelivery, signDelivery } from './sign-delivery.ts'

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
