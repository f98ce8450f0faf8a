import { type audit, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findRecord } from '../store/records.ts'
import { recordView } from '../views.ts'

export const getLog: Operation<typeof audit.getLog, Context> = async ({ database }, caller, { params }) => {
  const record = await database.read(caller, (_db, query) => findRecord(query, caller.workspaceId, params.id))
  if (record === undefined) throw problem('not_found')
  return recordView(record)
}
