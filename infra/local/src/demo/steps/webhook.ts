import { paginate } from '@wp/client'
import { loadOrCreateAuthority } from '@wp/testkit'
import { DemoError } from '../../demo-error.ts'
import type { DemoContext } from '../context.ts'
import { formatDelivery } from '../format.ts'
import { type DemoOptions, isLoopback } from '../options.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts'

const events = ['FORECASTING_FINISHED', 'RECOMMENDATION_CREATED'] as const
const deliveredWithinMs = 30_000

/** The receiver of the demo, and the id of the subscription that sends to it. */
export interface WebhookSubscription {
  receiver: WebhookReceiver
  webhookId: string
}

/** Starts an HTTPS receiver and creates a subscription, for which the platform generates the secret. */
export async function subscribe(
  context: DemoContext,
  { host, port, authorityFolder }: DemoOptions['webhook'],
): Promise<WebhookSubscription> {
  const { client, output, cleanup } = context
  const generated = Promise.withResolvers<string>()
  const receiver = await startWebhookReceiver({
    secret: generated.promise,
    host,
    port,
    ...(isLoopback(host) ? { listenOn: host } : {}),
    authority: loadOrCreateAuthority(authorityFolder),
  })
  cleanup.defer(() => receiver.close())
  const { webhook_id: webhookId, secret } = await client.webhooks.createSubscription({
    body: { endpoint: receiver.url, generate_secret: true, events: [...events] },
  })
  if (secret === undefined) throw new DemoError('the platform generated no secret for the webhook')
  generated.resolve(secret)
  // The receiver ends with the demo.
  cleanup.defer(async () => void (await client.webhooks.deleteSubscription({ params: { webhook_id: webhookId } })))
  output.printProgress(`webhook ${webhookId}: ${events.join(', ')} to ${receiver.url}, signed`)
  return { receiver, webhookId }
}

/** Waits for the delivery of an event about a resource, which the receiver verifies, and prints it. */
export async function showDelivery(
  context: DemoContext,
  { receiver, webhookId }: WebhookSubscription,
  event: (typeof events)[number],
  resourceId: string,
): Promise<void> {
  const verified = await receiver
    .waitFor((came) => came.event === event && came.payload.id === resourceId, event, deliveredWithinMs)
    .catch(async (cause: unknown) => {
      throw new DemoError(`${event} was not delivered: ${await describeDeliveries(context, webhookId)}`, { cause })
    })
  const tookMs = verified.receivedAt - Date.parse(verified.delivery.payload.occurred_at)
  context.output.printProgress(`delivery ${verified.delivery.request_id}, ${tookMs} ms after the event`)
  context.output.printResult(formatDelivery(verified))
}

async function describeDeliveries({ client }: DemoContext, webhookId: string): Promise<string> {
  const states: string[] = []
  const list = (cursor: string | undefined) =>
    client.webhooks.listDeliveries({
      params: { webhook_id: webhookId },
      query: cursor === undefined ? {} : { cursor },
    })
  for await (const { event, status, attempt_count: attempts, last_error_kind: error } of paginate(list))
    states.push(`${event} ${status} after ${attempts} attempts${error === null ? '' : ` (${error})`}`)
  return states.join('; ') || 'the subscription has no deliveries'
}
