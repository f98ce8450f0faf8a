import type { notifications, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { feedOf, requireOwnOrWrite } from '../recipients/feed-of-caller.ts'
import { markAllRead } from '../store/notifications.ts'

export const readAllNotifications: Operation<typeof notifications.readAllNotifications, Context> = async (
  { database, now },
  caller,
) => {
  const feed = feedOf(caller)
  requireOwnOrWrite(caller, feed.recipientId, 'Marking the notifications of the workspace as read')
  return database.transact(caller, async (tx) => ({ read: await markAllRead(tx, feed, new Date(now())) }))
}
