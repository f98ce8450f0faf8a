import type { ClaimPolicy, EndpointShare, ReadyEndpoint, WorkspaceShare } from '../store/deliveries/ready-endpoints.ts'
import { createSlotUse, type SlotHolder, type SlotUse } from './slot-use.ts'

/** Slots that a workspace gets per turn: few enough that many workspaces share a claim. */
const slotsPerTurn = 4

/** Rows taken of each endpoint at least, if the share allows: fewer endpoints rather than fewer rows of each. */
const minRowsPerEndpoint = 4

export interface ClaimLimits {
  /** Attempts that the process may have in flight. */
  concurrency: number
  /** Attempts that one claim may start. */
  maxClaimSize: number
}

/** The policy of a claim, and what it has given slots to. */
export interface SlotPolicy extends ClaimPolicy {
  /** True if ready endpoints, other than those of full destinations, wait for free slots. */
  isShortOfSlots(): boolean
  /** Slots given away so far, before the deliveries are leased. */
  planned(): readonly SlotHolder[]
  /** Counts an attempt that has got a slot while the claim is in progress. */
  add(attempt: SlotHolder): void
}

/** Creates the policy of the next claim of a process from its attempts in flight. */
export function createClaimPolicy(
  inFlight: readonly SlotHolder[],
  { concurrency, maxClaimSize }: ClaimLimits,
): SlotPolicy {
  const use = createSlotUse(inFlight, concurrency)
  let planned: SlotHolder[] = []
  let isShortOfSlots = false
  return {
    isShortOfSlots: () => isShortOfSlots,
    planned: () => planned,
    add: use.add,
    fullDestinations: use.fullDestinations,
    shareSlots(ready) {
      const shares = ready.map((workspace): WorkspaceShare => ({ ...workspace, slots: 0, maxEndpoints: 0 }))
      const left = takeTurns(shares, use, { left: maxClaimSize, mayBorrow: false })
      // All that can take more have reached their fair shares, so idle slots are lent.
      const unused = takeTurns(shares, use, { left, mayBorrow: true })
      isShortOfSlots = unused > 0 && shares.some(({ slots, demand }) => slots < demand)
      // The endpoints are not chosen yet, so no destination is known.
      planned = shares.flatMap((share) => repeat({ ...holderOf(share), destination: '' }, share.slots))
      return shares.map((share) => ({ ...share, maxEndpoints: Math.ceil(share.slots / minRowsPerEndpoint) }))
    },
    selectRows(shares, endpoints) {
      const selected = shares.flatMap((share) => divideShare(share, endpoints.filter(isEndpointOf(share)), use))
      const byId = new Map(endpoints.map((endpoint) => [endpoint.webhookId, endpoint]))
      planned = selected.flatMap(({ webhookId, maxRows }) => {
        const endpoint = byId.get(webhookId)
        return endpoint === undefined
          ? []
          : repeat({ ...holderOf(endpoint), destination: endpoint.destination }, maxRows)
      })
      return selected
    },
  }
}

const holderOf = ({ workspaceId, isFailing }: Pick<ReadyEndpoint, 'workspaceId' | 'isFailing'>) => ({
  workspaceId,
  isEndpointFailing: isFailing,
})

const repeat = (holder: SlotHolder, count: number): SlotHolder[] => Array.from({ length: count }, () => holder)

/** Chooses those of new deliveries to healthy endpoints that get a slot, within the fair shares of their workspaces. */
export function chooseForFreeSlots<Delivery extends SlotHolder>(
  deliveries: readonly Delivery[],
  inFlight: readonly SlotHolder[],
  concurrency: number,
): Delivery[] {
  const use = createSlotUse(inFlight, concurrency)
  return deliveries.filter(
    (delivery) =>
      use.takeAt(delivery, 1) === 1 && use.take({ workspaceId: delivery.workspaceId, isFailing: false }, false),
  )
}

/** Gives workspaces a few slots in turn until none can take more. @returns the slots left for the claim */
function takeTurns(
  shares: readonly WorkspaceShare[],
  use: SlotUse,
  { left, mayBorrow }: { left: number; mayBorrow: boolean },
): number {
  let remaining = left
  let hasTaken = true
  while (hasTaken) {
    hasTaken = false
    for (const share of shares) {
      const limit = Math.min(share.slots + slotsPerTurn, share.demand)
      while (remaining > 0 && share.slots < limit && use.take(share, mayBorrow)) {
        share.slots += 1
        remaining -= 1
        hasTaken = true
      }
    }
  }
  return remaining
}

const isEndpointOf = (share: WorkspaceShare) => (endpoint: ReadyEndpoint) =>
  endpoint.workspaceId === share.workspaceId && endpoint.isFailing === share.isFailing

/** Gives each endpoint an equal part of the share, as far as its destination has room. */
function divideShare({ slots }: WorkspaceShare, endpoints: readonly ReadyEndpoint[], use: SlotUse): EndpointShare[] {
  const rowsEach = Math.floor(slots / Math.max(1, endpoints.length))
  return endpoints
    .map((endpoint) => ({ webhookId: endpoint.webhookId, maxRows: use.takeAt(endpoint, rowsEach) }))
    .filter(({ maxRows }) => maxRows > 0)
}
