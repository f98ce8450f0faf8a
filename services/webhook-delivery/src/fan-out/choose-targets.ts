import type { DomainEvent } from '@wp/contracts'
import type { Query } from '@wp/database'
import { matchesEventFilter, type ReceivedEvent } from '@wp/events'
import {
  type BatchTarget,
  type FanOutTarget,
  type FilteredTarget,
  findBatchTargets,
  findTargets,
} from '../store/deliveries/enqueue.ts'
import type { FilteredEvents } from '../store/subscriptions/statistics.ts'

/** Deliveries written in one transaction: few, so that the events of other workspaces wait briefly. */
export const maxPerTransaction = 100

/** An event with the subscriptions that get a delivery of it in this transaction. */
export interface EventTargets {
  received: ReceivedEvent
  targets: FanOutTarget[]
}

export interface ChosenTargets {
  chosen: EventTargets[]
  /** Events with further targets, or that are left for the next transaction. */
  unfinished: ReceivedEvent[]
  /** Events that are finished by this transaction and did not pass the filters of subscriptions. */
  filtered: readonly FilteredEvents[]
}

/** The subscriptions that a batch of events may be for. */
export interface TargetsOfBatch {
  batch: readonly ReceivedEvent[]
  byWorkspace: ReadonlyMap<string, readonly BatchTarget[]>
}

/** Finds the subscriptions that a batch may be for: of each workspace one more at most than a transaction writes. */
export async function findTargetsOfBatch(query: Query, batch: readonly ReceivedEvent[]): Promise<TargetsOfBatch> {
  const events = batch.map(({ event }) => event)
  const targets = await findBatchTargets(query, events, maxPerTransaction + 1)
  return { batch, byWorkspace: Map.groupBy(targets, ({ workspaceId }) => workspaceId) }
}

/**
 * Chooses the deliveries of one transaction: those of the events of the batch that fit, or of a part of the first one
 * if it has many. An event is left for the next transaction if an earlier one of its workspace is, or if its workspace
 * has many subscriptions and the events are of several workspaces.
 *
 * @param events those of the batch that have not been handled before
 */
export async function chooseTargets(
  query: Query,
  events: readonly ReceivedEvent[],
  { batch, byWorkspace }: TargetsOfBatch,
): Promise<ChosenTargets> {
  const large = [...byWorkspace]
    .filter(([, targets]) => targets.length > maxPerTransaction)
    .map(([workspaceId]) => workspaceId)
  if (events.every(({ event }) => event.workspace_id === large[0])) return chooseForFirst(query, events)
  const positions = new Map(batch.map((received, index) => [received, index]))
  const chosen: EventTargets[] = []
  const unfinished: ReceivedEvent[] = []
  const incomplete = new Set(large)
  const filtered: FilteredCounts = new Map()
  let count = 0
  for (const received of events) {
    const { workspace_id: workspaceId } = received.event
    const index = positions.get(received) ?? -1
    const candidates = (byWorkspace.get(workspaceId) ?? []).filter((target) => target.events.includes(index))
    const targets = candidates.filter((target) => passes(target, received.event))
    if (incomplete.has(workspaceId) || (count > 0 && count + targets.length > maxPerTransaction)) {
      incomplete.add(workspaceId)
      unfinished.push(received)
      continue
    }
    chosen.push({ received, targets })
    count += targets.length
    countFiltered(filtered, workspaceId, candidates, targets)
  }
  return { chosen, unfinished, filtered: [...filtered.values()] }
}

/** Chooses subscriptions without a delivery of the first event: earlier transactions may have written some. */
async function chooseForFirst(query: Query, [received, ...others]: readonly ReceivedEvent[]): Promise<ChosenTargets> {
  if (received === undefined) return { chosen: [], unfinished: [], filtered: [] }
  const filtered: FilteredCounts = new Map()
  const { event } = received
  const targets: FanOutTarget[] = []
  let after = ''
  // Subscriptions whose filters the event does not pass get no delivery, so each transaction reads them again.
  while (targets.length < maxPerTransaction) {
    const found = await findTargets(query, event, { after, limit: maxPerTransaction })
    const passing = found.filter((target) => passes(target, event))
    targets.push(...passing)
    countFiltered(filtered, event.workspace_id, found, passing)
    const last = found.at(-1)
    if (last === undefined || found.length < maxPerTransaction) break
    after = last.webhookId
  }
  const isUnfinished = targets.length >= maxPerTransaction
  return {
    chosen: [{ received, targets: targets.slice(0, maxPerTransaction) }],
    unfinished: isUnfinished ? [received, ...others] : others,
    filtered: isUnfinished ? [] : [...filtered.values()],
  }
}

/** By webhook id. */
type FilteredCounts = Map<string, FilteredEvents>

/** Counts an event for each candidate whose filter it did not pass. */
function countFiltered(
  counts: FilteredCounts,
  workspaceId: string,
  candidates: readonly FanOutTarget[],
  passing: readonly FanOutTarget[],
): void {
  if (candidates.length === passing.length) return
  const passed = new Set(passing)
  for (const candidate of candidates) {
    if (passed.has(candidate)) continue
    const { webhookId } = candidate
    counts.set(webhookId, { workspaceId, webhookId, filtered: (counts.get(webhookId)?.filtered ?? 0) + 1 })
  }
}

const passes = ({ filter, customerFilter }: FilteredTarget, event: DomainEvent): boolean =>
  [filter, customerFilter].every((each) => each === null || matchesEventFilter(each, event))
