import type { Operation, system } from '@wp/contracts'
import { enforceQuota } from '@wp/database'
import type { Context } from '../context.ts'
import { variableQuota } from '../store/quotas.ts'
import { variableAssociatedData } from '../store/sealed-variables.ts'
import { addVersion } from '../store/variable-versions.ts'
import { upsertVariable } from '../store/variables.ts'
import { variableView } from '../views.ts'

/** Creates or replaces a variable. A secret value is sealed before it is stored. */
export const putVariable: Operation<typeof system.putVariable, Context> = async (
  { database, sealer },
  caller,
  { body },
) => {
  const { name, value, secret } = body
  const stored = secret
    ? { name, secret, value: null, sealed: sealer.seal(value, variableAssociatedData(caller.workspaceId, name)) }
    : { name, secret, value, sealed: null }
  return database.transact(caller, async (tx) => {
    const { row, created } = await upsertVariable(tx.query, caller.workspaceId, stored)
    const changedBy = caller.principal.id
    const { value: shown } = stored
    await addVersion(tx.query, caller.workspaceId, { name, action: 'set', value: shown, secret, changedBy })
    if (created) await enforceQuota(tx.query, caller.workspaceId, variableQuota)
    return { status: created ? ('created' as const) : ('ok' as const), data: variableView(row) }
  })
}
