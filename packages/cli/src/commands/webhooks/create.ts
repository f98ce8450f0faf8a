import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { definedMembers } from '../../flag-types.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { printItem } from '../../output/print.ts'

interface CreateSubscriptionFlags extends ConnectionFlags, OutputFlags {
  events: string[] | undefined
  description: string | undefined
  poll: boolean
}

export async function createSubscription(
  this: Context,
  flags: CreateSubscriptionFlags,
  endpoint: string | undefined,
): Promise<void> {
  if (flags.poll === (endpoint !== undefined)) throw new UsageError('give either an endpoint or --poll')
  const { client } = await connect(this, flags)
  const subscription = await client.webhooks.createSubscription({
    body: {
      delivery: flags.poll ? 'poll' : 'push',
      events: flags.events ?? ['*'],
      generate_secret: !flags.poll,
      ...definedMembers({ endpoint, description: flags.description }),
    },
  })
  for (const warning of subscription.warnings) report(this, `Note: ${warning}`)
  await printItem(this, flags, subscription, [
    { title: 'id', value: (created) => created.webhook_id },
    { title: 'endpoint', value: (created) => created.endpoint },
    { title: 'events', value: (created) => created.events },
    { title: 'secret', value: (created) => created.secret },
  ])
}
