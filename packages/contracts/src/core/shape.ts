import { z } from 'zod'

/** RFC 3339 in UTC with milliseconds; from the year 1 on, because PostgreSQL knows no year 0. */
export const timestamp = () =>
  z.iso
    .datetime({ precision: 3 })
    .refine((text) => !text.startsWith('0000'), 'must not be of the year 0')
    .meta({ examples: ['2026-01-05T09:30:00.000Z'] })

/** Text a user wrote: bounded, without NUL (which PostgreSQL cannot store). */
export const text = (max: number, min = 1) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((value) => !value.includes('\0'), 'must not contain NUL')

/** Up to 20 string pairs a user attaches to a resource. */
export const metadata = () =>
  z
    .record(text(40), text(500, 0))
    .refine((pairs) => Object.keys(pairs).length <= 20, 'must have at most 20 pairs')
    .meta({ description: 'Up to 20 string pairs of your own' })

/** A change of `metadata`: pairs are merged (RFC 7396), a null takes a pair away, null for the whole takes all away. */
export const metadataPatch = () => z.record(text(40), text(500, 0).nullable()).nullable().optional()

/** Filters a list by pairs of `metadata`, each of which must be there: `?metadata[team]=north`. */
export const metadataFilter = () =>
  metadata().optional().meta({ description: 'Pairs that must be there: `metadata[team]=north`' })

/** The life of everything that takes long. */
export const jobStates = ['queued', 'running', 'finished', 'failed', 'cancelled'] as const
export type JobState = (typeof jobStates)[number]

/** Why a job failed. */
export const JobError = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() })
export type JobError = z.infer<typeof JobError>

/** What every job shows of its life. */
export const jobFields = {
  status: z.enum(jobStates),
  progress: z.number().min(0).max(1),
  error: JobError.nullable(),
  created_at: timestamp(),
  started_at: timestamp().nullable(),
  finished_at: timestamp().nullable(),
}

/** The query of every list; filters are added to it. */
export const listQuery = <S extends z.ZodRawShape>(filters: S) =>
  z.strictObject({
    limit: z.coerce.number().int().min(1).max(100).default(25),
    cursor: z.string().max(512).optional(),
    ...filters,
  })

/** One page as an operation returns it. */
export interface Page<T> {
  items: T[]
  /** Opaque; null on the last page. */
  nextCursor: string | null
}
