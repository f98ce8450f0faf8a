/** An attempt in flight. */
export interface SlotHolder extends Destination {
  isEndpointFailing: boolean
}

/** A receiver's scheme, host and port, as seen by one workspace. */
export interface Destination {
  workspaceId: string
  destination: string
}

/** The slots of a process: those in use, and those given away by the claim in preparation. */
export interface SlotUse {
  /** Counts an attempt that has got a slot otherwise. */
  add(attempt: SlotHolder): void
  /**
   * Takes a slot for a workspace.
   * @param mayBorrow true if the workspace may exceed its fair share
   * @returns false if it may not have another one
   */
  take(workspace: { workspaceId: string; isFailing: boolean }, mayBorrow: boolean): boolean
  /** Takes up to `rows` slots of a destination. @returns the number taken */
  takeAt(destination: Destination, rows: number): number
  /** Destinations at which no more attempts may start. */
  readonly fullDestinations: Destination[]
}

/** Part of the slots that a workspace may use while others wait: a quarter. */
const fairShareDivisor = 4

/** Part of the slots that a workspace may use at one destination, never more: an eighth. */
const destinationDivisor = 8

/** Part of the slots for endpoints whose last attempt failed and that may hang again: half. */
const failingDivisor = 2

/**
 * A workspace gets a further slot only while it has fewer than three times the free ones. So one busy workspace leaves
 * a quarter of the slots free, two leave a seventh, n leave 1/(3n + 1): a workspace without attempts in flight finds a
 * slot at once, however long those of the others take. Source: Choudhury and Hahne, "Dynamic queue length thresholds
 * for shared-memory packet switches", 1998.
 */
const freeSlotFactor = 3

export function createSlotUse(inFlight: readonly SlotHolder[], concurrency: number): SlotUse {
  const all = createPool(concurrency)
  const failing = createPool(Math.ceil(concurrency / failingDivisor))
  const fairShare = Math.max(1, Math.floor(concurrency / fairShareDivisor))
  const maxPerDestination = Math.max(1, Math.floor(concurrency / destinationDivisor))
  const byDestination = new Map<string, Destination & { used: number }>()

  function countAt({ workspaceId, destination }: Destination, rows: number): number {
    const key = JSON.stringify([workspaceId, destination])
    const { used } = byDestination.get(key) ?? { used: 0 }
    byDestination.set(key, { workspaceId, destination, used: used + rows })
    return used
  }

  function add(attempt: SlotHolder): void {
    all.add(attempt.workspaceId)
    if (attempt.isEndpointFailing) failing.add(attempt.workspaceId)
    countAt(attempt, 1)
  }

  for (const attempt of inFlight) add(attempt)

  return {
    add,
    take({ workspaceId, isFailing }, mayBorrow) {
      if (!mayBorrow && all.usedBy(workspaceId) >= fairShare) return false
      if (!all.hasSlotFor(workspaceId) || (isFailing && !failing.hasSlotFor(workspaceId))) return false
      all.add(workspaceId)
      if (isFailing) failing.add(workspaceId)
      return true
    },
    takeAt(destination, rows) {
      const used = countAt(destination, 0)
      const taken = Math.max(0, Math.min(rows, maxPerDestination - used))
      countAt(destination, taken)
      return taken
    },
    fullDestinations: [...byDestination.values()]
      .filter(({ used }) => used >= maxPerDestination)
      .map(({ workspaceId, destination }) => ({ workspaceId, destination })),
  }
}

/** Counts the slots of a pool by workspace. */
function createPool(size: number) {
  const used = new Map<string, number>()
  let free = size
  const usedBy = (workspaceId: string) => used.get(workspaceId) ?? 0
  return {
    usedBy,
    hasSlotFor: (workspaceId: string) => free > 0 && usedBy(workspaceId) < freeSlotFactor * free,
    add(workspaceId: string) {
      used.set(workspaceId, usedBy(workspaceId) + 1)
      free -= 1
    },
  }
}
