import type { Query } from '@wp/database'
import type { ClaimedDelivery } from '../store/deliveries/claim-rows.ts'
import type { NewDelivery } from '../store/deliveries/enqueue.ts'
import { type IdleEndpoint, lockIdleEndpoints } from '../store/deliveries/idle-endpoints.ts'
import { setLeaseEnd } from '../store/endpoints/due-marks.ts'

/** The attempts of this process, which new deliveries may join without a claim. */
export interface FreeSlots {
  /** Token of leases that begin now; undefined if new deliveries must be left to the claims. */
  newLeaseToken(): string | undefined
  /** Takes slots for deliveries about to be leased. @returns those that got one: `send` or `release` each of them */
  reserve(deliveries: readonly ClaimedDelivery[]): ClaimedDelivery[]
  send(deliveries: readonly ClaimedDelivery[]): void
  release(deliveries: readonly ClaimedDelivery[]): void
}

/** Deliveries that the transaction writes with a lease of this process. */
export interface NewLeases {
  deliveries: readonly ClaimedDelivery[]
  /** Endpoints to be marked, so that a claim finds out when the leases expire. */
  endpointsToMark: readonly string[]
}

const noLeases: NewLeases = { deliveries: [], endpointsToMark: [] }

/**
 * Reserves slots for new deliveries to endpoints that have nothing else due, so that they need no claim. The others are
 * written as due deliveries, which the claims serve fairly.
 *
 * @param options.idle the idle endpoints among those of the deliveries, if they are locked
 */
export async function reserveSlots(
  query: Query,
  deliveries: readonly NewDelivery[],
  { slots, leaseSeconds, idle }: { slots: FreeSlots; leaseSeconds: number; idle: readonly IdleEndpoint[] | undefined },
): Promise<NewLeases> {
  const candidates = deliveries.filter(({ isActive, isDeferred }) => isActive && !isDeferred)
  const leaseToken = slots.newLeaseToken()
  if (candidates.length === 0 || leaseToken === undefined) return noLeases
  const ids = new Set(candidates.map(({ webhookId }) => webhookId))
  const endpoints = idle ?? (await lockIdleEndpoints(query, { webhookIds: [...ids].sort() }, leaseSeconds))
  const byEndpoint = Map.groupBy(candidates, ({ webhookId }) => webhookId)
  const leasable = endpoints.flatMap((endpoint) =>
    (byEndpoint.get(endpoint.webhookId) ?? [])
      .slice(0, endpoint.freeSlots)
      .map((delivery) => toFirstAttempt(delivery, endpoint, leaseToken)),
  )
  const reserved = slots.reserve(leasable)
  const leased = new Set(reserved.map(({ webhookId }) => webhookId))
  const unset = endpoints
    .filter(({ webhookId, needsLeaseEnd }) => needsLeaseEnd && leased.has(webhookId))
    .map(({ webhookId }) => webhookId)
  const isSet = await setLeaseEnd(query, unset, leaseSeconds)
  return { deliveries: reserved, endpointsToMark: unset.filter((webhookId) => !isSet.has(webhookId)) }
}

const toFirstAttempt = (
  { requestId, body, event }: NewDelivery,
  endpoint: IdleEndpoint,
  leaseToken: string,
): ClaimedDelivery => ({
  requestId,
  workspaceId: event.workspace_id,
  webhookId: endpoint.webhookId,
  eventId: event.id,
  eventKind: event.kind,
  occurredAt: new Date(event.occurred_at),
  traceparent: event.traceparent,
  attemptCount: 1,
  origin: 'event',
  isManual: false,
  retriesUsed: 0,
  throttledAt: null,
  body,
  leaseToken,
  endpoint: endpoint.endpoint,
  destination: endpoint.destination,
  headers: endpoint.headers,
  authenticationSealed: endpoint.authenticationSealed,
  secretSealed: endpoint.secretSealed,
  previousSecretSealed: endpoint.previousSecretSealed,
  isEndpointFailing: false,
  isNew: true,
})
