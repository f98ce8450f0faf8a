export * from './certificates.ts'
export { createTestDatabase, type TestDatabase } from './databases.ts'
export {
  type DatabaseAddresses,
  environmentOf,
  type FleetSettings,
  hasDatabase,
  temporaryKeys,
} from './fleet/environment.ts'
export { type Edge, type Fleet, type FleetOptions, startFleet } from './fleet/fleet.ts'
export { type Member, preload, startProcess } from './fleet/member.ts'
export type { Cell, CellOptions } from './fleet/test-cells.ts'
export { type EdgeRequest, startTestFleet, type Tenant, type TestFleet } from './fleet/test-fleet.ts'
export { readAnswer, startTestService, type TestAnswer, type TestService, testCaller } from './fleet/test-service.ts'
export {
  type Mailbox,
  type MailboxOptions,
  type ReceivedMail,
  type SmtpRefusal,
  startMailbox,
} from './mailbox/mailbox.ts'
export { mailboxPages } from './mailbox/pages.ts'
export { findNatsServer, type Nats, type NatsOptions, startNats } from './nats.ts'
export { type Postgres, type PostgresOptions, startPostgres } from './postgres.ts'
export * from './receiver/behaviours.ts'
export type { AtAccept } from './receiver/front-door.ts'
export type { Received } from './receiver/received.ts'
export { type Receiver, type ReceiverOptions, type ReceiverTls, startReceiver } from './receiver/receiver.ts'
export { findKustomize } from './servers/kustomize.ts'
export { freePort, requireFreePort } from './servers/ports.ts'
export { processInfo } from './servers/process-info.ts'
export { testNats, testPostgres } from './shared.ts'
export { type EventuallyOptions, eventually } from './wait.ts'
