import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { resourceName } from '../core/shape/resource-name.ts'
import { metadata, metadataPatch, text, timestamp } from '../core/shape/shape.ts'
import { timeInput } from '../core/shape/time-input.ts'
import { DestinationConfig, NewDestinationConfig } from './destination-config.ts'
import { EventFilter } from './event-filter.ts'
import { eventKindList } from './shapes.ts'

export const destinationContents = ['events', 'audit'] as const
export const destinationFormats = ['json', 'ocsf'] as const
export const destinationStates = ['active', 'disabled'] as const

/**
 * Reasons of a failed write. `refused`: the other side answered with an error; `unauthorized`: it did not accept the
 * credentials; the others name the stage that failed.
 */
export const destinationErrorCodes = [
  'blocked_address',
  'connect',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'unauthorized',
  'not_found',
  'rate_limited',
  'refused',
  'unavailable',
  'gone',
  'internal',
] as const
export type DestinationErrorCode = (typeof destinationErrorCodes)[number]

const DestinationError = z
  .object({
    code: z.enum(destinationErrorCodes).describe('Stage or reason of the failure'),
    message: z.string().describe('What went wrong, in words'),
  })
  .meta({ id: 'EventDestinationError' })

const contentMeta = {
  description:
    '`events`: the events that webhooks deliver. `audit`: the records of the audit log, which also needs the scope `audit:read`',
}
const eventsMeta = {
  description: 'For `events`: the event kinds, or `*` for all, also for later ones. For `audit`: always `*`',
}
const filterMeta = {
  description: 'For `events`: conditions that the payload must meet; null: every event of the kinds',
}
const formatMeta = {
  description: '`ocsf`: one OCSF 1.3.0 event of the class API Activity (6003) a record; for `audit` only',
}

const DestinationHealth = z
  .object({
    state: z
      .enum(['healthy', 'failing', 'disabled'])
      .describe('`failing` from a failed write until the next successful one; records wait and none is lost'),
    last_success_at: timestamp().nullable().describe('Time of the last successful write; null before it'),
    last_failure_at: timestamp().nullable().describe('Time of the last failed write; null before it'),
    last_error: DestinationError.nullable().describe('The last error; null after a success'),
    consecutive_failures: z.number().int().describe('Failed writes since the last success'),
    lag: z.number().int().describe('Records that wait, also those that the filter will leave out'),
    next_attempt_at: timestamp().nullable().describe('When a failed write is repeated; null without one'),
    written: z.number().int().describe('Records written so far, repetitions included'),
    skipped: z
      .number()
      .int()
      .describe(
        'Records left out because they are too large for the other side, or were deleted before they were written',
      ),
  })
  .meta({ id: 'EventDestinationHealth' })

export const EventDestination = z
  .object({
    destination_id: id('dest'),
    name: z.string().describe('Name for people'),
    content: z.enum(destinationContents).meta(contentMeta),
    events: z.array(z.string()).meta(eventsMeta),
    filter: EventFilter.nullable().meta(filterMeta),
    format: z.enum(destinationFormats).meta(formatMeta),
    config: DestinationConfig,
    status: z.enum(destinationStates).describe('While it is `disabled`, its records wait'),
    disabled_reason: z
      .string()
      .nullable()
      .describe('`requested`, `gone` (the other side responded 410), or `failing` for days'),
    disabled_at: timestamp().nullable().describe('When it was disabled; null while it is active'),
    position: z.number().int().describe('The `seq` up to which every record was written'),
    health: DestinationHealth.describe('How writing goes'),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
    created_by: z.string().describe('The principal that created it'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'EventDestination' })

export const NewEventDestination = z
  .strictObject({
    name: resourceName(200).describe('Name for people'),
    content: z.enum(destinationContents).meta(contentMeta),
    events: eventKindList.default(['*']).meta(eventsMeta),
    filter: EventFilter.nullable().default(null).meta(filterMeta),
    format: z.enum(destinationFormats).default('json').meta(formatMeta),
    config: NewDestinationConfig,
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null),
  })
  .meta({ id: 'NewEventDestination' })

export const EventDestinationPatch = z.strictObject({
  name: resourceName(200).optional().describe('Another name for people'),
  events: eventKindList.optional().meta(eventsMeta),
  filter: EventFilter.nullable().optional().meta(filterMeta),
  format: z.enum(destinationFormats).optional().meta(formatMeta),
  config: NewDestinationConfig.optional().describe(
    'Replaces all of it. Its `type` cannot change. Secrets that are left out stay, unless the address changes in more than its query: then all are required',
  ),
  status: z.enum(destinationStates).optional().describe('`disabled` stops writing; `active` goes on at the position'),
  metadata: metadataPatch(),
  external_id: text(200).nullable().optional(),
})

export const DestinationReplay = z
  .strictObject({
    since: timeInput().optional().describe('Write again what occurred at this time or later'),
    from_seq: z
      .number()
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Write again from this `seq` on; not after the next record'),
    dry_run: z
      .boolean()
      .default(false)
      .describe('True: only count the records; the position and the audit log do not change'),
  })
  .refine(({ since, from_seq }) => (since === undefined) !== (from_seq === undefined), {
    message: 'must have either `since` or `from_seq`',
  })
  .meta({ id: 'NewEventDestinationReplay' })

export const StartedDestinationReplay = z
  .object({
    destination_id: id('dest'),
    from_seq: z.number().int().describe('The `seq` of the first record that is written again'),
    records: z.number().int().describe('Records from there to the newest one'),
    is_shortened: z
      .boolean()
      .describe('True if older records were asked for than are kept; it begins at the oldest kept one'),
  })
  .meta({ id: 'EventDestinationReplay' })

export const DestinationTest = z
  .object({
    ok: z.boolean().describe('True if the other side accepted the record'),
    error: DestinationError.nullable().describe('The reason of a failed test'),
    response: z.string().nullable().describe('What the other side responded, in a line; null without one'),
    duration_ms: z.number().int().describe('Duration of the test, in milliseconds'),
  })
  .meta({ id: 'EventDestinationTest' })

export const destinationPath = z.object({ destination_id: id('dest') })
