import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { jobFields, text, timestamp } from '../core/shape/shape.ts'
import { checkTimeRange, timeInput } from '../core/shape/time-input.ts'
import { auditOutcomes } from './shapes.ts'

/** The formats of compliance exports. */
export const auditDocFormats = ['csv', 'jsonl', 'ocsf'] as const
export type AuditDocFormat = (typeof auditDocFormats)[number]

/** Restricts an export to records that match every given field. */
export const AuditDocFilters = z
  .strictObject({
    actor: text(200).optional().describe('Identifier of the actor'),
    action: text(100).optional().describe('Only records of this action, for example `data_source.created`'),
    target: text(200).optional().describe('Identifier of a target'),
    outcome: z.enum(auditOutcomes).optional().describe('Only records with this outcome'),
  })
  .meta({ id: 'AuditDocFilters' })

const format = () =>
  z
    .enum(auditDocFormats)
    .describe(
      '`csv`: RFC 4180 with a header row; a cell that a spreadsheet would take for a formula begins with an apostrophe. `jsonl`: one `AuditRecord` a line. `ocsf`: one OCSF 1.3.0 event of the class API Activity (6003) a line.',
    )

export const NewAuditDoc = z
  .strictObject({
    format: format(),
    from: timeInput().describe('Occurred at this time or later'),
    to: timeInput().describe('Occurred before this time'),
    filters: AuditDocFilters.default({}),
  })
  .superRefine(checkTimeRange)
  .meta({ id: 'NewAuditDoc' })

const position = () => z.number().int().nullable()
const digest = () => z.string().nullable()

export const AuditDoc = z
  .object({
    id: id('doc'),
    format: format(),
    from: timestamp().describe('Start of the exported time'),
    to: timestamp().describe('End of the exported time, not included'),
    filters: AuditDocFilters,
    record_count: z.number().int().nullable().describe('Null, as the fields below, until it is finished'),
    bytes: z.number().int().nullable().describe('Length of the content'),
    sha256: digest().describe('SHA-256 of the content, hexadecimal'),
    first_seq: position().describe('Position of the first record; null if there is none'),
    last_seq: position().describe('Position of the last record; null if there is none'),
    first_hash: digest().describe('Hash of the first record in its chain; null if there is none'),
    last_hash: digest().describe('Hash of the last record in its chain; null if there is none'),
    expires_at: timestamp().nullable().describe('Time from which the content can no longer be read'),
    ...jobFields,
  })
  .meta({ id: 'AuditDoc' })
