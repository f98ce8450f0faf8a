import type { Operation } from '../context.ts'
import { feedOf, requireOwnOrWrite } from '../feed.ts'
import { countUnread, findNotifications, markAllRead, markRead } from '../store/notifications.ts'
import { notificationView } from '../views.ts'

export const readNotification: Operation<'readNotification'> = async ({ database, now }, caller, { params }) => {
  const feed = feedOf(caller)
  requireOwnOrWrite(caller, feed.recipientId, 'Marking a notification of the workspace as read')
  return database.transact(caller, async (tx) => notificationView(await markRead(tx, feed, params.id, new Date(now()))))
}

export const readAllNotifications: Operation<'readAllNotifications'> = async ({ database, now }, caller) => {
  const feed = feedOf(caller)
  requireOwnOrWrite(caller, feed.recipientId, 'Marking the notifications of the workspace as read')
  return database.transact(caller, async (tx) => ({ read: await markAllRead(tx, feed, new Date(now())) }))
}

export const listNotifications: Operation<'listNotifications'> = async ({ database }, caller, { query }) => {
  const feed = feedOf(caller)
  return database.read(caller, async (db) => {
    const { items, nextCursor } = await findNotifications(db, feed, query)
    return { items: items.map(notificationView), nextCursor, meta: { unread_count: await countUnread(db, feed) } }
  })
}
