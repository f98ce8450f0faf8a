// Every operation by the name of its endpoint. `bindSurface` does not compile while one is missing.
export { listNotifications, readAllNotifications, readNotification } from './notifications.ts'
export { getSettings, updateSettings } from './settings.ts'
export { streamNotifications } from './stream-notifications.ts'
export { showUnsubscribe, unsubscribe } from './unsubscribe.ts'
