/** A load at one rate. */
export interface RampStep {
  /** Requests per second. */
  rate: number
  isSustained: boolean
}

interface RampOptions<Step extends RampStep> {
  startRate: number
  /** The highest rate that is tried. */
  maxRate: number
  /** Factor between the rates until one is not sustained; greater than 1. */
  factor: number
  /** The number of rates tried between the last sustained and the first not sustained one. */
  refinements: number
  maxSteps: number
  measure(rate: number): Promise<Step>
}

/**
 * Finds the highest rate that is sustained: raises the rate by a factor until it is not, then halves the interval.
 *
 * @returns the highest sustained rate, or undefined if not even the first one was; and all steps in their order
 */
export async function findSaturation<Step extends RampStep>(
  options: RampOptions<Step>,
): Promise<{ rate: number | undefined; steps: Step[] }> {
  const { startRate, maxRate, factor, refinements, maxSteps, measure } = options
  const steps: Step[] = []
  let sustained: number | undefined
  let exceeded: number | undefined
  let next = startRate
  let refined = 0
  while (steps.length < maxSteps && refined <= refinements) {
    const step = await measure(next)
    steps.push(step)
    if (step.isSustained) sustained = next
    else exceeded = next
    if (exceeded !== undefined) refined += 1
    if (exceeded !== undefined && sustained === undefined) break
    const raised = Math.min(maxRate, Math.round(next * factor))
    next = exceeded === undefined ? raised : Math.round(((sustained ?? 0) + exceeded) / 2)
    if (next === sustained || next === exceeded) break
  }
  return { rate: sustained, steps }
}
