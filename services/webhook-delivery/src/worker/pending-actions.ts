import { createLoop, type Loop } from '@wp/runtime'
import type { Context } from '../context.ts'
import { findEndpointsWithActions } from '../store/endpoints/pending-actions.ts'
import { runPendingActions } from '../subscriptions/disable.ts'

/** The dispatcher wakes the worker; the poll finds the actions of a process that stopped before it executed them. */
const pollMs = 5_000
const batchSize = 50

/** Creates the worker that executes the actions of the failure policy: notices, and disabling of subscriptions. */
export function createPendingActionsWorker(context: Pick<Context, 'database' | 'log'>): Loop {
  async function pass(): Promise<'more' | 'idle'> {
    const endpoints = await findEndpointsWithActions(context.database.worker, batchSize)
    for (const endpoint of endpoints) await runPendingActions(context, endpoint)
    return endpoints.length === batchSize ? 'more' : 'idle'
  }
  return createLoop({ name: 'failure policy actions', pass, pollMs, log: context.log })
}
