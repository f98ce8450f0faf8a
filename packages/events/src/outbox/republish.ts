import type { WorkerClient } from '@wp/database'
import { compareStream, type ObservedStream, rememberStream, unpublishAll, unpublishRecent } from './outbox-table.ts'

/** The broker syncs to disk every two minutes by default, and a crash takes what was not; here with a margin. */
const republishMinutes = 10

export type Loss = 'storage' | 'crash' | 'none'

/**
 * What may be gone, by what was known of stream and broker. A first connection to a broker process that was published
 * to before is no loss: nothing happened to it since. Any reconnection may follow a crash.
 */
export function classifyLoss(known: { sameStream: boolean; sameServer: boolean }, reconnected: boolean): Loss {
  if (!known.sameStream) return 'storage'
  return reconnected || !known.sameServer ? 'crash' : 'none'
}

/**
 * Marks for publishing again what may be gone: everything that is kept when the stream was made anew, the last minutes
 * when the broker may have crashed. The inboxes of the consumers, and the broker within its duplicate window, drop what
 * was not gone.
 *
 * @param shard whose events the stream has; empty: the service's own
 * @param arrival whether the broker was lost before, and how long it has been back; what was published since is safe
 */
export async function markForRepublish(
  client: WorkerClient,
  shard: string,
  stream: ObservedStream,
  arrival: { reconnected: boolean; msAgo: number },
): Promise<{ loss: Loss; events: number }> {
  const loss = classifyLoss(await compareStream(client, stream), arrival.reconnected)
  if (loss === 'none') return { loss, events: 0 }
  await rememberStream(client, stream)
  const events =
    loss === 'storage'
      ? await unpublishAll(client, shard)
      : await unpublishRecent(client, shard, republishMinutes, arrival.msAgo)
  return { loss, events }
}
