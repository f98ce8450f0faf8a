import type { JobState, ResultOf, replayableStatuses, webhooks } from '@wp/contracts'
import { type Job, jobFields } from '@wp/jobs'

/** The queue of replays; a replay is its job. */
export const replayQueue = 'replays'

export type ReplayedState = (typeof replayableStatuses)[number]

/** What is to be sent again. Times as RFC 3339. */
export interface ReplayInput {
  webhookId: string
  since: string
  until: string
  states: ReplayedState[]
}

/** How far a replay has come: committed with each batch, so that whoever takes over goes on from here. */
export interface ReplayDetail {
  /** The last delivery that was looked at. */
  last?: { createdAt: string; requestId: string }
  matched?: number
  enqueued?: number
}

// Written by start-replay.ts, from the parsed body.
export const getReplayInput = (job: Job): ReplayInput => job.input as ReplayInput

// Written by run-replay.ts alone; empty at first.
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
    status: getPublicState(job),
  }
}

/** Between two batches it may wait in the queue for the receiver to catch up; it is under way all the same. */
const getPublicState = ({ state, startedAt }: Job): JobState =>
  state === 'queued' && startedAt !== null ? 'running' : state
