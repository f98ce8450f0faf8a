import type { AuditDocFormat, AuditRecord, JobState } from '@wp/contracts'
import type { z } from 'zod'

type AuditedRecord = z.infer<typeof AuditRecord>

/** The outcomes of audited actions. Repeated here because routes may not load the contracts. */
export const auditOutcomes = ['success', 'denied', 'failure'] as const satisfies readonly AuditedRecord['outcome'][]

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

type Actor = AuditedRecord['actor']

/** Returns the name of a resource by its id, if it is known. */
export type NameOf = (id: string) => string | undefined

/** Returns what to call an actor: the name in the record, that of the principal, or the kind with the end of the id. */
export const nameOfActor = ({ name, id, type }: Actor, nameOf: NameOf): string =>
  name ?? nameOf(id) ?? shortId(type, id)

/** Returns what to call a target: its kind and its name, or its kind and the end of the id. */
export function nameOfTarget({ type, id }: AuditedRecord['targets'][number], nameOf: NameOf): string {
  const name = nameOf(id)
  return name === undefined ? shortId(type, id) : `${type.replaceAll('_', ' ')} ${name}`
}

const shownIdLength = 6

/** Ids begin with a time, so that only the end tells those of a day apart. */
const shortId = (type: string, id: string): string =>
  `${type.replaceAll('_', ' ')} ${/_[0-9a-z]{26}$/.test(id) ? `…${id.slice(-shownIdLength)}` : id}`

/** Returns an action in words: `data_source.created` becomes `Data source created`. */
export function actionWords(action: string): string {
  const words = action.replaceAll(/[._]/g, ' ').replaceAll(/\bapi\b/g, 'API')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the action that a text names, by its words or by itself; a text that names none is returned as it is. */
export function actionOf(text: string, actions: readonly string[]): string {
  const words = text.trim().toLowerCase()
  return actions.find((action) => actionWords(action).toLowerCase() === words) ?? text
}

/** The names of the formats of exports. */
export const formatNames: Readonly<Record<AuditDocFormat, string>> = { csv: 'CSV', jsonl: 'JSON lines', ocsf: 'OCSF' }

/** The purposes of the formats. */
export const formatHints: Readonly<Record<AuditDocFormat, string>> = {
  csv: 'A table for spreadsheets, with a header row.',
  jsonl: 'One record of the API a line.',
  ocsf: 'One OCSF 1.3.0 event a line, for security tools.',
}
