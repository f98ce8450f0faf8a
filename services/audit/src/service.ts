import { audit, auditDocs, auditInternal } from '@wp/contracts'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { deletionPolicy } from './deletion-policy.ts'
import { exportRetentionSchedule } from './exports/export-retention.ts'
import { failExport } from './exports/fail-export.ts'
import { runExport } from './exports/run-export.ts'
import * as operations from './operations/index.ts'
import { createRecorder } from './recorder.ts'
import type { Control } from './store/client.ts'
import { exportQueue } from './store/quotas.ts'

export function createService(context: Context): Service {
  const { bus, exports, resolveCaller, now, metrics } = context
  const database = context.database.background
  return {
    surfaces: [
      bindSurface(audit, operations, context),
      bindSurface(auditDocs, operations, context),
      bindSurface(auditInternal, operations, context),
    ],
    database,
    bus,
    workspaceDeletion: deletionPolicy,
    workers: [createRecorder({ ...context, database })],
    jobs: [
      {
        queue: exportQueue,
        concurrency: exports.concurrency,
        resolveCaller,
        handle: (job, control: Control) => runExport({ ...context, database }, job, control),
        onFailed: (tx, job) => failExport(tx, job, now()),
        leaseMs: exports.leaseMs,
      },
    ],
    schedules: [exportRetentionSchedule({ database, now, metrics })],
    async close() {
      await bus.close()
      await database.close()
    },
  }
}
