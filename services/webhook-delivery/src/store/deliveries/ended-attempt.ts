import type { AttemptResult } from '../../delivery/classify-attempt.ts'
import type { NextState } from '../../delivery/next-state.ts'
import type { ClaimedDelivery } from './claim.ts'

/** An attempt that has ended, and what follows from it. */
export interface EndedAttempt {
  claimed: ClaimedDelivery
  result: AttemptResult
  nextState: NextState
  attempt: AttemptRecord
}

/** What is kept of an attempt. Nothing in it holds NUL. */
export interface AttemptRecord {
  id: string
  statusCode: number | null
  errorKind: string | null
  errorMessage: string | null
  address: string | null
  timings: Record<string, number | null>
  responseHeaders: Record<string, string>
  responseBody: string | null
  responseTruncated: boolean
  startedAt: Date
  finishedAt: Date
}
