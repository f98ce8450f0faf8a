import type { data, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findSource, findSources } from '../store/sources/sources.ts'
import { sourceView } from '../views.ts'

export const getSource: Operation<typeof data.getSource, Context> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) => sourceView(await findSource(db, caller.workspaceId, params.data_source_id)))

export const listSources: Operation<typeof data.listSources, Context> = async ({ database }, caller, { query }) => {
  const { items, nextCursor } = await database.read(caller, (db) => findSources(db, caller.workspaceId, query))
  return { items: items.map(sourceView), nextCursor }
}
