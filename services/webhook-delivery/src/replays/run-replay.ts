import { type Job, type JobControl, JobFailure } from '@wp/jobs'
import type { PrismaClient } from '#db'
import type { Context } from '../context.ts'
import { hasBacklog, replayBatch } from '../store/deliveries/replay-batch.ts'
import { getReplayDetail, getReplayInput, type ReplayDetail, type ReplayInput } from './replay.ts'

type Control = JobControl<PrismaClient>

const batchSize = 200

const backlogPauseMs = 1_000

/**
 * Sends again what lies in a range of time, batch by batch, each committed with how far it came. It never runs far ahead
 * of the receiver, so that what happens now does not queue behind a whole month: while many deliveries wait (1,000 unless
 * configured otherwise) the job goes back into its queue.
 */
export async function runReplay(
  { database, settings }: Pick<Context, 'database' | 'settings'>,
  job: Job,
  control: Control,
): Promise<void> {
  const input = getReplayInput(job)
  let detail: ReplayDetail | undefined = getReplayDetail(job)
  while (detail !== undefined) {
    control.signal.throwIfAborted()
    const isBehind = await hasBacklog(database.worker, input.webhookId, settings.replayBacklog)
    if (isBehind) return await control.requeue(backlogPauseMs)
    detail = await runBatch(control, input, detail)
  }
}

/** @returns how far it has come; undefined when there was nothing more */
async function runBatch(control: Control, input: ReplayInput, detail: ReplayDetail): Promise<ReplayDetail | undefined> {
  const next = { detail, ended: false }
  await control.checkpoint(async (tx) => {
    const batch = await replayBatch(tx, input, detail.last, batchSize)
    if (batch === 'gone') throw new JobFailure(subscriptionGone)
    if (batch === 'disabled') throw new JobFailure(subscriptionDisabled)
    next.ended = batch.matched < batchSize
    next.detail = {
      ...(batch.last === undefined ? {} : { last: batch.last }),
      matched: (detail.matched ?? 0) + batch.matched,
      enqueued: (detail.enqueued ?? 0) + batch.enqueued,
    }
    return { progress: progressOf(input, next.detail), detail: { ...next.detail } }
  })
  return next.ended ? undefined : next.detail
}

/** By time, since counting what lies ahead would cost as much as doing it. */
function progressOf({ since, until }: ReplayInput, { last }: ReplayDetail): number {
  const [from, to] = [Date.parse(since), Math.min(Date.parse(until), Date.now())]
  if (last === undefined || to <= from) return 0
  return Math.min(1, Math.max(0, (Date.parse(last.createdAt) - from) / (to - from)))
}

const subscriptionGone = { code: 'subscription_removed', message: 'The subscription was removed', retryable: false }
const subscriptionDisabled = {
  code: 'subscription_disabled',
  message: 'The subscription was disabled; enable it and begin again',
  retryable: false,
}
