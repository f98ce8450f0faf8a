import type { DomainEvent } from '@wp/contracts'
import { newId } from '@wp/database'
import type { FanOutTarget, NewDelivery } from '../store/deliveries/enqueue.ts'
import { serializeBody } from './request/body.ts'

/** Limit of the bodies of one batch: a body may have 256 KiB, and there may be many deliveries. */
const maxBatchBytes = 1_048_576

/** Creates the delivery of an event to a target, with its request id and body. */
export function createDelivery(
  event: DomainEvent,
  position: NewDelivery['position'],
  { webhookId, isActive, isDeferred }: FanOutTarget,
  publicBaseUrl: string,
): NewDelivery {
  const requestId = newId('dlv')
  const body = serializeBody(event, requestId, publicBaseUrl)
  return { webhookId, isActive, isDeferred, requestId, body, event, position }
}

/** Groups deliveries as they are created, so that only the bodies of one group are in memory. */
export function* groupBySize(deliveries: Iterable<NewDelivery>): Generator<NewDelivery[]> {
  let group: NewDelivery[] = []
  let bytes = 0
  for (const delivery of deliveries) {
    if (group.length > 0 && bytes + delivery.body.length > maxBatchBytes) {
      yield group
      group = []
      bytes = 0
    }
    group.push(delivery)
    bytes += delivery.body.length
  }
  if (group.length > 0) yield group
}
