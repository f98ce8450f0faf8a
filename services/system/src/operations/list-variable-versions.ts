import { type Operation, Problem, type system } from '@wp/contracts'
import type { Context } from '../context.ts'
import { hasVersions, listVersions } from '../store/variable-versions.ts'
import { variableVersionView } from '../views.ts'

/** Lists the changes of a variable, also of a deleted one. */
export const listVariableVersions: Operation<typeof system.listVariableVersions, Context> = (
  { database },
  caller,
  { params: { name }, query: page },
) =>
  database.read(caller, async (_db, query) => {
    if (!(await hasVersions(query, caller.workspaceId, name))) throw new Problem('not_found')
    const { items, nextCursor } = await listVersions(query, caller.workspaceId, name, page)
    return { items: items.map(variableVersionView), nextCursor }
  })
