import type { data, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { insertSource } from '../store/sources.ts'
import { sourceView } from '../views.ts'

export const createSource: Operation<typeof data.createSource, Context> = ({ database }, caller, { body }) =>
  database.transact(caller, async (tx) => {
    const { sync_mode: syncMode, external_id: externalId, ...rest } = body
    return sourceView(await insertSource(tx.db, caller.workspaceId, { ...rest, syncMode, externalId }))
  })
