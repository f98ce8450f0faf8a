import type { Settled } from '../delivery/settle.ts'
import type { Verdict } from '../delivery/verdict.ts'
import type { Claimed } from './claim.ts'

/** An attempt that has ended, and what follows from it. */
export interface EndedAttempt {
  claimed: Claimed
  verdict: Verdict
  settled: Settled
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
