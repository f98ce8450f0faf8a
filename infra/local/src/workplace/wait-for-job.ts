import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@wp/client'
import { DemoError } from '../demo-error.ts'

interface WaitContext {
  client: Client
  signal: AbortSignal
}

/** The fields that every job of the platform has. */
interface Job {
  status: 'queued' | 'running' | 'finished' | 'failed' | 'cancelled'
  error: { code: string; message: string } | null
}

const everyMs = 250
const timeoutMs = 900_000

/** Polls a job until it has finished. @throws DemoError if it fails or is cancelled, with its reason */
export async function waitForJob<J extends Job>(
  jobName: string,
  read: () => Promise<J>,
  signal: AbortSignal,
): Promise<J> {
  return await poll(signal, `${jobName} did not end`, async () => {
    const job = await read()
    if (job.status === 'finished') return job
    if (job.status !== 'failed' && job.status !== 'cancelled') return undefined
    const reason = job.error === null ? '' : `: ${job.error.code}: ${job.error.message}`
    throw new DemoError(`${jobName} ${job.status}${reason}`)
  })
}

/** Waits until the rows of a dataset have been read. @throws DemoError if that takes too long */
export async function waitUntilRead({ client, signal }: WaitContext, id: string): Promise<void> {
  await poll(signal, `the rows of dataset ${id} were not read`, async () => {
    const { refreshed_at: refreshedAt } = await client.solutions.getDataset({ params: { id } })
    return refreshedAt ?? undefined
  })
}

/** Waits until the figures of all weeks are counted. @throws DemoError if that takes too long */
export async function waitUntilCounted({ client, signal }: WaitContext, spaceId: string): Promise<void> {
  await poll(signal, 'the figures were not counted', async () => {
    const { meta } = await client.solutions.getUtilization({ query: { space_id: spaceId } })
    return meta.pending_weeks === 0 || undefined
  })
}

async function poll<T>(signal: AbortSignal, failure: string, find: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; ) {
    const found = await find()
    if (found !== undefined) return found
    await delay(everyMs, undefined, { signal })
  }
  throw new DemoError(`${failure} within ${timeoutMs / 60_000} minutes; see the logs of the services`)
}
