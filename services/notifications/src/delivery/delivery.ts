import type { NotificationRecipient } from '@wp/contracts'
import { serviceCaller } from '@wp/events'
import { kinds, mayBeMailed } from '../catalog/kinds.ts'
import type { Context } from '../context.ts'
import { type Settings, type StoredSettings, userSettings } from '../settings/settings.ts'
import type { Control } from '../store/client.ts'
import { changeState, type DeliveryChannel, type DeliveryRow, type DeliveryState } from '../store/deliveries.ts'
import { findSettings } from '../store/settings.ts'

/** A user and how they are notified now. */
export interface DeliveryRecipient extends NotificationRecipient {
  settings: Settings
}

/** Reads a member with their settings; undefined if the user is not a member any more. */
export async function resolveRecipient(
  { recipients, database }: Pick<Context, 'recipients' | 'database'>,
  workspaceId: string,
  userId: string,
): Promise<DeliveryRecipient | undefined> {
  const recipient = await recipients.find(workspaceId, userId)
  if (recipient === undefined) return undefined
  const rows = await database.read({ workspaceId }, (_db, query) =>
    findSettings<StoredSettings>(query, workspaceId, [workspaceId, userId]),
  )
  const valuesOf = (id: string) => rows.find(({ recipientId }) => recipientId === id)?.values
  return { ...recipient, settings: userSettings(valuesOf(workspaceId), valuesOf(userId)) }
}

/**
 * Returns why a notification that was to be sent is not: membership, permission and settings may have changed since it
 * was planned. Undefined if it is sent.
 */
export function skipReason(
  { kind, isCritical }: Pick<DeliveryRow, 'kind' | 'isCritical'>,
  recipient: DeliveryRecipient | undefined,
  channel: DeliveryChannel,
): string | undefined {
  if (recipient === undefined) return 'not a member of the workspace'
  const entry = kinds[kind]
  if (entry === undefined || !recipient.scopes.includes(entry.scope)) return 'may not read the resource'
  if (channel === 'email' && !mayBeMailed(entry, recipient.scopes)) return 'may not change the resource'
  return isCritical || recipient.settings.categories[entry.category][channel] ? undefined : 'turned off'
}

/**
 * Records how an attempt ended and finishes the job. The result is written even if the lease was lost, for example to
 * another workspace: otherwise a message that was sent would end as `uncertain`.
 */
export async function recordResult(
  { database, metrics }: Pick<Context, 'database' | 'metrics'>,
  control: Control,
  deliveries: readonly DeliveryRow[],
  { to, reason }: { to: DeliveryState; reason?: string },
): Promise<void> {
  const { shard, workspaceId, requestId } = control.caller
  await database.transact(serviceCaller('notifications', { shard, workspaceId, requestId }), (tx) =>
    changeState(tx, deliveries, { from: 'sending', to, reason }),
  )
  for (const { channel } of deliveries) metrics.count('notifications_sent_total', { channel, outcome: to })
  await control.finish()
}

/** Ends deliveries whose attempt was interrupted: they may have been sent, so they are not sent again. */
export async function recordInterrupted(control: Control, deliveries: readonly DeliveryRow[]): Promise<void> {
  await control.checkpoint(async (tx) => {
    await changeState(tx, deliveries, { from: 'sending', to: 'uncertain', reason: 'interrupted' })
    return {}
  })
}

/** Ends deliveries that are not to be sent. */
export async function recordSkipped(
  control: Control,
  deliveries: readonly DeliveryRow[],
  reason: string,
): Promise<void> {
  await control.checkpoint(async (tx) => {
    await changeState(tx, deliveries, { from: 'pending', to: 'skipped', reason })
    return {}
  })
}
