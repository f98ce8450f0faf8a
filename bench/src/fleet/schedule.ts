import type { Arrival } from '../harness/open-loop.ts'
import { pick, type Random } from './mix.ts'

interface ScheduleOptions<Operation> {
  /** Requests per second. */
  rate: number
  seconds: number
  mix: readonly Operation[]
  random: Random
}

/**
 * Plans a load. The times are those of a Poisson process with `rate × seconds` arrivals, because the clients of many
 * workspaces do not wait for each other; so bursts occur as they do in reality. Operations are drawn by their shares.
 *
 * @returns the arrivals in the order of their times
 */
export function createSchedule<Operation extends { share: number }>({
  rate,
  seconds,
  mix,
  random,
}: ScheduleOptions<Operation>): Arrival<Operation>[] {
  const shares = mix.flatMap((operation) => Array.from({ length: operation.share }, () => operation))
  // The arrivals of a Poisson process whose number is known are independent and uniform.
  const times = Float64Array.from({ length: Math.round(rate * seconds) }, () => random() * seconds * 1_000).sort()
  return Array.from(times, (afterMs) => ({ afterMs, operation: pick(shares, random) }))
}
