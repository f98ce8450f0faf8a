import type { notifications, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { feedOf, requireOwnOrWrite } from '../feed/feed-of-caller.ts'
import { countUnread, findNotifications, markAllRead, markRead } from '../store/notifications.ts'
import { notificationView } from '../views.ts'

export const readNotification: Operation<typeof notifications.readNotification, Context> = async (
  { database, now },
  caller,
  { params },
) => {
  const feed = feedOf(caller)
  requireOwnOrWrite(caller, feed.recipientId, 'Marking a notification of the workspace as read')
  return database.transact(caller, async (tx) => notificationView(await markRead(tx, feed, params.id, new Date(now()))))
}

export const readAllNotifications: Operation<typeof notifications.readAllNotifications, Context> = async (
  { database, now },
  caller,
) => {
  const feed = feedOf(caller)
  requireOwnOrWrite(caller, feed.recipientId, 'Marking the notifications of the workspace as read')
  return database.transact(caller, async (tx) => ({ read: await markAllRead(tx, feed, new Date(now())) }))
}

export const listNotifications: Operation<typeof notifications.listNotifications, Context> = async (
  { database },
  caller,
  { query },
) => {
  const feed = feedOf(caller)
  return database.read(caller, async (db) => {
    const { items, nextCursor } = await findNotifications(db, feed, query)
    return { items: items.map(notificationView), nextCursor, meta: { unread_count: await countUnread(db, feed) } }
  })
}
