export { type Backoff, backoffMs, jitteredMs } from './backoff.ts'
export { canonicalJson } from './canonical-json.ts'
export { entryLimit } from './entry-limit.ts'
export { FairSemaphore, type FairSemaphoreOptions, SemaphoreTimeout } from './fair-semaphore.ts'
export { type Log, noLog } from './log.ts'
export { createLoop, type Loop, type LoopOptions } from './loop.ts'
export { type Metrics, noMetrics } from './metrics.ts'
export { errorCode, networkErrorCodes, resetErrorCodes, unreachableErrorCodes } from './network-errors.ts'
export { pause } from './pause.ts'
export { throttle } from './throttle.ts'
export { waitAtMost, withTimeout } from './timeout.ts'
export {
  errorClass,
  isSampled,
  type Span,
  type SpanAttributes,
  type SpanOptions,
  type Tracing,
  withSpan,
} from './tracing.ts'
export type { Worker } from './worker.ts'
