import type { FailureAction } from '../store/endpoints/pending-actions.ts'

/** Failures of an endpoint since it was last healthy. Kept as counters, so that no attempts have to be scanned. */
export interface FailureHistory {
  /** Time of the last success, of the endpoint's creation, or of a change that may have fixed it. */
  lastHealthyAtMs: number
  /** Counted failures since then, and the time of the first. */
  failedAttempts: number
  failingSinceMs: number | null
  /** Consecutive responses 401 and 403. */
  authFailures: number
  /** Actions triggered since then; each is triggered once. */
  triggeredActions: readonly FailureAction[]
}

/** Result of an attempt that counts for the failure policy. */
export interface CountedAttempt {
  hasSucceeded: boolean
  statusCode: number | null
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** An endpoint is disabled if all three are reached. */
const disableThresholds = { failedAttempts: 20, withoutSuccessMs: 5 * dayMs, failuresSpanMs: 12 * hourMs }

/** So many in a row show that the receiver no longer accepts the signature or credentials. */
const authFailureThreshold = 5

const healthyHistory = (nowMs: number): FailureHistory => ({
  lastHealthyAtMs: nowMs,
  failedAttempts: 0,
  failingSinceMs: null,
  authFailures: 0,
  triggeredActions: [],
})

/** Returns the history after an attempt, and the actions that this attempt triggers. */
export function applyFailurePolicy(
  history: FailureHistory,
  { hasSucceeded, statusCode }: CountedAttempt,
  nowMs: number,
): { history: FailureHistory; actions: readonly FailureAction[] } {
  if (hasSucceeded) return { history: healthyHistory(nowMs), actions: [] }
  const failed: FailureHistory = {
    ...history,
    failedAttempts: history.failedAttempts + 1,
    failingSinceMs: history.failingSinceMs ?? nowMs,
    authFailures: statusCode === 401 || statusCode === 403 ? history.authFailures + 1 : 0,
  }
  const actions = findReachedActions(failed, nowMs).filter((action) => !history.triggeredActions.includes(action))
  return { history: { ...failed, triggeredActions: [...history.triggeredActions, ...actions] }, actions }
}

/** Returns the actions whose thresholds the history has reached. */
function findReachedActions(history: FailureHistory, nowMs: number): FailureAction[] {
  const { lastHealthyAtMs, failedAttempts, failingSinceMs, authFailures } = history
  const spanMs = nowMs - (failingSinceMs ?? nowMs)
  const isReached: Record<FailureAction, boolean> = {
    refused: authFailures >= authFailureThreshold,
    failing_1_day: spanMs >= dayMs,
    failing_3_days: spanMs >= 3 * dayMs,
    disable:
      failedAttempts >= disableThresholds.failedAttempts &&
      nowMs - lastHealthyAtMs >= disableThresholds.withoutSuccessMs &&
      spanMs >= disableThresholds.failuresSpanMs,
  }
  return (Object.keys(isReached) as FailureAction[]).filter((action) => isReached[action]) // the keys of the record above
}

/** Returns the advice to the owner of a failing endpoint: 401 and 403 may be fixed by a new secret. */
export const adviceFor = ({
  authFailures,
}: Pick<FailureHistory, 'authFailures'>): 'rotate_secret' | 'check_endpoint' =>
  authFailures >= authFailureThreshold ? 'rotate_secret' : 'check_endpoint'
