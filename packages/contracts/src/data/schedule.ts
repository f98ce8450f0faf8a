import { z } from 'zod'
import { timeZone } from '../core/shape/locale.ts'
import { text } from '../core/shape/shape.ts'

const ManualSchedule = z
  .strictObject({ type: z.literal('manual').describe('Without a schedule') })
  .describe('Synced only when started')

/** The schedule of the syncs of a source. */
export const Schedule = z
  .discriminatedUnion('type', [
    ManualSchedule,
    z
      .strictObject({
        type: z.literal('interval').describe('At a fixed interval'),
        interval_seconds: z
          .int()
          .min(60)
          .max(2_592_000)
          .describe('Seconds from one due time to the next, from a minute to 30 days'),
      })
      .describe('Synced at this interval after the previous due time'),
    z
      .strictObject({
        type: z.literal('cron').describe('By a cron expression'),
        expression: text(200).meta({
          description:
            'Minute, hour, day of the month, month, day of the week; at most once a minute. If both days are given, either matches',
          examples: ['30 6 * * mon-fri'],
        }),
        timezone: timeZone()
          .default('UTC')
          .describe('A time skipped by daylight saving time is due at the end of the gap; a repeated time is due once'),
      })
      .describe('Synced at times of a cron expression'),
  ])
  .meta({
    id: 'Schedule',
    description: 'Schedule of the syncs. Missed syncs are made up for by one; no sync starts while another is running',
  })
export type Schedule = z.infer<typeof Schedule>

/** The schedule of an upload source, which cannot be read. */
export const UploadSchedule = z
  .strictObject({
    type: z.literal('manual', 'must be manual: an upload source is not read').describe('Uploads have no schedule'),
  })
  .meta({ id: 'UploadSchedule' })
