import type { Transaction } from '@wp/database'
import { serviceCaller } from '@wp/events'
import { createLoop, type Loop } from '@wp/runtime'
import type { Context } from '../context.ts'
import { adviceFor } from '../delivery/failure-policy.ts'
import type { AttemptedDelivery } from '../delivery/next-state.ts'
import {
  type EndpointWithActions,
  findEndpointsWithActions,
  markNotified,
  takePendingActions,
} from '../store/endpoints/pending-actions.ts'
import { type DependentSubscription, lockDependent } from '../store/subscriptions/dependent-subscriptions.ts'
import {
  type DisabledReason,
  disableSubscription,
  lockUnchanged,
} from '../store/subscriptions/disable-subscriptions.ts'

type DatabaseContext = Pick<Context, 'database'>

/** The dispatcher wakes the worker; the poll finds the actions of a process that stopped before it executed them. */
const pollMs = 15_000
const batchSize = 50

/**
 * Disables the subscription whose receiver responded 410, and notifies the workspace's other subscriptions. Does
 * nothing if the subscription's address has changed since: the response came from the old one.
 */
export async function disableOnGone(context: DatabaseContext, claimed: AttemptedDelivery): Promise<void> {
  const { webhookId, requestId, endpoint } = claimed
  await transactAsService(context, claimed, requestId, async (tx) => {
    if (await lockUnchanged(tx.query, webhookId, endpoint)) await disable(tx, webhookId, 'gone')
  })
}

/** Creates the worker that executes the actions of the failure policy: notices, and disabling of subscriptions. */
export function createPendingActionsWorker(context: Pick<Context, 'database' | 'log'>): Loop {
  async function pass(): Promise<'more' | 'idle'> {
    const endpoints = await findEndpointsWithActions(context.database.worker, batchSize)
    for (const endpoint of endpoints) await runPendingActions(context, endpoint)
    return endpoints.length === batchSize ? 'more' : 'idle'
  }
  return createLoop({ name: 'failure policy actions', pass, pollMs, log: context.log })
}

/**
 * Executes the pending actions of a failing endpoint: notifies the workspace's other subscriptions, and may disable it.
 */
async function runPendingActions(context: DatabaseContext, endpoint: EndpointWithActions): Promise<void> {
  const { webhookId } = endpoint
  await transactAsService(context, endpoint, webhookId, async (tx) => {
    const pending = await takePendingActions(tx, webhookId)
    if (pending === undefined) return
    const { name, pendingActions, failingSince, authFailures, wasNotified } = pending
    // Several notices that are due together are sent as one, and one in twelve hours.
    if (pendingActions.some((action) => action !== 'disable') && failingSince !== null && !wasNotified) {
      await markNotified(tx, webhookId)
      const data = { name, failing_since: failingSince.toISOString(), advice: adviceFor({ authFailures }) }
      tx.emit({ kind: 'WEBHOOK_FAILING', data: { id: webhookId, status: 'failing', ...data } })
    }
    if (pendingActions.includes('disable')) await disable(tx, webhookId, 'failing')
  })
}

/**
 * Disables the subscription of an application whose session has ended, unless another caller has activated it since.
 */
export async function disableAfterSession(
  context: DatabaseContext,
  subscription: DependentSubscription,
): Promise<void> {
  const { webhookId, dependsOn } = subscription
  await transactAsService(context, subscription, webhookId, async (tx) => {
    if (await lockDependent(tx.query, webhookId, dependsOn.sessionId)) await disable(tx, webhookId, 'session_ended')
  })
}

async function disable(tx: Transaction, webhookId: string, reason: DisabledReason): Promise<void> {
  const name = await disableSubscription(tx.query, webhookId, reason)
  if (name === undefined) return
  tx.emit({ kind: 'WEBHOOK_DISABLED', data: { id: webhookId, status: 'disabled', name, reason } })
  tx.audit({ action: 'webhook.disabled', targets: [{ type: 'webhook', id: webhookId }], changes: { reason } })
}

function transactAsService(
  { database }: DatabaseContext,
  { workspaceId }: { workspaceId: string },
  requestId: string,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  return database.transact(serviceCaller('webhook-delivery', { shard: database.shard, workspaceId, requestId }), work)
}
