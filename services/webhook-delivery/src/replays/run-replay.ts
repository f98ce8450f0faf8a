import { matchesEventFilter } from '@wp/events'
import { type Job, type JobControl, JobFailure } from '@wp/jobs'
import type { Context } from '../context.ts'
import { parseBody } from '../delivery/request/body.ts'
import type { Client } from '../store/client.ts'
import { hasBacklog, replayBatch } from '../store/deliveries/replayable-deliveries.ts'
import { getReplayDetail, getReplayInput, type ReplayDetail, type ReplayInput } from './replay.ts'

type ReplayContext = Pick<Context, 'database' | 'now' | 'settings'>
export type Control = JobControl<Client>

const batchSize = 200

/** Pause while the receiver has a backlog. */
const backlogPauseMs = 1_000

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

const subscriptionRemoved = { code: 'subscription_removed', message: 'The subscription was removed', retryable: false }
const subscriptionDisabled = {
  code: 'subscription_disabled',
  message: 'The subscription was disabled; enable it and start another replay',
  retryable: false,
}
