import { randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Client } from '@wp/client'
import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { CancelledError, isApiError, UsageError } from '../../errors.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { pause, type RetryOptions, retry } from '../../retry.ts'
import type { PolledDelivery } from './forward-delivery.ts'
import { type ForwardedDelivery, forwardDelivery, parseReceiverAddress } from './forward-delivery.ts'

/** Pause between two polls when no deliveries wait. */
const pollIntervalMs = 1_000
/** At the begin and the end, a lost connection is tried this often: about half a minute. */
const maxAttempts = 10

interface ListenFlags extends ConnectionFlags {
  events: string[] | undefined
  secret: string | undefined
  json: boolean
}

/** Time limit of a request to the platform: short, because a lost connection may not be reported. */
const timeoutMs = 10_000

export async function listen(this: Context, flags: ListenFlags, receiver: string): Promise<void> {
  const address = parseReceiverAddress(receiver)
  if (address === undefined)
    throw new UsageError(`${receiver} must be a port or an address such as localhost:3000/hooks`)
  const signal = this.takeInterrupts()
  const { client } = await connect(this, flags, { timeoutMs, maxRetries: 0 })
  const secret = flags.secret ?? (this.env.WP_WEBHOOK_SECRET || `whsec_${randomBytes(32).toString('base64')}`)
  const webhookId = await createPolledSubscription(this, client, { events: flags.events ?? ['*'], secret }, signal)
  report(this, `Forwarding the deliveries of ${webhookId} to ${address}. Ctrl-C ends it.`)
  report(this, `Signing secret: ${secret}`)
  try {
    for await (const delivery of pollDeliveries(this, client, webhookId, signal))
      printForwarded(this, flags, delivery, await forwardDelivery(this, delivery, { address, secret, signal }))
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error
  } finally {
    await deletePolledSubscription(this, client, webhookId)
  }
  report(this, `Deleted ${webhookId}.`)
}

function printForwarded(
  { process: { stdout }, now }: Context,
  { json }: ListenFlags,
  { request_id, event_id, event }: PolledDelivery,
  { statusCode, attempts, durationMs }: ForwardedDelivery,
): void {
  const at = new Date(now()).toISOString()
  const row = { at, status_code: statusCode, event, request_id, event_id, attempts, duration_ms: durationMs }
  if (json) stdout.write(`${JSON.stringify(row)}\n`)
  else if (stdout.isTTY !== true) stdout.write(`${[at, statusCode, event, request_id, durationMs].join('\t')}\n`)
  else stdout.write(`${at.slice(11, 19)}  ${statusCode}  ${escapeControls(event)}  ${request_id}  ${durationMs} ms\n`)
}

const messages = (context: Context): Pick<RetryOptions, 'onInterrupted' | 'onResumed'> => ({
  onInterrupted: (reason) => report(context, `Lost the connection to the platform (${reason}); trying again.`),
  onResumed: () => report(context, 'The platform responds again.'),
})

/** Creates the subscription. Its attempts share an idempotency key, so that a lost response leaves no second one. */
async function createPolledSubscription(
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
async function deletePolledSubscription(context: Context, client: Client, webhookId: string): Promise<void> {
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
async function* pollDeliveries(
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
