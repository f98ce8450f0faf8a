import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Client } from '@wp/client'
import { type Context, report } from '../context.ts'
import { isApiError } from '../errors.ts'
import { pause, type RetryOptions, retry } from '../retry.ts'
import type { PolledDelivery } from './sign-delivery.ts'

/** Pause between two polls when no deliveries wait. */
const pollIntervalMs = 1_000
/** At the begin and the end, a lost connection is tried this often: about half a minute. */
const maxAttempts = 10

const messages = (context: Context): Pick<RetryOptions, 'onInterrupted' | 'onResumed'> => ({
  onInterrupted: (reason) => report(context, `Lost the connection to the platform (${reason}); trying again.`),
  onResumed: () => report(context, 'The platform responds again.'),
})

/** Creates the subscription. Its attempts share an idempotency key, so that a lost response leaves no second one. */
export async function createPolledSubscription(
  context: Context,
  client: Client,
  { events, secret }: { events: string[]; secret: string },
  signal: AbortSignal,
): Promise<string> {
  const idempotencyKey = randomUUID()
  const description = `wp webhooks listen on ${hostname()}`
  const { webhook_id } = await retry(
    () =>
      client.webhooks.createSubscription(
        { body: { delivery: 'poll', events, secret, description } },
        { idempotencyKey }, // without the signal: an interrupted request could leave a subscription
      ),
    { signal, maxAttempts, ...messages(context) },
  )
  return webhook_id
}

/** Deletes the subscription, also after the user has ended the command. One that is gone already is no error. */
export async function deletePolledSubscription(context: Context, client: Client, webhookId: string): Promise<void> {
  const never = new AbortController().signal
  try {
    await retry(() => client.webhooks.deleteSubscription({ params: { webhook_id: webhookId } }), {
      signal: never,
      maxAttempts,
      ...messages(context),
    })
  } catch (error) {
    if (isApiError(error) && error.status === 404) return
    report(context, `The subscription was not deleted. To delete it, run: wp webhooks delete ${webhookId}`)
    throw error
  }
}

/**
 * Iterates over the deliveries of a polled subscription, in the order of the events. A delivery is acknowledged after
 * the last one of its page was used. After a lost connection the poll is repeated with the same cursor.
 */
export async function* pollDeliveries(
  context: Context,
  client: Client,
  webhookId: string,
  signal: AbortSignal,
): AsyncGenerator<PolledDelivery> {
  let cursor: string | undefined
  for (;;) {
    const query = cursor === undefined ? {} : { cursor }
    const page = await retry(
      () => client.webhooks.pollDeliveries({ params: { webhook_id: webhookId }, query }, { signal }),
      { signal, ...messages(context) },
    )
    yield* page.items
    cursor = page.next_cursor ?? undefined
    if (cursor === undefined) await pause(pollIntervalMs, signal)
  }
}
