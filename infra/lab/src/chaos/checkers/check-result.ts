import type { Entry } from '../history.ts'

/** The result of a checker. It holds if there is no violation. */
export interface CheckResult {
  /** The number of things compared, so that an empty history is not mistaken for a good one. */
  checked: number
  violations: string[]
}

export type Checker = (history: readonly Entry[]) => CheckResult
