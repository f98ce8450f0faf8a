import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { createProgressLine } from './progress-line.ts'

/** The members that all job resources have. */
interface Job {
  id: string
  status: string
  progress: number
  error: { code: string; message: string } | null
}

const [firstPauseMs, maxPauseMs] = [200, 2_000]

/**
 * Waits until a job has ended, and shows its progress on a terminal. Returns the finished job.
 * @throws Error if it failed or was cancelled
 */
export async function waitForJob<J extends Job>(context: Context, started: J, read: () => Promise<J>): Promise<J> {
  const line = createProgressLine(context)
  let job = started
  for (let pauseMs = firstPauseMs; job.status === 'queued' || job.status === 'running'; ) {
    line.show(`${job.id} ${job.status} ${Math.floor(job.progress * 100)} %`)
    await delay(pauseMs)
    pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)
    job = await read()
  }
  line.clear()
  if (job.status === 'finished') return job
  throw new Error(
    job.error === null ? `${job.id} was ${job.status}` : `${job.error.message} (${job.error.code}, ${job.id})`,
  )
}
