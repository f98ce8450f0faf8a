import { type agents, type Operation, problem } from '@wp/contracts'
import { blueprintView, builtInView } from '../blueprints/blueprint-view.ts'
import { findBuiltIn } from '../blueprints/built-in.ts'
import type { Context } from '../context.ts'
import { findBlueprint } from '../store/blueprints/blueprints.ts'

export const getBlueprint: Operation<typeof agents.getBlueprint, Context> = async (
  { database },
  caller,
  { params: { id } },
) => {
  const builtIn = findBuiltIn(id)
  if (builtIn !== undefined) return builtInView(builtIn)
  const blueprint = await database.read(caller, (db) => findBlueprint(db, caller.workspaceId, id))
  if (blueprint === null) throw problem('not_found')
  return blueprintView(blueprint)
}
