import { randomBytes } from 'node:crypto'
import { paginate } from '@wp/client'
import { keptAuthority } from '@wp/testkit'
import { describeDelivery } from '../describe.ts'
import { DemoFailure } from '../failure.ts'
import { type DemoOptions, isLoopback } from '../options.ts'
import { type HookReceiver, startHookReceiver } from '../receiver.ts'
import type { Scene } from '../scene.ts'

const events = ['FORECASTING_FINISHED', 'RECOMMENDATION_CREATED'] as const
const deliveredWithinMs = 30_000

/** A receiver of the demo's own, and the id of the subscription that sends to it. */
export interface Hooks {
  receiver: HookReceiver
  webhookId: string
}

/** Opens an HTTPS receiver and subscribes it, with a secret of its own. */
export async function subscribe(scene: Scene, { host, port, authorityFolder }: DemoOptions['webhook']): Promise<Hooks> {
  const { client, stage, leftovers } = scene
  const secret = randomBytes(24).toString('base64url')
  const receiver = await startHookReceiver({
    ...{ secret, host, port },
    ...(isLoopback(host) ? { listenOn: host } : {}),
    authority: keptAuthority(authorityFolder),
  })
  leftovers.defer(() => receiver.close())
  const { webhook_id: webhookId } = await client.webhooks.createSubscription({
    body: { endpoint: receiver.url, secret, events: [...events] },
  })
  // Nobody listens there once the demo has ended.
  leftovers.defer(async () => void (await client.webhooks.deleteSubscription({ params: { webhook_id: webhookId } })))
  stage.say(`webhook ${webhookId}: ${events.join(', ')} to ${receiver.url}, signed`)
  return { receiver, webhookId }
}

/** Waits for the delivery about a resource, verified by the receiver, and shows it. */
export async function showDelivery(
  scene: Scene,
  { receiver, webhookId }: Hooks,
  event: (typeof events)[number],
  resourceId: string,
): Promise<void> {
  const verified = await receiver
    .waitFor((came) => came.event === event && came.payload.id === resourceId, event, deliveredWithinMs)
    .catch(async (cause: unknown) => {
      throw new DemoFailure(`${event} was not delivered: ${await whatHappened(scene, webhookId)}`, { cause })
    })
  const tookMs = verified.receivedAt - Date.parse(verified.delivery.payload.occurred_at)
  scene.stage.say(`delivery ${verified.delivery.request_id}, ${tookMs} ms after it happened`)
  scene.stage.show(describeDelivery(verified))
}

async function whatHappened({ client }: Scene, webhookId: string): Promise<string> {
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
