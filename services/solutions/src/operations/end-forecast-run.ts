import { cancelJob, deleteJob } from '@wp/jobs'
import type { Operation } from '../context.ts'
import { forecastQueue } from '../runs/queue.ts'
import { deleteForecastPaths } from '../store/forecast-paths.ts'
import { deleteOpenOfRun, lockRecommendations } from '../store/recommendations.ts'
import { runView } from '../views.ts'

export const cancelForecastRun: Operation<'cancelForecastRun'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) =>
    runView(await cancelJob(tx, { workspaceId: caller.workspaceId, queue: forecastQueue, id: params.id })),
  )

export const deleteForecastRun: Operation<'deleteForecastRun'> = ({ database }, caller, { params: { id } }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    // A run that ends now has written its recommendations before, or writes none. It locks its job first, too.
    await deleteJob(tx, { workspaceId, queue: forecastQueue, id })
    await lockRecommendations(tx, workspaceId)
    await deleteForecastPaths(tx.query, workspaceId, id)
    await deleteOpenOfRun(tx.db, workspaceId, id)
    return { id }
  })
