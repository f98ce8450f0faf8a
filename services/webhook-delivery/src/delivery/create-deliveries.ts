import type { DomainEvent } from '@wp/contracts'
import { newId } from '@wp/database'
import type { FanOutTarget, NewDelivery } from '../store/deliveries/enqueue.ts'
import { serializeBody } from './body.ts'

/** Limit of the bodies of one batch: a body may have 256 KiB, and there may be many deliveries. */
const maxBatchBytes = 1_048_576

/** Creates the delivery of an event to a target, with its request id and body. */
export function createDelivery(event: DomainEvent, target: FanOutTarget, publicBaseUrl: string): NewDelivery {
  const requestId = newId('dlv')
  return { ...target, requestId, body: serializeBody(event, requestId, publicBaseUrl) }
}

/** Creates the deliveries of an event in batches, so that only the bodies of one batch are in memory. */
export function* createDeliveries(
  event: DomainEvent,
  targets: readonly FanOutTarget[],
  publicBaseUrl: string,
): Generator<NewDelivery[]> {
  let batch: NewDelivery[] = []
  let bytes = 0
  for (const target of targets) {
    const delivery = createDelivery(event, target, publicBaseUrl)
    if (batch.length > 0 && bytes + delivery.body.length > maxBatchBytes) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(delivery)
    bytes += delivery.body.length
  }
  if (batch.length > 0) yield batch
}
