import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { definedMembers } from '../../flag-types.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { printItem } from '../../output/print.ts'
import { subscriptionColumns } from './subscription-columns.ts'
import { readSubscriptionFields, type SubscriptionFields } from './subscription-fields.ts'
import type { RemovalFlags, SubscriptionFlags } from './subscription-flags.ts'

interface UpdateSubscriptionFlags extends ConnectionFlags, OutputFlags, SubscriptionFlags, RemovalFlags {
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
