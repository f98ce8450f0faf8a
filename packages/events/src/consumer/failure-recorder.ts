import type { Database } from '@wp/database'
import type { Log, Metrics } from '@wp/runtime'
import { recordFailure } from '../dead-letters/dead-letter-table.ts'
import type { EventMetadata, ReceivedEvent } from './received-event.ts'

export interface FailureRecorderOptions {
  worker: Database['worker']
  consumer: string
  /** Failed attempts after which an event becomes a dead letter. */
  maxAttempts: number
  /** Pauses before the second and later attempts in milliseconds; the last one is repeated. */
  retryMs: readonly number[]
  log: Log
  metrics: Metrics
}

/** Records failed attempts and dead letters. Every method throws the error of the infrastructure if it cannot. */
export interface FailureRecorder {
  /** Records a failed attempt. @returns the pause before the next one; undefined if the event is now a dead letter */
  recordAttempt(received: ReceivedEvent, error: unknown): Promise<{ retryMs: number } | undefined>
  /** Records an event that was not authorized as a dead letter. */
  recordUnauthorized(received: ReceivedEvent, reason: string): Promise<void>
  /** Records a message that is not a valid event as a dead letter. */
  recordMalformed(id: string, content: unknown, metadata: EventMetadata, defect: string): Promise<void>
}

export function createFailureRecorder(options: FailureRecorderOptions): FailureRecorder {
  const { worker, consumer, maxAttempts, retryMs, log, metrics } = options
  const pauseMs = (failures: number) => retryMs[Math.min(failures, retryMs.length) - 1] ?? 1_000
  const countDeadLetter = () => metrics.count('events_dead_total', { consumer })

  return {
    async recordAttempt(received, error) {
      const { id, kind, request_id: requestId } = received.event
      const limits = { maxAttempts, pauseMs: pauseMs(maxAttempts) }
      const failures = await recordFailure(worker, consumer, toFailedEvent(received, error), limits)
      const fields = { err: error, consumer, eventId: id, kind, attempts: failures, requestId }
      if (failures < maxAttempts) {
        metrics.count('events_handled_total', { consumer, outcome: 'failed' })
        log.warn({ event: 'domain_event.failed', ...fields }, 'event handler failed; retrying')
        return { retryMs: pauseMs(failures) }
      }
      countDeadLetter()
      log.error(
        { event: 'domain_event.dead_lettered', ...fields },
        'event handler failed for the last time; requeue the dead letter with npm run events:redrive',
      )
      return undefined
    },
    async recordUnauthorized(received, reason) {
      const failed = toFailedEvent(received, `refused: ${reason}`)
      await recordFailure(worker, consumer, failed, { maxAttempts: 1, pauseMs: 0 })
      metrics.count('events_refused_total', { consumer })
      countDeadLetter()
      const { id, kind, request_id: requestId } = received.event
      const { subject } = received.metadata
      log.error(
        { event: 'domain_event.unauthorized', consumer, eventId: id, kind, subject, requestId, reason },
        'event not authorized; recorded as a dead letter',
      )
    },
    async recordMalformed(id, content, { sequence, subject }, defect) {
      const failed = { id, workspaceId: '', content, sequence, subject, error: defect }
      await recordFailure(worker, consumer, failed, { maxAttempts: 1, pauseMs: 0 })
      countDeadLetter()
      log.error(
        { event: 'domain_event.malformed', consumer, eventId: id, sequence, defect },
        'message is not a valid event; recorded as a dead letter',
      )
    },
  }
}

const toFailedEvent = ({ event, metadata: { sequence, subject } }: ReceivedEvent, error: unknown) => ({
  id: event.id,
  workspaceId: event.workspace_id,
  content: event,
  sequence,
  subject,
  error,
})
