import type { NotificationRecipient } from '@wp/contracts'
import { kinds, mayBeMailed } from '../catalog/kinds.ts'
import type { Context } from '../context.ts'
import { type Settings, type StoredSettings, userSettings } from '../settings/settings.ts'
import type { DeliveryChannel, DeliveryRow } from '../store/deliveries.ts'
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
