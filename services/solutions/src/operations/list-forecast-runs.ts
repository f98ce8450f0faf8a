import type { Operation, solutions } from '@wp/contracts'
import { listJobs } from '@wp/jobs'
import type { Context } from '../context.ts'
import { queue } from '../runs/queue.ts'
import { bulk } from '../runs/run-input.ts'
import { runView } from '../views.ts'

export const listForecastRuns: Operation<typeof solutions.listForecastRuns, Context> = async (
  { database },
  caller,
  { query },
) => {
  const { limit, cursor, status, external_id: externalId, metadata } = query
  const { items, nextCursor } = await database.read(caller, (_db, sql) =>
    listJobs(sql, {
      workspaceId: caller.workspaceId,
      queue,
      limit,
      cursor,
      state: status,
      externalId,
      metadata,
      omit: { result: true, input: [bulk] },
    }),
  )
  return { items: items.map(runView), nextCursor }
}
