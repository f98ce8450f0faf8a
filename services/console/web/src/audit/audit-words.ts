import type { AuditDocFormat, AuditRecord, JobState } from '@wp/contracts'
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

type Actor = z.infer<typeof AuditRecord>['actor']

/** Returns what to call an actor: the name in the record, that of a member, or the id. */
export const nameOfActor = ({ name, id }: Actor, nameOf: (id: string) => string): string => name ?? nameOf(id)

/** The names of the formats of exports. */
export const formatNames: Readonly<Record<AuditDocFormat, string>> = { csv: 'CSV', jsonl: 'JSON lines', ocsf: 'OCSF' }

/** The purposes of the formats. */
export const formatHints: Readonly<Record<AuditDocFormat, string>> = {
  csv: 'A table for spreadsheets, with a header row.',
  jsonl: 'One record of the API a line.',
  ocsf: 'One OCSF 1.3.0 event a line, for security tools.',
}
