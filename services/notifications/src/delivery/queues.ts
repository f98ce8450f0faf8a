import { newId } from '@wp/database'
import { enqueue, JobConflict } from '@wp/jobs'
import type { Tx } from '../store/client.ts'
import type { DeliveryChannel } from '../store/deliveries.ts'

/** The job queue of each channel, so that a slow one delays no other; and that of digests. */
export const deliveryQueues = { email: 'email', slack: 'slack' } as const satisfies Record<DeliveryChannel, string>
export const digestQueue = 'digest'

export interface DeliveryInput {
  notificationId: string
}

/** Queues the delivery of a notification by a channel. @param at milliseconds since 1970 */
export async function enqueueDelivery(
  tx: Tx,
  { notificationId, channel, at }: DeliveryInput & { channel: DeliveryChannel; at: number },
): Promise<void> {
  const input: DeliveryInput = { notificationId }
  await enqueue(tx, { id: newId('ntf'), queue: deliveryQueues[channel], input, runAt: new Date(at) })
}

export interface DigestInput {
  recipientId: string
}

/** Queues the digest of a user, unless that of this time is queued. @param at milliseconds since 1970 */
export async function enqueueDigest(tx: Tx, { recipientId, at }: DigestInput & { at: number }): Promise<void> {
  const input: DigestInput = { recipientId }
  const runAt = new Date(at)
  const exclusive = `${tx.workspaceId} ${recipientId} ${runAt.toISOString()}`
  try {
    await enqueue(tx, { id: newId('ntf'), queue: digestQueue, exclusive, input, runAt })
  } catch (error) {
    if (!(error instanceof JobConflict)) throw error
  }
}
