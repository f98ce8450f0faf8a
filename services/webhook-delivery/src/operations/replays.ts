import { problem, type WorkspaceCaller } from '@wp/contracts'
import { enforceQuota, newId, type Query } from '@wp/database'
import { cancelJob, enqueue, getJob, type Job } from '@wp/jobs'
import type { Operation } from '../context.ts'
import { getReplayInput, type ReplayInput, replayQueue, replayQuota, replayView } from '../delivery/replay.ts'
import { readCustomerRules, replayedKinds } from '../portal/customer-rules.ts'
import type { Db } from '../store/client.ts'
import { findSubscription, lockSubscription, requireActive } from '../store/subscriptions/subscriptions.ts'

export const startReplay: Operation<'startReplay'> = (context, caller, { params, body }) => {
  const { request: _request, ...stored } = caller
  return context.database.transact(caller, async (tx) => {
    const rules = await readCustomerRules(tx.db, context, caller)
    const { webhookId } = requireActive(await lockSubscription(tx, caller, params.webhook_id))
    const input: ReplayInput = {
      webhookId,
      since: body.since,
      until: body.until,
      states: [...new Set([body.status].flat())],
      ...replayedKinds(rules),
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

export const getReplay: Operation<'getReplay'> = async ({ database }, caller, { params }) =>
  replayView(await database.read(caller, (db, sql) => requireReplay(db, sql, caller, params.id)))

export const cancelReplay: Operation<'cancelReplay'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    await requireReplay(tx.db, tx.query, caller, params.id)
    return replayView(await cancelJob(tx, { workspaceId: caller.workspaceId, queue: replayQueue, id: params.id }))
  })

/** Returns a replay. @throws Problem `not_found`, for a customer also if it is of a subscription that is not theirs */
async function requireReplay(db: Db, query: Query, caller: WorkspaceCaller, id: string): Promise<Job> {
  const job = await getJob(query, { workspaceId: caller.workspaceId, queue: replayQueue, id })
  if (job === null) throw problem('not_found')
  if (caller.customerId !== undefined) await findSubscription(db, caller, getReplayInput(job).webhookId)
  return job
}
