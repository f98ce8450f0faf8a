import { auditInternal, maxAuditHeads } from '@wp/contracts'
import { newId, workerQuery } from '@wp/database'
import { BrokerUnavailable, type EventConsumer, serviceCaller } from '@wp/events'
import { enqueue, findExclusiveJob, JobConflict } from '@wp/jobs'
import { createLoop, jitteredMs, type Loop, type PassResult } from '@wp/runtime'
import type { Context } from '../context.ts'
import { assignPositions, findWithoutPosition } from '../store/destinations/event-log.ts'
import {
  destinationQueue,
  findAuditWorkspaces,
  findReady,
  hasActiveDestinations,
  type ReadyDestination,
  writeAuditHeads,
} from '../store/destinations/progress.ts'

/** Longest time until new audit records are looked for. */
const pollMs = 3_000
/** The same without an active event destination: one that is created or enabled requests a pass. */
const idlePollMs = 30_000
/** Shortest time between two passes that new events request, regardless of their number. */
const wakeIntervalMs = 100
/** Pauses until the broker is queried again: an event is acknowledged shortly after it is written to the log. */
const [firstPauseMs, maxPauseMs] = [20, 500]
/** Workspaces, and event destinations, of one pass. */
const maxPerPass = 100

type DispatchContext = Pick<Context, 'database' | 'bus' | 'internal' | 'log' | 'settings' | 'now'>

/**
 * Creates the worker that finds records to write: it gives new events their positions, asks the audit log for its
 * newest positions, and starts a job for each event destination that is behind and not waiting for a retry. Without an
 * event destination, a pass is one query about every 30 seconds. Longer than most functions: its steps share the
 * pauses.
 */
export function createDestinationDispatcher(context: DispatchContext, fanOut: Pick<EventConsumer, 'watermark'>): Loop {
  const { database, bus, log } = context
  const auditPollMs = Math.min(pollMs, context.settings.pollMs * 3)
  let pauseMs = firstPauseMs
  let auditReadAt = Number.NEGATIVE_INFINITY

  async function pass(): Promise<PassResult> {
    if (!(await hasActiveDestinations(database.worker))) return jitteredMs(idlePollMs, Math.random())
    const hasUnsettled = await settleEvents()
    if (context.now() - auditReadAt >= auditPollMs) {
      auditReadAt = context.now()
      await readAuditHeads(context)
    }
    const { ready, nextDueMs } = await findReady(database.worker, maxPerPass)
    for (const destination of ready) await startJob(context, destination)
    const dueMs = Math.min(nextDueMs ?? auditPollMs, auditPollMs)
    return hasUnsettled ? Math.min(pauseMs, dueMs) : dueMs
  }

  /** @returns true if events are left that have no position yet */
  async function settleEvents(): Promise<boolean> {
    const { workspaceIds, queriedAt } = await findWithoutPosition(database.worker, maxPerPass)
    if (workspaceIds.length === 0) {
      pauseMs = firstPauseMs
      return false
    }
    pauseMs = Math.min(pauseMs * 2, maxPauseMs)
    try {
      const watermark = await fanOut.watermark()
      for (const workspaceId of workspaceIds) await assignPositions(database.worker, workspaceId, watermark, queriedAt)
    } catch (error) {
      // Without the broker no events arrive either; a later pass tries again.
      if (!(error instanceof BrokerUnavailable)) throw error
    }
    return true
  }

  return createLoop({
    name: 'event destinations',
    pass,
    pollMs,
    wakeIntervalMs,
    log,
    subscribe: (wake) => [bus.onWake('webhook-delivery', destinationQueue, wake)],
  })
}

async function readAuditHeads({ database, internal }: DispatchContext): Promise<void> {
  let after = ''
  for (;;) {
    const workspaceIds = await findAuditWorkspaces(database.worker, after, maxAuditHeads)
    const last = workspaceIds.at(-1)
    if (last === undefined) return
    const input = { params: {}, query: {}, body: { workspace_ids: workspaceIds } }
    const { heads } = await internal.callAsSystem(auditInternal.listHeads, { workspaceId: null }, input)
    await writeAuditHeads(
      database.worker,
      heads.map(({ workspace_id: workspaceId, seq }) => ({ workspaceId, seq })),
    )
    after = last
  }
}

/** Enqueues the job that writes the waiting records, unless there is one. */
async function startJob(
  { database }: DispatchContext,
  { workspaceId, destinationId }: ReadyDestination,
): Promise<void> {
  const key = { workspaceId, queue: destinationQueue, exclusive: destinationId }
  if ((await findExclusiveJob(workerQuery(database.worker), key)) !== undefined) return
  const id = newId('dest')
  const caller = serviceCaller('webhook-delivery', { shard: database.shard, workspaceId, requestId: id })
  const { queue, exclusive } = key
  await database
    .transact(caller, (tx) => enqueue(tx, { id, queue, exclusive, subject: destinationId, input: { destinationId } }))
    .catch((error: unknown) => {
      if (!(error instanceof JobConflict)) throw error
    })
}
