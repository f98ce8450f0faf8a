import type { notifications, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { listNotifications, readAllNotifications, readNotification } from './notifications.ts'
import { getSettings, updateSettings } from './settings.ts'
import { streamNotifications } from './stream-notifications.ts'
import { showUnsubscribe, unsubscribe } from './unsubscribe.ts'

export const operations = {
  listNotifications,
  readNotification,
  readAllNotifications,
  streamNotifications,
  getSettings,
  updateSettings,
  showUnsubscribe,
  unsubscribe,
} satisfies Operations<typeof notifications, Context>
