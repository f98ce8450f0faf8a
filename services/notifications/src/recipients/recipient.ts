import type { NotificationRecipient, Scope } from '@wp/contracts'

/** A recipient of notifications. */
export interface Recipient {
  id: string
  /** The zone of digests without one. */
  timezone: string
  isUser: boolean
  scopes: readonly Scope[]
}

/** The recipient of the feed that principals other than users share. */
export const workspaceRecipient = (workspaceId: string): Recipient => ({
  id: workspaceId,
  timezone: 'UTC',
  isUser: false,
  scopes: [],
})

export const userRecipient = ({ user_id: id, timezone, scopes }: NotificationRecipient): Recipient => ({
  id,
  timezone: timezone ?? 'UTC',
  isUser: true,
  scopes,
})
