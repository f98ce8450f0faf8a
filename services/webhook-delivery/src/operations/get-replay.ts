import { type Operation, problem, type webhooks } from '@wp/contracts'
import { getJob } from '@wp/jobs'
import type { Context } from '../context.ts'
import { replayQueue, replayView } from '../replays/replay.ts'

export const getReplay: Operation<typeof webhooks.getReplay, Context> = async (
  { database },
  { workspaceId },
  { params },
) => {
  const job = await database.read({ workspaceId }, (_db, sql) =>
    getJob(sql, { workspaceId, queue: replayQueue, id: params.id }),
  )
  if (job === null) throw problem('not_found')
  return replayView(job)
}
