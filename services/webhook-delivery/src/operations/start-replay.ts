import { type Operation, problem, type webhooks } from '@wp/contracts'
import { enforceQuota, newId } from '@wp/database'
import { enqueue } from '@wp/jobs'
import type { Context } from '../context.ts'
import { type ReplayInput, replayQueue, replayQuota, replayView } from '../replays/replay.ts'
import { lockSubscription } from '../store/subscriptions/subscriptions.ts'
import { requireActive } from '../subscriptions/require-active.ts'

export const startReplay: Operation<typeof webhooks.startReplay, Context> = (
  { database },
  caller,
  { params, body },
) => {
  const { request: _request, ...stored } = caller
  return database.transact(caller, async (tx) => {
    const subscription = await lockSubscription(tx, caller.workspaceId, params.webhook_id)
    requireActive(subscription)
    const { webhookId } = subscription
    const input: ReplayInput = {
      webhookId,
      since: body.since,
      until: body.until,
      states: [...new Set([body.status].flat())],
    }
    const job = await enqueue(tx, {
      id: newId('rpl'),
      queue: replayQueue,
      subject: webhookId,
      exclusive: webhookId,
      input,
      caller: stored,
      conflict: problem('conflict', { detail: 'Another replay of the subscription is in progress' }),
    })
    await enforceQuota(tx.query, caller.workspaceId, replayQuota)
    return replayView(job)
  })
}
