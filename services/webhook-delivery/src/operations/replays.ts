import { type Operation, problem, type webhooks } from '@wp/contracts'
import { enforceQuota, newId } from '@wp/database'
import { cancelJob, enqueue, getJob } from '@wp/jobs'
import type { Context } from '../context.ts'
import { type ReplayInput, replayQueue, replayQuota, replayView } from '../replays/replay.ts'
import { lockSubscription, requireActive } from '../store/subscriptions/subscriptions.ts'

export const startReplay: Operation<typeof webhooks.startReplay, Context> = (
  { database },
  caller,
  { params, body },
) => {
  const { request: _request, ...stored } = caller
  return database.transact(caller, async (tx) => {
    const { webhookId } = requireActive(await lockSubscription(tx, caller.workspaceId, params.webhook_id))
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

export const getReplay: Operation<typeof webhooks.getReplay, Context> = async (
  { database },
  { workspaceId },
  { params },
) => {
  const job = await database.read({ workspaceId }, (_db, sql) =>
    getJob(sql, { workspaceId, queue: replayQueue, id: params.id }),
  )
  if (job === null) throw problem('not_found')
  return replayView(job)
}

export const cancelReplay: Operation<typeof webhooks.cancelReplay, Context> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) =>
    replayView(await cancelJob(tx, { workspaceId: caller.workspaceId, queue: replayQueue, id: params.id })),
  )
