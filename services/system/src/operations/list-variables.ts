import type { Operation, system } from '@wp/contracts'
import type { Context } from '../context.ts'
import { listVariables as list } from '../store/variables.ts'
import { variableView } from '../views.ts'

export const listVariables: Operation<typeof system.listVariables, Context> = async (
  { database },
  caller,
  { query },
) => {
  const { items, nextCursor } = await database.read(caller, (db) => list(db, caller.workspaceId, query))
  return { items: items.map(variableView), nextCursor }
}
