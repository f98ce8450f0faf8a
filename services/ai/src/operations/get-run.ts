import { type ai, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { redactRun } from '../runs/redact-run.ts'
import { readRunView } from '../runs/run-view.ts'

export const getRun: Operation<typeof ai.getRun, Context> = async ({ database }, caller, { params }) => {
  const key = { runId: params.id, workspaceId: caller.workspaceId }
  const run = await database.read(caller, (_db, query) => readRunView(query, key, caller))
  if (run === null) throw problem('not_found')
  return redactRun(run, caller)
}
