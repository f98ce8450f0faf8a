import { setTimeout as delay } from 'node:timers/promises'
import { DemoError } from '../demo-error.ts'

/** The fields that every job of the platform has. */
interface Job {
  status: 'queued' | 'running' | 'finished' | 'failed' | 'cancelled'
  error: { code: string; message: string } | null
}

const everyMs = 250
const timeoutMs = 600_000

/** Polls a job until it has finished. @throws DemoError if it fails or is cancelled, with its reason */
export async function waitForJob<J extends Job>(
  jobName: string,
  read: () => Promise<J>,
  signal: AbortSignal,
): Promise<J> {
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; ) {
    const job = await read()
    if (job.status === 'finished') return job
    if (job.status === 'failed' || job.status === 'cancelled') {
      const reason = job.error === null ? '' : `: ${job.error.code}: ${job.error.message}`
      throw new DemoError(`${jobName} ${job.status}${reason}`)
    }
    await delay(everyMs, undefined, { signal })
  }
  throw new DemoError(`${jobName} did not end within ${timeoutMs / 60_000} minutes`)
}
