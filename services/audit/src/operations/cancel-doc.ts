import type { auditDocs, Operation } from '@wp/contracts'
import { cancelJob } from '@wp/jobs'
import type { Context } from '../context.ts'
import { setExpiry } from '../store/exports.ts'
import { exportQueue } from '../store/quotas.ts'
import { docView } from '../views.ts'

/** Cancels an export; the content written so far expires at once. */
export const cancelDoc: Operation<typeof auditDocs.cancelDoc, Context> = ({ database, now }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const key = { workspaceId: caller.workspaceId, id: params.id }
    const job = await cancelJob(tx, { ...key, queue: exportQueue })
    await setExpiry(tx.query, key, new Date(now()))
    return docView(job)
  })
