export { type Bus, type BusOptions, connectBus } from './bus/bus.ts'
export { publishEvent } from './bus/publish-event.ts'
export { allowAtomicBatches, findOrCreateStream } from './bus/stream.ts'
export type { StreamSettings } from './bus/stream-config.ts'
export {
  durableName,
  eventSubject,
  filterSubject,
  inboxPrefix,
  parseSubject,
  streamName,
  wakeSubject,
} from './bus/subject.ts'
export type { Subscription } from './bus/subscriptions.ts'
export { cancelQueue } from './bus/wakes.ts'
export {
  createBatchConsumer,
  createBulkConsumer,
  createConsumer,
  type EventConsumer,
} from './consumer/consumer.ts'
export type { BatchConsumerOptions, BulkConsumerOptions, ConsumerOptions } from './consumer/consumer-options.ts'
export { followsNoDeferredEvent } from './consumer/deferred-event-table.ts'
export { matchesEventFilter } from './consumer/event-filter.ts'
export type {
  BatchHandler,
  BulkHandler,
  EventHandler,
  EventMetadata,
  OnTransactionEnd,
  ReceivedEvent,
  SharedBatchEffect,
  SharedBatchHandler,
} from './consumer/received-event.ts'
export type { Watermark } from './consumer/watermark.ts'
export { type DeadLetter, listDeadLetters, type RedriveFilter, redrive } from './dead-letters/redrive.ts'
export { BrokerUnavailable, isInfrastructureError } from './infrastructure-error.ts'
export { eraseRequestContext } from './outbox/outbox-table.ts'
export { createRelay, type RelayOptions } from './outbox/relay.ts'
export { provisionBroker } from './provision-broker.ts'
export { serviceCaller } from './service-caller.ts'
