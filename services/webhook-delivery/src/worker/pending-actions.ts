import { createLoop, type Loop } from '@wp/runtime'
import type { Context } from '../context.ts'
import { findEndpointsWithActions } from '../store/endpoints/pending-actions.ts'
import { runPendingActions } from '../subscriptions/disable.ts'

/** The net under the wake: should a process die between concluding and doing, another does it. */
const pollMs = 5_000
const batchSize = 50

/** Does what was concluded about endpoints that keep failing. Conclusions are kept with the counters they follow from. */
export function createPendingActionsWorker(context: Context): Loop {
  async function pass(): Promise<'more' | 'idle'> {
    const endpoints = await findEndpointsWithActions(context.database.worker, batchSize)
    for (const endpoint of endpoints) await runPendingActions(context, endpoint)
    return endpoints.length === batchSize ? 'more' : 'idle'
  }
  return createLoop({ name: 'conclusions about failing endpoints', pass, pollMs, log: context.log })
}
