import type { Operation, webhooks } from '@wp/contracts'
import { cancelJob } from '@wp/jobs'
import type { Context } from '../context.ts'
import { replayQueue, replayView } from '../replays/replay.ts'

export const cancelReplay: Operation<typeof webhooks.cancelReplay, Context> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) =>
    replayView(await cancelJob(tx, { workspaceId: caller.workspaceId, queue: replayQueue, id: params.id })),
  )
