import { type Page, problem } from '@wp/contracts'
import { decodeCursor, paginate } from '@wp/database'
import { blueprintVersionView, blueprintView, builtInView } from '../blueprints/blueprint-view.ts'
import { type BuiltInBlueprint, builtInBlueprints, findBuiltIn } from '../blueprints/built-in.ts'
import type { Operation } from '../context.ts'
import { type BlueprintVersion, listBlueprintVersionRows } from '../store/blueprints/blueprint-versions.ts'
import { findBlueprint, findBlueprints } from '../store/blueprints/blueprints.ts'
import { beforeVersion, pairVersions, type VersionPage, type VersionPair } from '../store/version-content.ts'

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

interface Filter {
  name?: string | undefined
  /** Part of the name. */
  search?: string | undefined
  built_in?: boolean | undefined
  external_id?: string | undefined
  metadata?: Readonly<Record<string, string>> | undefined
}

/** Returns the built-in blueprints that match a filter. They have neither an external id nor metadata. */
function matchBuiltIn(filter: Filter): readonly BuiltInBlueprint[] {
  const { name, search = '', built_in, external_id, metadata = {} } = filter
  if (built_in === false || external_id !== undefined || Object.keys(metadata).length > 0) return []
  return builtInBlueprints.filter(({ versions }) => {
    const ownName = versions.at(-1)?.content.name ?? ''
    return (name === undefined || ownName === name) && ownName.toLowerCase().includes(search.toLowerCase())
  })
}

/**
 * Returns the built-in blueprint that a cursor of the list points to; undefined if it points to one of the workspace.
 */
const builtInAtCursor = (cursor: string | undefined): BuiltInBlueprint | undefined =>
  cursor === undefined ? undefined : findBuiltIn(decodeCursor(cursor).id)

/** Returns one page of the versions of a built-in blueprint, newest first. */
function listBuiltInVersions({ versions }: BuiltInBlueprint, page: VersionPage): Page<VersionPair<BlueprintVersion>> {
  const limit = beforeVersion(page).version?.lt ?? Number.POSITIVE_INFINITY
  const rows = versions
    .map(({ content, createdAt }, position) => ({ version: position + 1, content, createdAt, createdBy: null }))
    .filter(({ version }) => version < limit)
    .toReversed()
  return pairVersions(rows.slice(0, page.limit + 1), page)
}
