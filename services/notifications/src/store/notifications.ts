import type { Page } from '@wp/contracts'
import { afterCursor, paginate, type ScopedClient } from '@wp/database'
import type { PrismaClient, Notification as Row } from '#db'

export type { Row as NotificationRow }

export interface NotificationFilter {
  limit: number
  cursor?: string | undefined
  unread?: boolean | undefined
}

/** Returns one page of a user's notifications, newest first. */
export async function listNotifications(
  db: ScopedClient<PrismaClient>,
  workspaceId: string,
  userId: string,
  { limit, cursor, unread }: NotificationFilter,
): Promise<Page<Row>> {
  const rows = await db.notification.findMany({
    where: {
      workspaceId,
      userId,
      ...(unread === undefined ? {} : { readAt: unread ? null : { not: null } }),
      ...afterCursor(cursor),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  return paginate(rows, limit, (row) => row)
}
