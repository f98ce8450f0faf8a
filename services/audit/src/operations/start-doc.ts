import type { auditDocs, Operation } from '@wp/contracts'
import { enforceQuota, newId } from '@wp/database'
import { enqueue } from '@wp/jobs'
import type { Context } from '../context.ts'
import { exportQueue, queuedExportQuota } from '../store/quotas.ts'
import { docView } from '../views.ts'

export const startDoc: Operation<typeof auditDocs.startDoc, Context> = async ({ database }, caller, { body }) => {
  const { request: _request, ...stored } = caller
  return database.transact(caller, async (tx) => {
    const job = await enqueue(tx, { id: newId('doc'), queue: exportQueue, input: body, caller: stored })
    await enforceQuota(tx.query, caller.workspaceId, queuedExportQuota)
    return docView(job)
  })
}
