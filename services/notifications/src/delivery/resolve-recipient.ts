import type { NotificationRecipient } from '@wp/contracts'
import type { Context } from '../context.ts'
import { type Settings, type StoredSettings, userSettings } from '../settings/settings.ts'
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
