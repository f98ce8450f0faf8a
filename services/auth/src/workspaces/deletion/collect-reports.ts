import { workspaceDataDeleted } from '@wp/contracts'
import { type Bus, createConsumer, type EventConsumer, parseSubject } from '@wp/events'
import type { Context } from '../../context.ts'
import { insertReport } from '../../store/workspaces/workspace-deletions.ts'
import { coordinatorQueue } from './deletion-coordinator.ts'

/** Creates the consumer of the services' reports about deleted workspaces. @param bus the broker of one cell */
export function createReportCollector(
  { database, log, metrics }: Pick<Context, 'database' | 'log' | 'metrics'>,
  bus: Bus,
): EventConsumer {
  return createConsumer({
    database: database.background,
    bus,
    service: 'auth',
    purpose: 'deletion-reports',
    kinds: [workspaceDataDeleted.kind],
    authorize({ data }, { subject }) {
      const { producer } = parseSubject(subject ?? '') ?? {}
      return producer === data.service ? undefined : 'the report is about another service than its producer'
    },
    async handle({ workspace_id: workspaceId, data }, tx) {
      const { deletion_id: deletionId, service, deleted, retained } = workspaceDataDeleted.data.parse(data)
      await insertReport(tx.query, service, { deletionId, workspaceId, deleted, retained })
      tx.wake(coordinatorQueue)
    },
    log,
    metrics,
  })
}
