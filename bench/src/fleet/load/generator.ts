import { setTimeout as pause } from 'node:timers/promises'
import type { Arrival } from './schedule.ts'

/** Times are in milliseconds since any fixed time. */
export interface Clock {
  now(): number
  waitUntil(timeMs: number): Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  waitUntil: (timeMs) => pause(Math.max(0, timeMs - performance.now())),
}

/** The status of a response, or the reason why there is none. */
export type Status = number | string

/** Status of a request that was due while too many others were in progress. */
export const notSent = 'not sent'

export interface Outcome<Operation> {
  operation: Operation
  status: Status
  /** From the time at which the request was due to the end of its response. */
  latencyMs: number
  /** From the time at which the request was due to the time at which it was sent: the delay of the generator itself. */
  lateMs: number
}

interface GeneratorOptions<Operation> {
  /** Performs the operation. Never rejects. */
  send(operation: Operation): Promise<Status>
  clock: Clock
  /** Bounds the memory of an overload. Further requests are not sent, and count as failures. */
  maxInFlight: number
}

/**
 * Sends each request of a schedule at its time, even if earlier ones have not been answered, and waits for all
 * responses. The latency counts from the time at which a request was due, so that a queue anywhere, also in this
 * process, shows.
 */
export async function sendOnSchedule<Operation>(
  schedule: readonly Arrival<Operation>[],
  { send, clock, maxInFlight }: GeneratorOptions<Operation>,
): Promise<Outcome<Operation>[]> {
  const outcomes: Outcome<Operation>[] = []
  const inFlight = new Set<Promise<void>>()
  const startedAt = clock.now()
  for (const { afterMs, operation } of schedule) {
    const dueAt = startedAt + afterMs
    if (clock.now() < dueAt) await clock.waitUntil(dueAt)
    const lateMs = Math.max(0, clock.now() - dueAt)
    if (inFlight.size >= maxInFlight) {
      outcomes.push({ operation, status: notSent, latencyMs: Number.POSITIVE_INFINITY, lateMs })
      continue
    }
    const sent = send(operation).then((status) => {
      outcomes.push({ operation, status, latencyMs: clock.now() - dueAt, lateMs })
      inFlight.delete(sent)
    })
    inFlight.add(sent)
  }
  await Promise.all(inFlight)
  return outcomes
}
