import type { AuditRecord, JobState } from '@wp/contracts'
import type { z } from 'zod'

type Outcome = z.infer<typeof AuditRecord>['outcome']

/** The outcomes of audited actions. Repeated here because routes may not load the contracts. */
export const auditOutcomes = ['success', 'denied', 'failure'] as const satisfies readonly Outcome[]

/** The states of exports. */
export const exportStates = [
  'queued',
  'running',
  'finished',
  'failed',
  'cancelled',
] as const satisfies readonly JobState[]

/** Returns true while an export is worked on. */
export const isUnfinished = ({ status }: { status: JobState }): boolean => status === 'queued' || status === 'running'
