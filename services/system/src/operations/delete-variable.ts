import { type Operation, problem, type system } from '@wp/contracts'
import type { Context } from '../context.ts'
import { deleteVariableRow } from '../store/variables.ts'

export const deleteVariable: Operation<typeof system.deleteVariable, Context> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    if (!(await deleteVariableRow(tx.db, caller.workspaceId, params.name))) throw problem('not_found')
    return { id: params.name }
  })
