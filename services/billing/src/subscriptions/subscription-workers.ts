import { randomUUID } from 'node:crypto'
import { type Query, type Transaction, workerQuery } from '@wp/database'
import { serviceCaller } from '@wp/events'
import type { Schedule } from '@wp/jobs/background'
import type { Context } from '../context.ts'
import {
  listDueWorkspaces,
  listUnsentWorkspaces,
  lockDueSubscription,
  lockUnsentSubscription,
  type SubscribedWorkspace,
} from '../store/subscriptions.ts'
import { saveTransition, sendLimits } from './save-transition.ts'
import { toState } from './subscription-record.ts'
import { applyDueChange } from './subscription-state.ts'

type Dependencies = Pick<Context, 'database' | 'now'>

/** Workspaces in a pass; one transaction each. */
const batchSize = 50

/** Age at which limits are sent again: to a new cell or service, and in case that an event was lost. */
const resendMs = 24 * 3_600_000

/** Returns the schedule that applies pending changes when their time has come. */
export const pendingChangeSchedule = (context: Dependencies): Schedule => ({
  name: 'pending changes of subscriptions',
  everyMs: 5_000,
  pass: (signal) =>
    passOver(context, signal, {
      list: (query, now) => listDueWorkspaces(query, now, batchSize),
      handle: applyPendingChange,
    }),
})

/** Returns the schedule that sends the limits of each subscription again once a day. */
export const limitResendSchedule = (context: Dependencies): Schedule => ({
  name: 'resending of plan limits',
  everyMs: 60_000,
  pass: async (signal) => {
    const list = (query: Query, now: Date) => listUnsentWorkspaces(query, sentBefore(now), batchSize)
    await passOver(context, signal, { list, handle: resendLimits })
    // A pass a minute, so that many subscriptions do not flood the services at once.
    return 'idle'
  },
})

const sentBefore = (now: Date) => new Date(now.getTime() - resendMs)

interface Pass {
  list(query: Query, now: Date): Promise<SubscribedWorkspace[]>
  handle(tx: Transaction, workspaceId: string, now: Date): Promise<void>
}

/** Handles a batch of workspaces, each in a transaction of its own that repeats the condition of the list. */
async function passOver(
  { database, now: clock }: Dependencies,
  signal: AbortSignal,
  { list, handle }: Pass,
): Promise<'more' | 'idle'> {
  const now = new Date(clock())
  const workspaces = await list(workerQuery(database.worker), now)
  const failures: unknown[] = []
  for (const { workspaceId, shard } of workspaces) {
    if (signal.aborted) return 'idle'
    const caller = serviceCaller('billing', { shard, workspaceId, requestId: randomUUID() })
    // A workspace whose change fails must not keep those after it from theirs.
    await database.background
      .transact(caller, (tx) => handle(tx, workspaceId, now))
      .catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
  return workspaces.length === batchSize ? 'more' : 'idle'
}

async function applyPendingChange(tx: Transaction, workspaceId: string, now: Date): Promise<void> {
  const row = await lockDueSubscription(tx.query, workspaceId, now)
  if (row === undefined) return
  const transition = applyDueChange(toState(row), now)
  await saveTransition(tx, row, transition, now)
  const { plan, seats } = transition.state
  tx.emitAudit({
    action: 'subscription.change_applied',
    targets: [{ type: 'subscription', id: row.id }],
    changes: { plan, seats },
  })
}

async function resendLimits(tx: Transaction, workspaceId: string, now: Date): Promise<void> {
  const row = await lockUnsentSubscription(tx.query, workspaceId, sentBefore(now))
  if (row !== undefined) await sendLimits(tx, row, { effectiveAt: now, now })
}
