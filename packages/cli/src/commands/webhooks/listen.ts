import { randomBytes } from 'node:crypto'
import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { CancelledError, UsageError } from '../../errors.ts'
import { type ForwardedDelivery, forwardDelivery, parseReceiverAddress } from '../../listen/forward-delivery.ts'
import { createPolledSubscription, deletePolledSubscription, pollDeliveries } from '../../listen/polled-subscription.ts'
import type { PolledDelivery } from '../../listen/sign-delivery.ts'
import { escapeControls } from '../../output/escape-controls.ts'

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
