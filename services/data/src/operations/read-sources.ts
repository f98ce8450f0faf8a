import type { Operation } from '../context.ts'
import { findSource, findSources } from '../store/sources/sources.ts'
import { sourceView } from '../views.ts'

export const getSource: Operation<'getSource'> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) => sourceView(await findSource(db, caller.workspaceId, params.data_source_id)))

export const listSources: Operation<'listSources'> = async ({ database }, caller, { query }) => {
  const { items, nextCursor } = await database.read(caller, (db) => findSources(db, caller.workspaceId, query))
  return { items: items.map(sourceView), nextCursor }
}
