/** The categories of notifications. A user chooses the channels of each. */
export const notificationCategories = [
  'data',
  'agents',
  'forecasts',
  'plans',
  'webhooks',
  'integrations',
  'security',
  'billing',
  'audit',
] as const
export type NotificationCategory = (typeof notificationCategories)[number]

/** The channels by which notifications arrive. */
export const notificationChannels = ['in_app', 'email', 'slack'] as const
export type NotificationChannel = (typeof notificationChannels)[number]
