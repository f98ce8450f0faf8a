import type { WorkerClient } from '@wp/database'
import { compareStream, type ObservedStream, rememberStream, unpublishAll, unpublishRecent } from './outbox-table.ts'

/** The broker syncs to disk every two minutes by default and loses later events in a crash; this adds a margin. */
const republishMinutes = 10

export type Loss = 'storage' | 'crash' | 'none'

/**
 * Classifies what the broker may have lost. Nothing on the first connection to the same broker process; possibly recent
 * events after any reconnection, which may follow a crash; everything if the stream was recreated.
 */
export function classifyLoss(known: { sameStream: boolean; sameServer: boolean }, isReconnection: boolean): Loss {
  if (!known.sameStream) return 'storage'
  return isReconnection || !known.sameServer ? 'crash' : 'none'
}

/**
 * Marks events that the broker may have lost as unpublished: all stored events if the stream was recreated, those of
 * the last minutes if the broker may have crashed. Events that were not lost are dropped by the broker within its
 * duplicate window, and by the inboxes of the consumers.
 *
 * @param shard shard of the stream's events; empty for the shard of the service
 * @param connection whether this is a reconnection, and its age: events published since are safe
 */
export async function markForRepublish(
  client: WorkerClient,
  shard: string,
  stream: ObservedStream,
  connection: { isReconnection: boolean; ageMs: number },
): Promise<{ loss: Loss; events: number }> {
  const loss = classifyLoss(await compareStream(client, stream), connection.isReconnection)
  if (loss === 'none') return { loss, events: 0 }
  await rememberStream(client, stream)
  const events =
    loss === 'storage'
      ? await unpublishAll(client, shard)
      : await unpublishRecent(client, shard, republishMinutes, connection.ageMs)
  return { loss, events }
}
