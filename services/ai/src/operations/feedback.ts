import { ai, problem } from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { Operation } from '../context.ts'
import { type FeedbackRow, findFeedback, writeFeedback } from '../store/runs/feedback.ts'
import { findReadableRun } from '../store/runs/runs.ts'

export const giveFeedback: Operation<'giveFeedback'> = ({ database }, caller, { params, body: { rating, comment } }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId, principal } = caller
    const run = await findReadableRun(tx.query, { runId: params.id, workspaceId }, principal.id)
    if (run === null) throw problem('not_found')
    const given = { runId: params.id, workspaceId, principalId: principal.id, agentId: run.agentId, rating, comment }
    return feedbackView(await writeFeedback(tx.query, given))
  })

export const listFeedback: Operation<'listFeedback'> = async ({ database }, caller, { query: filter }) => {
  const { workspaceId, principal } = caller
  const page = await database.read(caller, (_db, query) =>
    findFeedback(query, { workspaceId, principalId: principal.id }, filter),
  )
  return { items: page.items.map(feedbackView), nextCursor: page.nextCursor }
}

const feedbackView = (row: FeedbackRow) => viewOf(ai.listFeedback.list, row, { created_by: row.principalId })
