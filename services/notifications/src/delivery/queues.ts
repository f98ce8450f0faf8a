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
  /** True for the digest of critical notifications, absent for that of the others. */
  isCritical?: boolean
}

/** Queues a digest of a user, unless that of this time is queued. @param at milliseconds since 1970 */
export async function enqueueDigest(tx: Tx, { at, ...input }: DigestInput & { at: number }): Promise<void> {
  const runAt = new Date(at)
  const exclusive = [
    ...[tx.workspaceId, input.recipientId, runAt.toISOString()],
    ...(input.isCritical === true ? ['critical'] : []),
  ].join(' ')
  try {
    await enqueue(tx, { id: newId('ntf'), queue: digestQueue, exclusive, input, runAt })
  } catch (error) {
    if (!(error instanceof JobConflict)) throw error
  }
}
