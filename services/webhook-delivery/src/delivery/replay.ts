import type { JobState, ResultOf, webhooks } from '@wp/contracts'
import { countQueuedJobs } from '@wp/database'
import { matchesEventFilter } from '@wp/events'
import { type Job, type JobControl, JobFailure, jobFields } from '@wp/jobs'
import type { Context } from '../context.ts'
import type { Client } from '../store/client.ts'
import {
  hasBacklog,
  type ReplayPosition,
  type ReplayRange,
  replayBatch,
} from '../store/deliveries/replayable-deliveries.ts'
import { parseBody } from './request/body.ts'

const batchSize = 200

/** Pause while the receiver has a backlog. */
const backlogPauseMs = 1_000

const subscriptionRemoved = { code: 'subscription_removed', message: 'The subscription was removed', retryable: false }
const subscriptionDisabled = {
  code: 'subscription_disabled',
  message: 'The subscription was disabled; enable it and start another replay',
  retryable: false,
}

/** Job queue of replays; a replay is its job. */
export const replayQueue = 'replays'

export const replayQuota = countQueuedJobs('replay', replayQueue)

/** Input of a replay job, as stored. */
export type ReplayInput = ReplayRange

/** Progress of a replay job, as stored: committed with each batch, so that another worker can continue. */
export interface ReplayDetail {
  last?: ReplayPosition
  matched?: number
  enqueued?: number
}

// Written by start-replay.ts, from the parsed body.
export const getReplayInput = (job: Job): ReplayInput => job.input as ReplayInput

// Written by run-replay.ts only; empty at first.
export const getReplayDetail = (job: Job): ReplayDetail => job.detail as ReplayDetail

export function replayView(job: Job): ResultOf<typeof webhooks.getReplay> {
  const { webhookId, since, until, states } = getReplayInput(job)
  const { matched = 0, enqueued = 0 } = getReplayDetail(job)
  return {
    id: job.id,
    webhook_id: webhookId,
    since,
    until,
    delivery_status: states,
    counts: { matched, enqueued },
    ...jobFields(job),
    status: publicStatus(job),
  }
}

/** A replay that waits in the queue between two batches, until the receiver has caught up, is shown as running. */
const publicStatus = ({ state, startedAt }: Job): JobState =>
  state === 'queued' && startedAt !== null ? 'running' : state

type ReplayContext = Pick<Context, 'database' | 'now' | 'settings'>
export type Control = JobControl<Client>

/**
 * Queues the deliveries of a replay that pass the current filter of the subscription again, batch by batch; each batch
 * commits its progress. While the subscription has a backlog of pending deliveries (1,000 by default) the job returns
 * to its queue, so that new events do not wait behind a whole replay.
 */
export async function runReplay(context: ReplayContext, job: Job, control: Control): Promise<void> {
  const { database, settings } = context
  const input = getReplayInput(job)
  let detail: ReplayDetail | undefined = getReplayDetail(job)
  while (detail !== undefined) {
    control.signal.throwIfAborted()
    const isBehind = await hasBacklog(database.worker, input.webhookId, settings.replayBacklog)
    if (isBehind) return await control.requeue(backlogPauseMs)
    detail = await runBatch(context, control, input, detail)
  }
}

/** @returns the progress after the batch; undefined if it was the last */
async function runBatch(
  { now }: ReplayContext,
  control: Control,
  input: ReplayInput,
  detail: ReplayDetail,
): Promise<ReplayDetail | undefined> {
  const next = { detail, isLast: false }
  await control.checkpoint(async (tx) => {
    const batch = await replayBatch(tx, input, detail.last, batchSize, (filter, body) =>
      matchesEventFilter(filter, parseBody(body)),
    )
    if (batch === 'gone') throw new JobFailure(subscriptionRemoved)
    if (batch === 'disabled') throw new JobFailure(subscriptionDisabled)
    next.isLast = batch.matched < batchSize
    next.detail = {
      ...(batch.last === undefined ? {} : { last: batch.last }),
      matched: (detail.matched ?? 0) + batch.matched,
      enqueued: (detail.enqueued ?? 0) + batch.enqueued,
    }
    return { progress: computeProgress(input, next.detail, now()), detail: { ...next.detail } }
  })
  return next.isLast ? undefined : next.detail
}

/**
 * Returns the share of the time range that is done: counting the remaining deliveries would cost as much as queueing
 * them.
 */
function computeProgress({ since, until }: ReplayInput, { last }: ReplayDetail, nowMs: number): number {
  const [from, to] = [Date.parse(since), Math.min(Date.parse(until), nowMs)]
  if (last === undefined || to <= from) return 0
  return Math.min(1, Math.max(0, (Date.parse(last.createdAt) - from) / (to - from)))
}
