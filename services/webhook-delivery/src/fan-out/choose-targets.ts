import type { DomainEvent } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { ReceivedEvent } from '@wp/events'
import { matchesEventFilter } from '../delivery/event-filter.ts'
import { type FanOutTarget, type FilteredTarget, findBatchTargets, findTargets } from '../store/deliveries/enqueue.ts'

/** Deliveries written in one transaction: few, so that the events of other workspaces wait briefly. */
const maxPerTransaction = 100

/** An event with the subscriptions that get a delivery of it in this transaction. */
export interface EventTargets {
  received: ReceivedEvent
  targets: FanOutTarget[]
}

export interface ChosenTargets {
  chosen: EventTargets[]
  /** Events with further targets, or that are left for the next transaction. */
  unfinished: ReceivedEvent[]
  /** Events that are finished by this transaction and did not pass the filter, by webhook id. */
  filtered: ReadonlyMap<string, number>
}

/**
 * Chooses the deliveries of one transaction: those of the first events of the batch, or of a part of the first one if the
 * workspace has many subscriptions.
 */
export async function chooseTargets(
  query: Query,
  workspaceId: string,
  batch: readonly ReceivedEvent[],
): Promise<ChosenTargets> {
  const events = batch.map(({ event }) => event)
  const found = await findBatchTargets(query, workspaceId, events, maxPerTransaction + 1)
  if (found.length > maxPerTransaction) return chooseForFirst(query, batch)
  const chosen: EventTargets[] = []
  const filtered = new Map<string, number>()
  let count = 0
  for (const [index, received] of batch.entries()) {
    const candidates = found.filter((target) => target.events.includes(index))
    const targets = candidates.filter((target) => passes(target, received.event))
    if (chosen.length > 0 && count + targets.length > maxPerTransaction) break
    chosen.push({ received, targets })
    count += targets.length
    countFiltered(filtered, candidates, targets)
  }
  return { chosen, unfinished: batch.slice(chosen.length), filtered }
}

/** Chooses subscriptions without a delivery of the first event: earlier transactions may have written some. */
async function chooseForFirst(query: Query, [received, ...others]: readonly ReceivedEvent[]): Promise<ChosenTargets> {
  const filtered = new Map<string, number>()
  if (received === undefined) return { chosen: [], unfinished: [], filtered }
  const { event } = received
  const targets: FanOutTarget[] = []
  let after = ''
  // Subscriptions whose filters the event does not pass get no delivery, so each transaction reads them again.
  while (targets.length < maxPerTransaction) {
    const found = await findTargets(query, event, { after, limit: maxPerTransaction })
    const passing = found.filter((target) => passes(target, event))
    targets.push(...passing)
    countFiltered(filtered, found, passing)
    const last = found.at(-1)
    if (last === undefined || found.length < maxPerTransaction) break
    after = last.webhookId
  }
  const isUnfinished = targets.length >= maxPerTransaction
  return {
    chosen: [{ received, targets: targets.slice(0, maxPerTransaction) }],
    unfinished: isUnfinished ? [received, ...others] : others,
    filtered: isUnfinished ? new Map() : filtered,
  }
}

/** Counts an event for each candidate whose filter it did not pass. */
function countFiltered(
  counts: Map<string, number>,
  candidates: readonly FanOutTarget[],
  passing: readonly FanOutTarget[],
): void {
  if (candidates.length === passing.length) return
  const passed = new Set(passing)
  for (const candidate of candidates)
    if (!passed.has(candidate)) counts.set(candidate.webhookId, (counts.get(candidate.webhookId) ?? 0) + 1)
}

const passes = ({ filter }: FilteredTarget, event: DomainEvent): boolean =>
  filter === null || matchesEventFilter(filter, event)
