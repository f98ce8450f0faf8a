import type { ai, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { runSummaryView } from '../runs/run-view.ts'
import { listRuns as list } from '../store/runs/list-runs.ts'

export const listRuns: Operation<typeof ai.listRuns, Context> = async ({ database }, caller, { query: filter }) => {
  const { items, nextCursor } = await database.read(caller, (_db, query) => list(query, caller.workspaceId, filter))
  return { items: items.map(runSummaryView), nextCursor }
}
