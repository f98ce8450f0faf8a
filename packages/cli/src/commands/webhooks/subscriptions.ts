import type { Client } from '@wp/client'
import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { definedMembers } from '../../flag-types.ts'
import type { Column } from '../../output/columns.ts'
import type { ListFlags, OutputFlags } from '../../output/flags.ts'
import { collectPages, printItem, printList } from '../../output/print.ts'
import { readSubscriptionFields, type SubscriptionFields } from './subscription-fields.ts'
import type { RemovalFlags, SubscriptionFlags } from './subscription-flags.ts'

export async function listSubscriptions(this: Context, flags: ListFlags): Promise<void> {
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

interface CreateSubscriptionFlags extends OutputFlags, SubscriptionFlags {
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

interface UpdateSubscriptionFlags extends OutputFlags, SubscriptionFlags, RemovalFlags {
  endpoint: string | undefined
  enable: boolean
  disable: boolean
}

export async function updateSubscription(
  this: Context,
  flags: UpdateSubscriptionFlags,
  webhookId: string,
): Promise<void> {
  if (flags.enable && flags.disable) throw new UsageError('give either --enable or --disable')
  const fields = await readSubscriptionFields(this, flags)
  const body = {
    ...fields,
    ...definedMembers({ endpoint: flags.endpoint }),
    ...(flags.enable ? { status: 'active' as const } : {}),
    ...(flags.disable ? { status: 'disabled' as const } : {}),
    ...removals(flags, fields),
  }
  if (Object.keys(body).length === 0) throw new UsageError('name at least one field to change')
  const { client } = await connect(this, flags)
  const updated = await client.webhooks.updateSubscription({ params: { webhook_id: webhookId }, body })
  for (const warning of updated.warnings) report(this, `Note: ${warning}`)
  await printItem(this, flags, updated, [
    ...subscriptionColumns,
    { title: 'status', value: (subscription) => subscription.status },
  ])
}

/** @throws UsageError if a field would be both set and removed */
function removals(flags: RemovalFlags, fields: SubscriptionFields) {
  const removed = {
    ...(flags.noFilter ? { filter: null } : {}),
    ...(flags.noRateLimit ? { rate_limit: null } : {}),
    ...(flags.noAuthentication ? { authentication: null } : {}),
  }
  const [contradiction] = Object.keys(removed).filter((name) => name in fields)
  if (contradiction !== undefined) throw new UsageError(`${contradiction} cannot be both set and removed`)
  return removed
}

export async function deleteSubscription(this: Context, flags: ConnectionFlags, webhookId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const { id } = await client.webhooks.deleteSubscription({ params: { webhook_id: webhookId } })
  report(this, `Deleted ${id}.`)
}

type Subscription = Awaited<ReturnType<Client['webhooks']['updateSubscription']>>

/** The fields of a subscription that a creation and a change print. */
const subscriptionColumns: readonly Column<Subscription>[] = [
  { title: 'id', value: (subscription) => subscription.webhook_id },
  { title: 'endpoint', value: (subscription) => subscription.endpoint },
  { title: 'events', value: (subscription) => subscription.events },
  { title: 'filter', value: ({ filter }) => (filter === null ? null : JSON.stringify(filter)) },
  { title: 'rate limit', value: (subscription) => subscription.rate_limit },
  { title: 'authentication', value: ({ authentication }) => describeAuthentication(authentication) },
]

/** Names the kind of an authentication and who authenticates. */
function describeAuthentication(authentication: Subscription['authentication']): string | null {
  if (authentication === null) return null
  if (authentication.type === 'basic') return `basic ${authentication.username}`
  if (authentication.type === 'mtls') return `mtls ${authentication.subject}`
  return `oauth2 ${authentication.client_id}`
}
