import { problem } from '@wp/contracts'
import { paginate } from '@wp/database'
import { blueprintVersionView, blueprintView, builtInView } from '../blueprints/blueprint-view.ts'
import { findBuiltIn } from '../blueprints/built-in.ts'
import { builtInAtCursor, listBuiltInVersions, matchBuiltIn } from '../blueprints/list-built-in.ts'
import type { Operation } from '../context.ts'
import { listBlueprintVersionRows } from '../store/blueprints/blueprint-versions.ts'
import { findBlueprint, findBlueprints } from '../store/blueprints/blueprints.ts'

export const getBlueprint: Operation<'getBlueprint'> = async ({ database }, caller, { params: { id } }) => {
  const builtIn = findBuiltIn(id)
  if (builtIn !== undefined) return builtInView(builtIn)
  const blueprint = await database.read(caller, (db) => findBlueprint(db, caller.workspaceId, id))
  if (blueprint === null) throw problem('not_found')
  return blueprintView(blueprint)
}

/** Lists the blueprints of the workspace, newest first, and then the built-in ones. */
export const listBlueprints: Operation<'listBlueprints'> = async (
  { database },
  caller,
  { query: { built_in: isBuiltIn, ...filter } },
) => {
  const { limit, cursor } = filter
  const builtIn = matchBuiltIn({ ...filter, built_in: isBuiltIn })
  const last = builtInAtCursor(cursor)
  if (last === undefined && isBuiltIn !== true) {
    const own = await database.read(caller, (db) => findBlueprints(db, caller.workspaceId, filter))
    const room = limit - own.items.length
    const items = own.items.map(blueprintView)
    // The cursor after the last of the workspace leads to the built-in ones.
    if (own.nextCursor !== null || builtIn.length === 0) return { items, nextCursor: own.nextCursor }
    return toPage([...items, ...builtIn.slice(0, room + 1).map(builtInView)], limit)
  }
  const position = last === undefined ? -1 : builtIn.indexOf(last)
  return toPage(builtIn.slice(position + 1).map(builtInView), limit)
}

const toPage = (views: ReturnType<typeof builtInView>[], limit: number) =>
  paginate(views, limit, ({ created_at: createdAt, id }) => ({ createdAt: new Date(createdAt), id }))

export const listBlueprintVersions: Operation<'listBlueprintVersions'> = async (
  { database },
  caller,
  { params: { id }, query },
) => {
  const builtIn = findBuiltIn(id)
  const { items, nextCursor } =
    builtIn === undefined
      ? await database.read(caller, async (db) => {
          if ((await findBlueprint(db, caller.workspaceId, id)) === null) throw problem('not_found')
          return listBlueprintVersionRows(db, caller.workspaceId, id, query)
        })
      : listBuiltInVersions(builtIn, query)
  return { items: items.map((pair) => blueprintVersionView(id, pair)), nextCursor }
}
