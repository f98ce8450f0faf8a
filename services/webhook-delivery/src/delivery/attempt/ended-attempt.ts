import type { AttemptRecord } from '../../store/deliveries/attempts.ts'
import type { ClaimedDelivery } from '../../store/deliveries/claim-rows.ts'
import type { AttemptResult } from './classify-attempt.ts'
import type { NextState } from './next-state.ts'

/** An attempt that has ended, and the next state of its delivery. */
export interface EndedAttempt {
  claimed: ClaimedDelivery
  result: AttemptResult
  nextState: NextState
  attempt: AttemptRecord
}
