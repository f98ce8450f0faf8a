import type { Notification } from '@wp/contracts'
import type { NotificationRow } from './store/notifications.ts'

export const notificationView = (row: NotificationRow): Notification => ({
  id: row.id,
  kind: row.kind,
  category: row.category,
  is_critical: row.isCritical,
  title: row.title,
  body: row.body,
  link: row.link,
  event_id: row.eventId,
  read_at: row.readAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
})
