import { setTimeout as pause } from 'node:timers/promises'
import { type Percentiles, percentiles } from './statistics.ts'

/** A request of a load: its time and what it does. */
export interface Arrival<Operation> {
  /** Milliseconds from the start of the load. */
  afterMs: number
  operation: Operation
}

/** Returns evenly spaced arrivals, numbered from 0. */
export const atFixedRate = (perSecond: number, seconds: number): Arrival<number>[] =>
  Array.from({ length: Math.round(perSecond * seconds) }, (_, operation) => ({
    afterMs: (operation / perSecond) * 1_000,
    operation,
  }))

/** Times are in milliseconds since any fixed time. */
export interface Clock {
  now(): number
  waitUntil(timeMs: number): Promise<void>
}

const systemClock: Clock = {
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
  /** Performs the operation. A rejection has the code or the name of its error as status. */
  send(operation: Operation): Promise<Status>
  clock?: Clock
  /** Bounds the memory of an overload. Further requests are not sent, and count as failures. */
  maxInFlight?: number
}

/**
 * Sends each request of a schedule at its time, even if earlier ones have not been answered, and waits for all
 * responses. The latency counts from the time at which a request was due, so that a queue anywhere, also in this
 * process, shows.
 */
export async function sendOnSchedule<Operation>(
  schedule: readonly Arrival<Operation>[],
  { send, clock = systemClock, maxInFlight = 2_000 }: GeneratorOptions<Operation>,
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
    const sent = send(operation)
      .catch(reasonOf)
      .then((status) => {
        outcomes.push({ operation, status, latencyMs: clock.now() - dueAt, lateMs })
        inFlight.delete(sent)
      })
    inFlight.add(sent)
  }
  await Promise.all(inFlight)
  return outcomes
}

/** Returns the code of an error, such as `ECONNRESET`, or else its name. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** Latencies in milliseconds, of all requests, from the time at which each was due. */
export interface Summary extends Percentiles {
  requests: number
  /** Successful responses per second of the load. */
  perSecond: number
  failures: number
  /** The number of failures of each status. */
  failuresByStatus: Record<string, number>
}

/** @param seconds the duration of the load */
export function summarize(
  outcomes: readonly Pick<Outcome<unknown>, 'status' | 'latencyMs'>[],
  seconds: number,
): Summary {
  const failed = outcomes.filter(({ status }) => typeof status !== 'number' || status < 200 || status > 299)
  const failuresByStatus: Record<string, number> = {}
  for (const { status } of failed) failuresByStatus[status] = (failuresByStatus[status] ?? 0) + 1
  return {
    requests: outcomes.length,
    perSecond: (outcomes.length - failed.length) / seconds,
    ...percentiles(outcomes.map(({ latencyMs }) => latencyMs)),
    failures: failed.length,
    failuresByStatus,
  }
}
