import type { Arrival } from '../harness/open-loop.ts'
import type { Random } from './mix.ts'

export interface ScheduleOptions<Operation> {
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
  const draw = createOperationDraw(mix, random)
  // The arrivals of a Poisson process whose number is known are independent and uniform.
  const times = Float64Array.from({ length: Math.round(rate * seconds) }, () => random() * seconds * 1_000).sort()
  return Array.from(times, (afterMs) => ({ afterMs, operation: draw() }))
}

function createOperationDraw<Operation extends { share: number }>(
  mix: readonly Operation[],
  random: Random,
): () => Operation {
  const total = mix.reduce((sum, { share }) => sum + share, 0)
  return () => {
    let rest = random() * total
    const drawn = mix.find(({ share }) => {
      rest -= share
      return rest < 0
    })
    if (drawn === undefined) throw new Error('the mix has no operation')
    return drawn
  }
}
