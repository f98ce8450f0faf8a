import { createLoop, type Loop } from '@wp/events'
import type { Context } from '../context.ts'
import { findOwing } from '../store/owed.ts'
import { settleOwed } from '../subscriptions/disable.ts'

/** The net under the wake: should a process die between concluding and doing, another does it. */
const pollMs = 5_000
const atOnce = 50

/** Does what was concluded about endpoints that keep failing. Conclusions are kept with the counters they follow from. */
export function createConclusions(context: Context): Loop {
  async function pass(): Promise<'more' | 'idle'> {
    const owing = await findOwing(context.database.worker, atOnce)
    for (const endpoint of owing) await settleOwed(context, endpoint)
    return owing.length === atOnce ? 'more' : 'idle'
  }
  return createLoop({ name: 'conclusions about failing endpoints', pass, pollMs, log: context.log })
}
