import { type Notification, type NotificationSettings, notificationCategories } from '@wp/contracts'
import type { Settings } from './settings/settings.ts'
import type { NotificationRow } from './store/notifications.ts'

export const notificationView = (row: NotificationRow): Notification => ({
  id: row.id,
  kind: row.kind,
  category: notificationCategories.find((category) => category === row.category) ?? 'data',
  is_critical: row.isCritical,
  title: row.title,
  body: row.body,
  link: row.link,
  event_id: row.eventId,
  read_at: row.readAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
})

export const settingsView = (
  level: NotificationSettings['level'],
  settings: Settings,
  updatedAt: Date | undefined,
): NotificationSettings => ({ level, ...settings, updated_at: updatedAt?.toISOString() ?? null })
