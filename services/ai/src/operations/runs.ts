import { problem } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { cancelRun as cancel, changeRun } from '../runs/change-run.ts'
import { redactRun } from '../runs/redact-run.ts'
import { readRunView, runSummaryView } from '../runs/run-view.ts'
import { findRuns } from '../store/runs/list-runs.ts'

export const getRun: Operation<'getRun'> = async ({ database }, caller, { params }) => {
  const key = { runId: params.id, workspaceId: caller.workspaceId }
  const run = await database.read(caller, (_db, query) => readRunView(query, key, caller))
  if (run === null) throw problem('not_found')
  return redactRun(run, caller)
}

/** Lists the runs that belong to no conversation, and those of the conversations of the caller. */
export const listRuns: Operation<'listRuns'> = async ({ database }, caller, { query: filter }) => {
  const reader = { workspaceId: caller.workspaceId, principalId: caller.principal.id }
  const { items, nextCursor } = await database.read(caller, (_db, query) => findRuns(query, reader, filter))
  return { items: items.map(runSummaryView), nextCursor }
}

export const cancelRun: Operation<'cancelRun'> = (context, caller, { params }) =>
  changeRun(context, caller, params.id, async (tx, key) => {
    await cancel(tx, context.liveEvents, key)
  })
