import type { DomainEvent } from '@wp/contracts'
import { newId } from '@wp/database'
import type { FanOutTarget, NewDelivery } from '../store/deliveries/enqueue.ts'
import { serializeBody } from './body.ts'

/** Creates the delivery of an event to each target, with its request id and body. */
export const createDeliveries = (
  event: DomainEvent,
  targets: readonly FanOutTarget[],
  publicBaseUrl: string,
): NewDelivery[] =>
  targets.map((target) => {
    const requestId = newId('dlv')
    return { ...target, requestId, body: serializeBody(event, requestId, publicBaseUrl) }
  })
