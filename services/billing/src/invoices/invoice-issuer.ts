import { workerQuery } from '@wp/database'
import type { Schedule } from '@wp/jobs/background'
import type { Context } from '../context.ts'
import { addMissingSchedules, listDueSchedules, postponeSchedule } from '../store/invoice-schedules.ts'
import { issueNextInvoice } from './issue-invoice.ts'

const pollMs = 60_000
const batchSize = 50
/** An invoice that could not be issued is tried again after that, so that it delays no other workspace. */
const retryMs = 3_600_000

/** Returns the schedule that issues invoices after the grace window of their period. */
export function invoiceSchedule(context: Pick<Context, 'config' | 'database' | 'log' | 'metrics' | 'now'>): Schedule {
  const { database, log, metrics, now } = context
  const query = workerQuery(database.worker)

  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    const added = await addMissingSchedules(query, new Date(now()), batchSize)
    const due = await listDueSchedules(query, new Date(now()), batchSize)
    let finished = 0
    for (const workspace of due) {
      if (signal.aborted) return 'idle'
      try {
        if (await issueNextInvoice(context, workspace)) finished += 1
      } catch (error) {
        await postponeSchedule(query, workspace.workspaceId, new Date(now() + retryMs))
        metrics.count('invoices_failed_total')
        const { workspaceId } = workspace
        log.error(
          { event: 'invoice.issue_failed', err: error, workspace_id: workspaceId },
          'failed to issue an invoice',
        )
      }
    }
    return finished > 0 || added === batchSize ? 'more' : 'idle'
  }
  return { name: 'invoice issuer', everyMs: pollMs, pass }
}
