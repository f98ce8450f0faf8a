import { type Operation, problem, type system } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findVariable } from '../store/variables.ts'
import { variableView } from '../views.ts'

export const getVariable: Operation<typeof system.getVariable, Context> = async ({ database }, caller, { params }) => {
  const row = await database.read(caller, (db) => findVariable(db, caller.workspaceId, params.name))
  if (row === null) throw problem('not_found')
  return variableView(row)
}
