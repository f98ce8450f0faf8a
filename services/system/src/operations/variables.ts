import { Problem, problem, type ResultOf, system } from '@wp/contracts'
import { enforceQuota, viewOf } from '@wp/database'
import type { Operation } from '../context.ts'
import { variableAssociatedData } from '../store/sealed-variables.ts'
import { addVersion, hasVersions, listVersions } from '../store/variable-versions.ts'
import {
  deleteVariableRow,
  findVariable,
  listVariableRows,
  upsertVariable,
  type VariableRow,
  variableQuota,
} from '../store/variables.ts'

export const listVariables: Operation<'listVariables'> = async ({ database }, caller, { query }) => {
  const { items, nextCursor } = await database.read(caller, (db) => listVariableRows(db, caller.workspaceId, query))
  return { items: items.map(variableView), nextCursor }
}

/** Returns the view of a variable. The value of a secret variable is null. */
const variableView = (row: VariableRow): ResultOf<typeof system.getVariable> =>
  viewOf(system.getVariable.ok, row, { value: row.secret ? null : row.value })

export const getVariable: Operation<'getVariable'> = async ({ database }, caller, { params }) => {
  const row = await database.read(caller, (db) => findVariable(db, caller.workspaceId, params.name))
  if (row === null) throw problem('not_found')
  return variableView(row)
}

/** Creates or replaces a variable. The value of a secret one is stored sealed, and in no other form. */
export const putVariable: Operation<'putVariable'> = async ({ database, sealer }, caller, { body }) => {
  const sealed = sealer.seal(body.value, variableAssociatedData(caller.workspaceId, body.name))
  return database.transact(caller, async (tx) => {
    const { row, created } = await upsertVariable(tx.query, caller.workspaceId, { ...body, sealed })
    const { name, value, secret } = row
    const changedBy = caller.principal.id
    await addVersion(tx.query, caller.workspaceId, { name, action: 'set', value, secret, changedBy })
    if (created) await enforceQuota(tx.query, caller.workspaceId, variableQuota)
    return { status: created ? ('created' as const) : ('ok' as const), data: variableView(row) }
  })
}

export const deleteVariable: Operation<'deleteVariable'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const { name } = params
    const deleted = await deleteVariableRow(tx.query, caller.workspaceId, name)
    if (deleted === undefined) throw problem('not_found')
    const { secret } = deleted
    const changedBy = caller.principal.id
    await addVersion(tx.query, caller.workspaceId, { name, action: 'deleted', value: null, secret, changedBy })
    return { id: name }
  })

/** Lists the changes of a variable, also of a deleted one. */
export const listVariableVersions: Operation<'listVariableVersions'> = (
  { database },
  caller,
  { params: { name }, query: page },
) =>
  database.read(caller, async (_db, query) => {
    if (!(await hasVersions(query, caller.workspaceId, name))) throw new Problem('not_found')
    const { items, nextCursor } = await listVersions(query, caller.workspaceId, name, page)
    return { items: items.map((row) => viewOf(system.listVariableVersions.list, row)), nextCursor }
  })
