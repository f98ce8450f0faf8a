import { serviceCaller } from '@wp/events'
import type { Context } from '../context.ts'
import type { Control } from '../store/client.ts'
import { changeState, type DeliveryRow, type DeliveryState } from '../store/deliveries.ts'

/**
 * Records how an attempt ended and finishes the job. The result is written even if the lease was lost, for example to
 * another workspace: otherwise a message that was sent would end as `uncertain`.
 */
export async function recordResult(
  { database, metrics }: Pick<Context, 'database' | 'metrics'>,
  control: Control,
  deliveries: readonly DeliveryRow[],
  { to, reason }: { to: DeliveryState; reason?: string },
): Promise<void> {
  const { shard, workspaceId, requestId } = control.caller
  await database.transact(serviceCaller('notifications', { shard, workspaceId, requestId }), (tx) =>
    changeState(tx, deliveries, { from: 'sending', to, reason }),
  )
  for (const { channel } of deliveries) metrics.count('notifications_sent_total', { channel, outcome: to })
  await control.finish()
}

/** Ends deliveries whose attempt was interrupted: they may have been sent, so they are not sent again. */
export async function recordInterrupted(control: Control, deliveries: readonly DeliveryRow[]): Promise<void> {
  await control.checkpoint(async (tx) => {
    await changeState(tx, deliveries, { from: 'sending', to: 'uncertain', reason: 'interrupted' })
    return {}
  })
}

/** Ends deliveries that are not to be sent. */
export async function recordSkipped(
  control: Control,
  deliveries: readonly DeliveryRow[],
  reason: string,
): Promise<void> {
  await control.checkpoint(async (tx) => {
    await changeState(tx, deliveries, { from: 'pending', to: 'skipped', reason })
    return {}
  })
}
