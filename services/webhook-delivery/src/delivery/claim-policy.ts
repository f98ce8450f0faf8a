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

/** Creates the policy of the next claim of a process from its attempts in flight. */
export function createClaimPolicy(
  inFlight: readonly SlotHolder[],
  { concurrency, maxClaimSize }: ClaimLimits,
): ClaimPolicy {
  const use = createSlotUse(inFlight, concurrency)
  return {
    fullDestinations: use.fullDestinations,
    shareSlots(ready) {
      const shares = ready.map((workspace): WorkspaceShare => ({ ...workspace, slots: 0, maxEndpoints: 0 }))
      const left = takeTurns(shares, use, { left: maxClaimSize, mayBorrow: false })
      // All that can take more have reached their fair shares, so idle slots are lent.
      takeTurns(shares, use, { left, mayBorrow: true })
      return shares.map((share) => ({ ...share, maxEndpoints: Math.ceil(share.slots / minRowsPerEndpoint) }))
    },
    selectRows: (shares, endpoints) =>
      shares.flatMap((share) => divideShare(share, endpoints.filter(isEndpointOf(share)), use)),
  }
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
