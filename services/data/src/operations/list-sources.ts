import type { data, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { listSources as readPage } from '../store/sources/sources.ts'
import { sourceView } from '../views.ts'

export const listSources: Operation<typeof data.listSources, Context> = async ({ database }, caller, { query }) => {
  const { items, nextCursor } = await database.read(caller, (db) => readPage(db, caller.workspaceId, query))
  return { items: items.map(sourceView), nextCursor }
}
