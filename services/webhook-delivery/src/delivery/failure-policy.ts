/** What is kept of an endpoint's failures, to judge it by when the next one comes: nothing is ever scanned. */
export interface FailureHistory {
  /** When it was last known to be well: a success, its creation, or a change of what it may have failed for. */
  lastHealthyAtMs: number
  /** Counted failures since then, and when the first of them was. */
  failedAttempts: number
  failingSinceMs: number | null
  /** Answers 401 and 403 in a row. */
  authFailures: number
  /** What was concluded since it was well; each is concluded once. */
  triggeredActions: readonly FailureAction[]
}

/** `disable`: it is disabled; the others: its owner is told that it fails, and what is advised. */
export type FailureAction = 'refused' | 'failing_1_day' | 'failing_3_days' | 'disable'

/** The end of one attempt, as far as it says something about the endpoint itself. */
export interface CountedAttempt {
  succeeded: boolean
  statusCode: number | null
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** When an endpoint has failed for good: all three must hold. */
const disableThresholds = { failedAttempts: 20, withoutSuccessMs: 5 * dayMs, failuresSpanMs: 12 * hourMs }

/** So many refusals in a row are no accident: the receiver does not know our signature any more. */
const authFailureThreshold = 5

const healthyHistory = (nowMs: number): FailureHistory => ({
  lastHealthyAtMs: nowMs,
  failedAttempts: 0,
  failingSinceMs: null,
  authFailures: 0,
  triggeredActions: [],
})

/** Where an endpoint stands after one more attempt, and what follows from that now and did not before. */
export function applyFailurePolicy(
  history: FailureHistory,
  { succeeded, statusCode }: CountedAttempt,
  nowMs: number,
): { history: FailureHistory; actions: readonly FailureAction[] } {
  if (succeeded) return { history: healthyHistory(nowMs), actions: [] }
  const failed: FailureHistory = {
    ...history,
    failedAttempts: history.failedAttempts + 1,
    failingSinceMs: history.failingSinceMs ?? nowMs,
    authFailures: statusCode === 401 || statusCode === 403 ? history.authFailures + 1 : 0,
  }
  const actions = findActiveActions(failed, nowMs).filter((each) => !history.triggeredActions.includes(each))
  return { history: { ...failed, triggeredActions: [...history.triggeredActions, ...actions] }, actions }
}

function findActiveActions(history: FailureHistory, nowMs: number): FailureAction[] {
  const { lastHealthyAtMs, failedAttempts, failingSinceMs, authFailures } = history
  const spanMs = nowMs - (failingSinceMs ?? nowMs)
  const hasFailedForGood =
    failedAttempts >= disableThresholds.failedAttempts &&
    nowMs - lastHealthyAtMs >= disableThresholds.withoutSuccessMs &&
    spanMs >= disableThresholds.failuresSpanMs
  const hold: Record<FailureAction, boolean> = {
    refused: authFailures >= authFailureThreshold,
    failing_1_day: spanMs >= dayMs,
    failing_3_days: spanMs >= 3 * dayMs,
    disable: hasFailedForGood,
  }
  return (Object.keys(hold) as FailureAction[]).filter((each) => hold[each]) // the keys of the record above
}

/** What its owner is advised: who is refused for its signature helps itself by another secret. */
export const adviceFor = ({
  authFailures,
}: Pick<FailureHistory, 'authFailures'>): 'rotate_secret' | 'check_endpoint' =>
  authFailures >= authFailureThreshold ? 'rotate_secret' : 'check_endpoint'
