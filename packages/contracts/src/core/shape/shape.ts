import { z } from 'zod'
import { jobErrorCodes } from '../error/job-error.ts'
import { boundedRecord } from './bounded.ts'

const Timestamp = z.iso
  .datetime({ precision: 3 })
  .refine((text) => !text.startsWith('0000'), 'must not be in the year 0')
  .meta({ examples: ['2026-01-05T09:30:00.000Z'] })

/** A time: RFC 3339 in UTC with milliseconds. From the year 1, because PostgreSQL has no year 0. */
export const timestamp = () => Timestamp

/** Text of a user: of limited length, without NUL, which PostgreSQL cannot store. */
export const text = (max: number, min = 1) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((value) => !value.includes('\0'), 'must not contain NUL')

const maxMetadataPairs = 20

/** Up to 20 string pairs that a user attaches to a resource. */
export const metadata = () =>
  boundedRecord(text(40), text(500, 0), maxMetadataPairs).describe(
    `Up to ${maxMetadataPairs} string pairs for your own use`,
  )

/** A change of `metadata`, merged (RFC 7396): null removes a pair, and null in place of the object removes all. */
export const metadataPatch = () =>
  boundedRecord(text(40), text(500, 0).nullable(), 2 * maxMetadataPairs)
    .nullable()
    .optional()

/** A filter of a list by pairs of `metadata`, all of which must match: `?metadata[team]=north`. */
export const metadataFilter = () =>
  boundedRecord(text(40), text(500, 0), maxMetadataPairs, 'must be pairs such as metadata[team]=north')
    .optional()
    .describe('Pairs that must match: `metadata[team]=north`')

/** A filter of a list by a part of a text, in any case. @param fields the fields that are searched */
export const searchFilter = (fields: string) =>
  text(200).optional().describe(`Part of ${fields}, in upper or lower case`)

/** The states of a job. */
export const jobStates = ['queued', 'running', 'finished', 'failed', 'cancelled'] as const
export type JobState = (typeof jobStates)[number]

/** The error of a failed job. */
export const JobError = z
  .object({
    code: z
      .string()
      .describe(`Stable; a code of \`Problem\`, or one of ${jobErrorCodes.map((code) => `\`${code}\``).join(', ')}`),
    message: z.string().describe('What went wrong, in a sentence for people'),
    retryable: z.boolean().describe('True if the same job may succeed when it is started again'),
  })
  .meta({ id: 'JobError' })
export type JobError = z.infer<typeof JobError>

/** The common fields of job resources. */
export const jobFields = {
  status: z
    .enum(jobStates)
    .describe('`queued`, then `running`; it ends as `finished`, `failed` (see `error`) or `cancelled`'),
  progress: z.number().min(0).max(1).describe('Share of the work that is done, from 0 to 1'),
  error: JobError.nullable().describe('Why the job failed; null unless its status is `failed`'),
  created_at: timestamp(),
  started_at: timestamp().nullable().describe('When a worker took the job up; null while it is queued'),
  finished_at: timestamp().nullable().describe('When the job ended, in whatever state; null until then'),
}

/** Creates the query of a list from its filters. */
export const listQuery = <S extends z.ZodRawShape>(filters: S) =>
  z.strictObject({
    limit: z.coerce.number<number>().int().min(1).max(100).default(25),
    cursor: z.string().max(512).optional(),
    ...filters,
  })

const maxListedValues = 100

/** A filter by several values, separated by commas: `?kind=site,building`. The output is the list, without repeats. */
export const listFilter = <Value extends string>(element: z.ZodType<Value, Value>) =>
  text(4_000)
    .transform((value) => [...new Set(value.split(',').map((part) => part.trim()))] as Value[]) // checked by the next schema
    .pipe(z.array(element).max(maxListedValues, `must be at most ${maxListedValues} values`))
    .optional()

/** A page of a list, as an operation returns it. */
export interface Page<T> {
  items: T[]
  /** Opaque cursor; null on the last page. */
  nextCursor: string | null
}
