import type { notifications, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { feedOf } from '../feed/feed-of-caller.ts'
import { countUnread, findNotifications } from '../store/notifications.ts'
import { notificationView } from '../views.ts'

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
