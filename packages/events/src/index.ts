export { type Backoff, backoffMs, jitteredMs } from './backoff.ts'
export { BrokerAway } from './broker-away.ts'
export { type Bus, type BusOptions, connectBus } from './bus.ts'
export {
  type BatchConsumerOptions,
  type ConsumerOptions,
  createBatchConsumer,
  createConsumer,
  type EventConsumer,
  type Floor,
} from './consumer.ts'
export type { BatchHandler, Delivery, EventHandler, EventMeta } from './handling.ts'
export { isInfrastructureError } from './infrastructure-error.ts'
export { createLoop, type Loop, type LoopOptions } from './loop.ts'
export { publishEvent } from './publish.ts'
export { type DeadEvent, listDeadEvents, type RedriveFilter, redrive } from './redrive.ts'
export { createRelay, type RelayOptions } from './relay.ts'
export { createRetention, type RetentionOptions } from './retention.ts'
export { serviceCaller } from './service-caller.ts'
export { ensureStream } from './stream.ts'
export type { StreamSettings } from './stream-config.ts'
export { durableName, eventSubject, filterSubject, inboxOf, readSubject, streamName, wakeSubject } from './subject.ts'
export type { Subscription } from './subscriptions.ts'
export { type Metrics, noMetrics, type Worker } from './worker.ts'
