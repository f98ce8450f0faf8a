import type { ai, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { cancelRun as cancel } from '../runs/cancel-run.ts'
import { changeRun } from '../runs/change-run.ts'

export const cancelRun: Operation<typeof ai.cancelRun, Context> = (context, caller, { params }) =>
  changeRun(context, caller, params.id, async (tx, key) => {
    await cancel(tx, context.liveEvents, key)
  })
