import type { NotificationRecipient } from '@wp/contracts'

/** A recipient of notifications. */
export interface Recipient {
  id: string
  /** The zone of digests without one. */
  timezone: string
  isUser: boolean
}

/** The recipient of the feed that principals other than users share. */
export const workspaceRecipient = (workspaceId: string): Recipient => ({
  id: workspaceId,
  timezone: 'UTC',
  isUser: false,
})

export const userRecipient = ({ user_id: id, timezone }: NotificationRecipient): Recipient => ({
  id,
  timezone: timezone ?? 'UTC',
  isUser: true,
})
