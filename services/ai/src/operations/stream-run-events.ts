import { invalidField, problem } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { streamRun } from '../runs/stream-run.ts'
import { findReadableRun } from '../store/runs/runs.ts'

/** Begins after the event that the client has received last. */
export const streamRunEvents: Operation<'streamRunEvents'> = async (
  context,
  caller,
  { params, query, lastEventId, signal },
) => {
  const key = { runId: params.id, workspaceId: caller.workspaceId }
  const after = readPosition(lastEventId ?? query.after, lastEventId === undefined ? '?after' : 'Last-Event-ID')
  const run = await context.database.read(caller, (_db, sql) => findReadableRun(sql, key, caller.principal.id))
  if (run === null) throw problem('not_found')
  return streamRun(context, caller, key, { after, signal })
}

function readPosition(text: string | undefined, pointer: string): number {
  if (text === undefined) return 0
  if (!/^\d{1,9}$/.test(text)) throw invalidField(pointer, 'is not the id of an event of this run')
  return Number(text)
}
