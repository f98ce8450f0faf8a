import { type Operation, problem, type system } from '@wp/contracts'
import type { Context } from '../context.ts'
import { addVersion } from '../store/variable-versions.ts'
import { deleteVariableRow } from '../store/variables.ts'

export const deleteVariable: Operation<typeof system.deleteVariable, Context> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const { name } = params
    const deleted = await deleteVariableRow(tx.query, caller.workspaceId, name)
    if (deleted === undefined) throw problem('not_found')
    const { secret } = deleted
    const changedBy = caller.principal.id
    await addVersion(tx.query, caller.workspaceId, { name, action: 'deleted', value: null, secret, changedBy })
    return { id: name }
  })
