import { pause, rejectOnAbort } from './transport/wait.ts'

/** The members that all jobs have: syncs, forecast runs, scenarios, refreshes, evaluations, replays, runs of agents. */
export interface Job {
  id: string
  /** `queued` and `running` until the job ends. */
  status: string
  /** From 0 to 1. */
  progress: number
  error: { code: string; message: string } | null
}

export interface WaitOptions<J extends Job = Job> {
  /** Ends the waiting with its reason; the job goes on. */
  signal?: AbortSignal
  /** Time limit of the waiting, default none. */
  timeoutMs?: number
  /** Called with the job each time that it was read. */
  onProgress?(job: J): void
}

/** The job failed or was cancelled. */
export class JobFailedError extends Error {
  override readonly name = 'JobFailedError'
  readonly job: Job

  constructor(job: Job) {
    super(job.error === null ? `${job.id} was ${job.status}` : `${job.error.message} (${job.error.code}, ${job.id})`)
    this.job = job
  }
}

const [firstPauseMs, maxPauseMs] = [200, 2_000]

/**
 * Reads a job until it is neither queued nor running, and returns it: with pauses of 0.2 seconds, which grow to 2. A
 * run of an agent that waits for an approval is returned, too.
 *
 * @param read reads the job, such as `() => client.solutions.getForecastRun({ params: { id } })`
 * @throws JobFailedError if the job failed or was cancelled; the reason of the signal; a DOMException named
 * TimeoutError
 */
export async function waitFor<J extends Job>(read: () => Promise<J>, options: WaitOptions<J> = {}): Promise<J> {
  const limits = [options.signal, options.timeoutMs === undefined ? undefined : AbortSignal.timeout(options.timeoutMs)]
  const signal = AbortSignal.any(limits.filter((limit) => limit !== undefined))
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)) {
    signal.throwIfAborted()
    const job = await rejectOnAbort(read(), signal)
    options.onProgress?.(job)
    if (job.status === 'failed' || job.status === 'cancelled') throw new JobFailedError(job)
    if (job.status !== 'queued' && job.status !== 'running') return job
    await pause(pauseMs, signal)
  }
}
