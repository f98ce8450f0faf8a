import { type ConnectionFlags, connect } from '../../connection.ts'
import type { Context } from '../../context.ts'
import { collectPages } from '../../output/collect-pages.ts'
import type { ListFlags } from '../../output/flags.ts'
import { printList } from '../../output/print.ts'

export async function listSubscriptions(this: Context, flags: ConnectionFlags & ListFlags): Promise<void> {
  const { client } = await connect(this, flags)
  const subscriptions = await collectPages(flags.limit, (query) => client.webhooks.listSubscriptions({ query }))
  await printList(this, flags, subscriptions, [
    { title: 'id', value: (subscription) => subscription.webhook_id },
    { title: 'status', value: (subscription) => subscription.status },
    { title: 'endpoint', value: ({ endpoint, delivery }) => endpoint ?? delivery },
    { title: 'events', value: (subscription) => subscription.events },
    { title: 'delivered', value: ({ stats }) => stats.delivered },
    { title: 'failed', value: ({ stats }) => stats.failed },
    { title: 'pending', value: ({ stats }) => stats.pending },
    { title: 'created', value: (subscription) => ({ time: subscription.created_at }) },
  ])
}
