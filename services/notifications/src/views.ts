import { Notification, type NotificationSettings, notificationCategories } from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { Settings } from './settings/settings.ts'
import type { NotificationRow } from './store/notifications.ts'

export const notificationView = (row: NotificationRow): Notification =>
  viewOf(Notification, row, {
    category: notificationCategories.find((category) => category === row.category) ?? 'data',
  })

export const settingsView = (
  level: NotificationSettings['level'],
  settings: Settings,
  updatedAt: Date | undefined,
): NotificationSettings => ({ level, ...settings, updated_at: updatedAt?.toISOString() ?? null })
