import { problem } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { findRecord, findRecords } from '../store/records.ts'
import { recordView } from '../views.ts'

export const listLogs: Operation<'listLogs'> = async ({ database }, caller, { query: parameters }) => {
  const { limit, cursor, from, to, since = from, until = to, ...fields } = parameters
  const filter = { ...fields, since, until }
  const { items, nextCursor } = await database.read(caller, (_db, query) =>
    findRecords(query, caller.workspaceId, filter, { limit, cursor }),
  )
  return { items: items.map(recordView), nextCursor }
}

export const getLog: Operation<'getLog'> = async ({ database }, caller, { params }) => {
  const record = await database.read(caller, (_db, query) => findRecord(query, caller.workspaceId, params.id))
  if (record === undefined) throw problem('not_found')
  return recordView(record)
}
