import { type InterruptionReason, JobFailure, type JobInterrupted } from '@wp/jobs'

export interface RunSignalsOptions {
  /** The signal of the job. */
  job: AbortSignal
  /** Time until the run fails `run_timeout`. */
  remainingMs: number
  /** Time that a step in progress has to end when the process stops. */
  shutdownMs: number
}

/** The signals of a run: whether it must stop at once, or at the next boundary between two steps. */
export interface RunSignals {
  /** Aborted when the step in progress must end: with a JobInterrupted, or with a JobFailure. */
  readonly step: AbortSignal
  /** The reason to stop before the next step, if there is one. */
  boundaryReason(): unknown
  /** Tells whether the model call in progress has output; one without is repeated elsewhere and stops at once. */
  setHasOutput(hasOutput: boolean): void
  release(): void
}

/**
 * Derives the signals of a run from that of its job. A cancelled run, or one whose lease is lost, stops at once. When
 * the process stops or the slot is needed, a model call that has begun to answer may end its step.
 */
export function createRunSignals({ job, remainingMs, shutdownMs }: RunSignalsOptions): RunSignals {
  const step = new AbortController()
  let hasOutput = false
  let graceTimer: NodeJS.Timeout | undefined
  const timeout = setTimeout(() => step.abort(timeoutFailure()), remainingMs)
  const reasonOf = (): InterruptionReason | undefined =>
    job.aborted ? (job.reason as JobInterrupted).reason : undefined // the runner aborts with nothing else

  function update(): void {
    const reason = reasonOf()
    if (reason === undefined) return
    const mayEndStep = hasOutput && (reason === 'shutdown' || reason === 'preempted')
    if (!mayEndStep) step.abort(job.reason)
    else if (reason === 'shutdown') graceTimer ??= setTimeout(() => step.abort(interruptedFailure()), shutdownMs)
  }

  job.addEventListener('abort', update)
  update()
  return {
    step: step.signal,
    boundaryReason: () => (step.signal.aborted ? step.signal.reason : job.aborted ? job.reason : undefined),
    setHasOutput(value) {
      hasOutput = value
      update()
    },
    release() {
      clearTimeout(timeout)
      clearTimeout(graceTimer)
      job.removeEventListener('abort', update)
    },
  }
}

const timeoutFailure = () =>
  new JobFailure({ code: 'run_timeout', message: 'The run did not end within its `timeout_ms`', retryable: true })

/** The failure of a run that had begun to answer. */
export const interruptedFailure = () =>
  new JobFailure({
    code: 'run_interrupted',
    message: 'The run was interrupted after it had begun to answer',
    retryable: true,
  })
