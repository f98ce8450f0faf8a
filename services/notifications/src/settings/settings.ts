import {
  type NotificationCategory,
  type NotificationChannel,
  type NotificationSettings,
  notificationCategories,
} from '@wp/contracts'

export type Channels = Record<NotificationChannel, boolean>
export type Settings = Pick<NotificationSettings, 'categories' | 'digest' | 'quiet_hours' | 'slack'>

/** Settings that a recipient has chosen. Everything else follows the defaults. */
export interface StoredSettings extends Partial<Pick<Settings, 'digest' | 'quiet_hours' | 'slack'>> {
  categories?: Partial<Record<NotificationCategory, Partial<Channels>>>
}

/** Categories whose notifications are mailed unless that is turned off: they usually ask for action. */
const mailedByDefault: ReadonlySet<NotificationCategory> = new Set(['webhooks', 'integrations', 'security', 'billing'])

const defaultCategories = Object.fromEntries(
  notificationCategories.map((category) => [
    category,
    { in_app: true, email: mailedByDefault.has(category), slack: true },
  ]),
) as Record<NotificationCategory, Channels> // has exactly the categories

/** The settings of a workspace that has set nothing. */
export const defaultSettings: Settings = {
  categories: defaultCategories,
  digest: { frequency: 'off', at: '08:00', timezone: null },
  quiet_hours: null,
  slack: null,
}

/** Returns settings where what is not stored follows `defaults`. */
export function applySettings(defaults: Settings, stored: StoredSettings | undefined): Settings {
  if (stored === undefined) return defaults
  const { categories = {}, ...rest } = stored
  const merged = notificationCategories.map((category) => [
    category,
    { ...defaults.categories[category], ...categories[category] },
  ])
  return { ...defaults, ...rest, categories: Object.fromEntries(merged) } // has exactly the categories
}

/**
 * Returns the settings of a user: their own, else those of the workspace. The Slack channel of the workspace is not
 * inherited: the workspace itself posts to it, once.
 */
export const userSettings = (ofWorkspace: StoredSettings | undefined, ofUser: StoredSettings | undefined): Settings =>
  applySettings({ ...applySettings(defaultSettings, ofWorkspace), slack: null }, ofUser)
