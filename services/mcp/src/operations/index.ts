// Every operation of the service, by the name of its endpoint.
export * from './health.ts'
export * from './message.ts'
