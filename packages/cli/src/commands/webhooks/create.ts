import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { definedMembers } from '../../flag-types.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { printItem } from '../../output/print.ts'
import { subscriptionColumns } from './subscription-columns.ts'
import { readSubscriptionFields } from './subscription-fields.ts'
import type { SubscriptionFlags } from './subscription-flags.ts'

interface CreateSubscriptionFlags extends ConnectionFlags, OutputFlags, SubscriptionFlags {
  poll: boolean
}

export async function createSubscription(
  this: Context,
  flags: CreateSubscriptionFlags,
  endpoint: string | undefined,
): Promise<void> {
  if (flags.poll === (endpoint !== undefined)) throw new UsageError('give either an endpoint or --poll')
  const { client } = await connect(this, flags)
  const fields = await readSubscriptionFields(this, flags)
  const subscription = await client.webhooks.createSubscription({
    body: {
      delivery: flags.poll ? 'poll' : 'push',
      generate_secret: !flags.poll,
      ...definedMembers({ endpoint }),
      ...fields,
      events: fields.events ?? ['*'],
    },
  })
  for (const warning of subscription.warnings) report(this, `Note: ${warning}`)
  await printItem(this, flags, subscription, [
    ...subscriptionColumns,
    { title: 'secret', value: () => subscription.secret },
  ])
}
