import { problem } from '@wp/contracts'
import { blueprintVersionView } from '../blueprints/blueprint-view.ts'
import { findBuiltIn } from '../blueprints/built-in.ts'
import { listBuiltInVersions } from '../blueprints/list-built-in.ts'
import type { Operation } from '../context.ts'
import { listBlueprintVersionRows } from '../store/blueprints/blueprint-versions.ts'
import { findBlueprint } from '../store/blueprints/blueprints.ts'

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
