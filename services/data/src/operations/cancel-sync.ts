import type { data, Operation } from '@wp/contracts'
import { cancelJob } from '@wp/jobs'
import type { Context } from '../context.ts'
import { queue } from '../sync/sync-job.ts'
import { syncView } from '../views.ts'

export const cancelSync: Operation<typeof data.cancelSync, Context> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) =>
    syncView(await cancelJob(tx, { workspaceId: caller.workspaceId, queue, id: params.id })),
  )
