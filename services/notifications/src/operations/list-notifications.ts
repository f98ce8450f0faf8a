import type { notifications, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { listNotifications as list } from '../store/notifications.ts'
import { notificationView } from '../views.ts'

export const listNotifications: Operation<typeof notifications.listNotifications, Context> = async (
  { database },
  caller,
  { query },
) => {
  const { items, nextCursor } = await database.read(caller, (db) =>
    list(db, caller.workspaceId, caller.principal.id, query),
  )
  return { items: items.map(notificationView), nextCursor }
}
