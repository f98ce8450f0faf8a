export { type Backoff, backoffMs, jitteredMs } from './backoff.ts'
export { canonicalJson } from './canonical-json.ts'
export { entryLimit } from './entry-limit.ts'
export { FairSemaphore, type FairSemaphoreOptions, SemaphoreTimeout } from './fair-semaphore.ts'
export type { Worker } from './loop.ts'
export { createLoop, type Loop, type LoopOptions, type PassResult } from './loop.ts'
export { errorCode, networkErrorCodes, resetErrorCodes, unreachableErrorCodes } from './network-errors.ts'
export { parseJson } from './parse-json.ts'
export { printLine, runCommand } from './run-command.ts'
export {
  errorClass,
  isSampled,
  type Log,
  type Metrics,
  noLog,
  noMetrics,
  type Span,
  type SpanAttributes,
  type SpanOptions,
  type Tracing,
  withSpan,
} from './telemetry.ts'
export { throttle } from './throttle.ts'
export { pause, waitAtMost, withTimeout } from './timeout.ts'
