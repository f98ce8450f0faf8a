import type { notifications, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { getSettings } from './get-settings.ts'
import { listNotifications } from './list-notifications.ts'
import { readAllNotifications } from './read-all-notifications.ts'
import { readNotification } from './read-notification.ts'
import { showUnsubscribe } from './show-unsubscribe.ts'
import { streamNotifications } from './stream-notifications.ts'
import { unsubscribe } from './unsubscribe.ts'
import { updateSettings } from './update-settings.ts'

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
