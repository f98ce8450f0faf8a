// Every operation of the service, by the name of its endpoint.
export * from './list-notifications.ts'
export * from './mark-read.ts'
export * from './settings.ts'
export * from './stream-notifications.ts'
export * from './unsubscribe.ts'
