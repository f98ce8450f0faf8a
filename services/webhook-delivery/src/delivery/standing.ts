/** What is kept of an endpoint's failures, to judge it by when the next one comes: nothing is ever scanned. */
export interface Standing {
  /** When it was last known to be well: a success, its creation, or a change of what it may have failed for. */
  wellAtMs: number
  /** Counted failures since then, and when the first of them was. */
  failedAttempts: number
  failingSinceMs: number | null
  /** Answers 401 and 403 in a row. */
  refusals: number
  /** What was concluded since it was well; each is concluded once. */
  concluded: readonly Conclusion[]
}

/** `disable`: it is disabled; the others: its owner is told that it fails, and what is advised. */
export type Conclusion = 'refused' | 'failing_1_day' | 'failing_3_days' | 'disable'

/** The end of one attempt, as far as it says something about the endpoint itself. */
export interface CountedEnd {
  succeeded: boolean
  statusCode: number | null
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** When an endpoint has failed for good: all three must hold. */
const disabledAfter = { failedAttempts: 20, withoutSuccessMs: 5 * dayMs, failuresSpanMs: 12 * hourMs }

/** So many refusals in a row are no accident: the receiver does not know our signature any more. */
const refusalsUntilTold = 5

const wellAt = (nowMs: number): Standing => ({
  wellAtMs: nowMs,
  failedAttempts: 0,
  failingSinceMs: null,
  refusals: 0,
  concluded: [],
})

/** Where an endpoint stands after one more attempt, and what follows from that now and did not before. */
export function standingAfter(
  standing: Standing,
  { succeeded, statusCode }: CountedEnd,
  nowMs: number,
): { standing: Standing; conclusions: readonly Conclusion[] } {
  if (succeeded) return { standing: wellAt(nowMs), conclusions: [] }
  const failed: Standing = {
    ...standing,
    failedAttempts: standing.failedAttempts + 1,
    failingSinceMs: standing.failingSinceMs ?? nowMs,
    refusals: statusCode === 401 || statusCode === 403 ? standing.refusals + 1 : 0,
  }
  const conclusions = holding(failed, nowMs).filter((each) => !standing.concluded.includes(each))
  return { standing: { ...failed, concluded: [...standing.concluded, ...conclusions] }, conclusions }
}

function holding(standing: Standing, nowMs: number): Conclusion[] {
  const { wellAtMs, failedAttempts, failingSinceMs, refusals } = standing
  const spanMs = nowMs - (failingSinceMs ?? nowMs)
  const hasFailedForGood =
    failedAttempts >= disabledAfter.failedAttempts &&
    nowMs - wellAtMs >= disabledAfter.withoutSuccessMs &&
    spanMs >= disabledAfter.failuresSpanMs
  const hold: Record<Conclusion, boolean> = {
    refused: refusals >= refusalsUntilTold,
    failing_1_day: spanMs >= dayMs,
    failing_3_days: spanMs >= 3 * dayMs,
    disable: hasFailedForGood,
  }
  return (Object.keys(hold) as Conclusion[]).filter((each) => hold[each]) // the keys of the record above
}

/** What its owner is advised: who is refused for its signature helps itself by another secret. */
export const adviceFor = ({ refusals }: Pick<Standing, 'refusals'>): 'rotate_secret' | 'check_endpoint' =>
  refusals >= refusalsUntilTold ? 'rotate_secret' : 'check_endpoint'
