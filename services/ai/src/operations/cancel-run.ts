import { type ai, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { cancelRun as cancel } from '../runs/cancel-run.ts'
import { readRunView } from '../runs/run-view.ts'

export const cancelRun: Operation<typeof ai.cancelRun, Context> = ({ database, liveEvents }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const key = { runId: params.id, workspaceId: caller.workspaceId }
    await cancel(tx, liveEvents, key)
    const run = await readRunView(tx.query, key)
    if (run === null) throw problem('not_found')
    return run
  })
