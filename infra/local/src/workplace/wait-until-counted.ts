import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@wp/client'
import { DemoError } from '../demo-error.ts'

interface WaitContext {
  client: Client
  signal: AbortSignal
}

const everyMs = 500
const timeoutMs = 900_000

/** Waits until the rows of a dataset have been read. @throws DemoError if that takes longer than five minutes */
export async function waitUntilRead({ client, signal }: WaitContext, id: string): Promise<void> {
  await poll(signal, `the rows of dataset ${id} were not read`, async () => {
    const { refreshed_at: refreshedAt } = await client.solutions.getDataset({ params: { id } })
    return refreshedAt !== null
  })
}

/** Waits until the figures of all weeks are counted. @throws DemoError if that takes longer than five minutes */
export async function waitUntilCounted({ client, signal }: WaitContext, spaceId: string): Promise<void> {
  await poll(signal, 'the figures were not counted', async () => {
    const { meta } = await client.solutions.getUtilization({ query: { space_id: spaceId } })
    return meta.pending_weeks === 0
  })
}

async function poll(signal: AbortSignal, failure: string, isDone: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; ) {
    if (await isDone()) return
    await delay(everyMs, undefined, { signal })
  }
  throw new DemoError(`${failure} within ${timeoutMs / 60_000} minutes; see the log of the solutions service`)
}
