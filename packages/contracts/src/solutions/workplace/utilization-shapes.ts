import { z } from 'zod'
import { id } from '../../core/shape/id.ts'
import { readerLocale } from '../../core/shape/locale.ts'
import { listFilter } from '../../core/shape/shape.ts'
import { weekdays } from './space-shapes.ts'

/** The measures that figures come from, the most direct first. */
export const utilizationSources = ['counts', 'badge_events', 'attendance_days', 'bookings'] as const

export const utilizationIntervals = ['hour', 'day', 'week', 'weekday', 'weekday_hour', 'range'] as const

/** Rows of one answer. */
export const maxUtilizationRows = 10_000

const figure = z.number().nullable()

export const UtilizationRow = z
  .object({
    space_id: id('spc').optional(),
    team_id: id('team').optional(),
    start: z
      .string()
      .optional()
      .describe('Local date of the day or of the Monday of the week, or local time of the hour: `2026-03-05T14:00`'),
    weekday: z.enum(weekdays).optional().describe('With `weekday` and `weekday_hour`: the weekday'),
    hour: z.int().min(0).max(23).optional().describe('Of `weekday_hour`: the local hour'),
    open: z.boolean().optional().describe('By hour: true if the opening hours of the space have a part of it'),
    attendance: figure.describe(
      'Different people; of several days or hours, their mean, but with `week` those of the week. People at two spaces ' +
        'count once in the space above',
    ),
    average: figure.describe('Mean number of people there at a moment of the opening hours'),
    peak: figure.describe(
      'Largest number of people there at a moment of the hours that are shown; null if these are empty and others withheld',
    ),
    p90: figure.describe('The hourly or daily peak that nine in ten do not exceed'),
    capacity: figure.describe('Of the space today, or the sum of what is in it; past days have it too'),
    share: figure.describe('Of a space: `average` over `capacity`. Of a team: `attendance` over `headcount`'),
    headcount: figure.describe('Members of the team, or of the teams at home in the space, on average'),
    sharing_ratio: figure.describe('Members for each desk needed at the busiest nine in ten days'),
    co_attendance: figure.describe(
      'Of the other members of the team, the share that a member meets on a day of attendance, on average',
    ),
    source: z
      .enum(utilizationSources)
      .nullable()
      .describe('The measure of `average`, `peak` and `p90`; a warning tells if counters in the space raise these'),
    attendance_source: z
      .enum(utilizationSources)
      .nullable()
      .describe('The kind of data that `attendance` is made of; null without it'),
    days: z.int().optional().describe('Days of the row; absent with `hour`'),
    days_shown: z
      .int()
      .optional()
      .describe(
        'Those that are not withheld. Figures are made of them, and null if they are less than half of the days',
      ),
    coverage: figure.describe(
      'The share of the readers and counters of these figures that had data, mean of the days: below 1, figures may be too low',
    ),
    suppressed: z
      .boolean()
      .describe('True if figures are withheld because they could tell about fewer people than the threshold'),
  })
  .meta({ id: 'UtilizationRow' })

export const UtilizationMeta = z.object({
  timezone: z.string().nullable().describe('Of the spaces; null of teams, or if they have several'),
  since: z.string().describe('The first local day of the figures'),
  until: z.string().describe('The local day after the last one'),
  privacy_threshold: z.int().describe('Figures that could tell about fewer people are withheld'),
  pending_weeks: z.int().describe('Weeks whose figures are being counted again'),
  warnings: z.array(z.string()).describe('What makes figures too low, wrong or incomplete, in sentences'),
})

const range = {
  since: z.iso.date().optional().describe('First local day. Default: 28 days before `until`'),
  until: z.iso
    .date()
    .optional()
    .describe('The local day after the last one. Default: the day after the last one with data'),
}

const utilizationQuery = {
  space_id: id('spc').optional(),
  team_id: id('team').optional(),
  space_ids: listFilter(id('spc')).describe('Up to 100 spaces, separated by commas, in place of `space_id`'),
  team_ids: listFilter(id('team')).describe('Up to 100 teams, separated by commas, in place of `team_id`'),
  interval: z
    .enum(utilizationIntervals)
    .default('day')
    .describe(
      'The time of a row. `weekday` combines the days of each weekday, `weekday_hour` the same hours of them, `range` all ' +
        'days; `hour` and `weekday_hour` are for spaces only',
    ),
  ...range,
  days: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(1_100)
    .optional()
    .describe('Local days before `until`, in place of `since`. Default: 28'),
  weekdays: listFilter(z.enum(weekdays)).describe(
    'Only the days of these weekdays, separated by commas: `mon,tue,wed,thu,fri`. Not with `week`',
  ),
  children: z.stringbool().default(false).describe('Adds the spaces or teams one level below'),
}
export const UtilizationQuery = z.strictObject(utilizationQuery)
export const UtilizationFileQuery = z.strictObject({
  ...utilizationQuery,
  format: z.enum(['csv', 'xlsx']).default('csv').describe('Format of the file'),
  locale: readerLocale(),
})

export const NoShowRow = z
  .object({
    space_id: id('spc'),
    weekday: z.enum(weekdays).describe('The weekday of the local days that the bookings cover'),
    booked: figure.describe(
      'Bookings that were not cancelled. One over midnight counts on each local day that it covers',
    ),
    used: figure.describe('Bookings whose space was used; null if that is known of none'),
    released: figure.describe('Bookings that were cancelled'),
    no_shows: figure.describe('Bookings that were neither used nor cancelled; null if that is known of none'),
    share: figure.describe('`no_shows` over the bookings of which it is known if they were used'),
    hours_lost: figure.describe('Hours of the no-shows; null if `no_shows` is'),
    months: z.int().describe('Months with bookings'),
    months_shown: z.int().describe('Those that are not withheld: figures are of these'),
    suppressed: z
      .boolean()
      .describe(
        'True if a month is withheld because its bookings are fewer than the threshold, or would tell of others',
      ),
  })
  .meta({ id: 'NoShowRow' })

/** Whole months, as these alone are told of. */
export const NoShowMeta = z.object({
  since: z.string().describe('The first day of the first month'),
  until: z.string().describe('The day after the last month'),
  warnings: z.array(z.string()).describe('What makes figures too low or unknown, in sentences'),
})

export const NoShowQuery = z.strictObject({ space_id: id('spc').optional(), ...range })

const privacyThreshold = z.int().min(5).max(100).describe('Figures that could tell about fewer people are withheld')

export const WorkplaceSettings = z
  .object({ workspace_id: id('ws'), privacy_threshold: privacyThreshold })
  .meta({ id: 'WorkplaceSettings' })

export const WorkplaceSettingsPatch = z.strictObject({ privacy_threshold: privacyThreshold.optional() })
