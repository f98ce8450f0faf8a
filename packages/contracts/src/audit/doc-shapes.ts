import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { jobFields, text, timestamp } from '../core/shape/shape.ts'
import { timeInput } from '../core/shape/time-input.ts'
import { auditOutcomes } from './shapes.ts'

/** The formats of compliance exports. */
export const auditDocFormats = ['csv', 'jsonl', 'ocsf'] as const
export type AuditDocFormat = (typeof auditDocFormats)[number]

/** Restricts an export to records that match every given field. */
export const AuditDocFilters = z
  .strictObject({
    actor: text(200).optional().meta({ description: 'Identifier of the actor' }),
    action: text(100)
      .optional()
      .meta({ description: 'Only records of this action, for example `data_source.created`' }),
    target: text(200).optional().meta({ description: 'Identifier of a target' }),
    outcome: z.enum(auditOutcomes).optional().meta({ description: 'Only records with this outcome' }),
  })
  .meta({ id: 'AuditDocFilters' })

const format = () =>
  z.enum(auditDocFormats).meta({
    description:
      '`csv`: RFC 4180 with a header row; a cell that a spreadsheet would take for a formula begins with an apostrophe. `jsonl`: one `AuditRecord` a line. `ocsf`: one OCSF 1.3.0 event of the class API Activity (6003) a line.',
  })

export const NewAuditDoc = z
  .strictObject({
    format: format(),
    from: timeInput().meta({ description: 'Occurred at this time or later' }),
    to: timeInput().meta({ description: 'Occurred before this time' }),
    filters: AuditDocFilters.default({}),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'must be after from' })
  .meta({ id: 'NewAuditDoc' })

const position = () => z.number().int().nullable()
const digest = () => z.string().nullable()

export const AuditDoc = z
  .object({
    id: id('doc'),
    format: format(),
    from: timestamp().meta({ description: 'Start of the exported time' }),
    to: timestamp().meta({ description: 'End of the exported time, not included' }),
    filters: AuditDocFilters,
    record_count: z.number().int().nullable().meta({ description: 'Null, as the fields below, until it is finished' }),
    bytes: z.number().int().nullable().meta({ description: 'Length of the content' }),
    sha256: digest().meta({ description: 'SHA-256 of the content, hexadecimal' }),
    first_seq: position().meta({ description: 'Position of the first record; null if there is none' }),
    last_seq: position().meta({ description: 'Position of the last record; null if there is none' }),
    first_hash: digest().meta({ description: 'Hash of the first record in its chain; null if there is none' }),
    last_hash: digest().meta({ description: 'Hash of the last record in its chain; null if there is none' }),
    expires_at: timestamp().nullable().meta({ description: 'Time from which the content can no longer be read' }),
    ...jobFields,
  })
  .meta({ id: 'AuditDoc' })
