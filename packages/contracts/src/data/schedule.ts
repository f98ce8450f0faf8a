import { z } from 'zod'
import { isTimeZone } from '../auth/shapes.ts'
import { text } from '../core/shape.ts'

export const timeZone = () =>
  text(64)
    .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin')
    .meta({ examples: ['Europe/Berlin'] })

const ManualSchedule = z.strictObject({ type: z.literal('manual') }).meta({ description: 'Only when it is started' })

/** When a source is synced by itself. */
export const Schedule = z
  .discriminatedUnion(
    'type',
    [
      ManualSchedule,
      z
        .strictObject({ type: z.literal('interval'), interval_seconds: z.int().min(60).max(2_592_000) })
        .meta({ description: 'So long after the one before was due' }),
      z
        .strictObject({
          type: z.literal('cron'),
          expression: text(200).meta({
            description:
              'Minute, hour, day of the month, month, day of the week; at most once a minute. Where both days are given, either is enough',
            examples: ['30 6 * * mon-fri'],
          }),
          timezone: timeZone().default('UTC').meta({
            description: 'A time that a change of clocks skips is taken when it ends; one that comes twice counts once',
          }),
        })
        .meta({ description: 'At times of the clock' }),
    ],
    { error: 'must be manual, interval or cron' },
  )
  .meta({
    id: 'Schedule',
    description:
      'When the source is synced by itself. What was missed is made up for once; while a sync runs no other begins',
  })
export type Schedule = z.infer<typeof Schedule>

/** Nothing comes of itself to a source that is sent its records. */
export const UploadSchedule = z
  .strictObject({ type: z.literal('manual', 'must be manual: an upload source has no place to read from') })
  .meta({ id: 'UploadSchedule' })
