import type { JobState, ResultOf, webhooks } from '@wp/contracts'
import { countQueuedJobs } from '@wp/database'
import { type Job, jobFields } from '@wp/jobs'
import type { ReplayPosition, ReplayRange } from '../store/deliveries/replayable-deliveries.ts'

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
