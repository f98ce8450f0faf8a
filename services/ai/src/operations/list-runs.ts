import type { ai, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { runSummaryView } from '../runs/run-view.ts'
import { listRuns as list } from '../store/runs/list-runs.ts'

/** Lists the runs that belong to no conversation, and those of the conversations of the caller. */
export const listRuns: Operation<typeof ai.listRuns, Context> = async ({ database }, caller, { query: filter }) => {
  const reader = { workspaceId: caller.workspaceId, principalId: caller.principal.id }
  const { items, nextCursor } = await database.read(caller, (_db, query) => list(query, reader, filter))
  return { items: items.map(runSummaryView), nextCursor }
}
