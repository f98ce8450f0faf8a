import type { Operation, solutions } from '@wp/contracts'
import { cancelJob } from '@wp/jobs'
import type { Context } from '../context.ts'
import { forecastQueue } from '../runs/queue.ts'
import { runView } from '../views.ts'

export const cancelForecastRun: Operation<typeof solutions.cancelForecastRun, Context> = (
  { database },
  caller,
  { params },
) =>
  database.transact(caller, async (tx) =>
    runView(await cancelJob(tx, { workspaceId: caller.workspaceId, queue: forecastQueue, id: params.id })),
  )
