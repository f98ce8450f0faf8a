import { z } from 'zod'
import { boundedRecord } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { isTimeZoneOrOffset } from '../core/shape/locale.ts'
import { metadata, text } from '../core/shape/shape.ts'
import { maxWorkplaceHorizon, WorkplaceForecast } from './workplace/forecast-shapes.ts'

const fieldName = text(200)
/** Fields that name a series. */
const maxKeyFields = 5
/** Columns that one run forecasts, each as a series. */
const maxValueFields = 50
const isDistinct = (names: readonly string[]): boolean => new Set(names).size === names.length
const distinctMessage = 'must not name a column twice'
/** The member of a series key that names the column, if `value_field` lists columns. */
export const valueFieldKey = 'field'
const levels = [0.5, 0.8, 0.9, 0.95, 0.99] as const

const timezone = z.string().max(64).refine(isTimeZoneOrOffset, 'must be an IANA time zone, for example Europe/Berlin')

const maxSeries = 500
/** A group key: the values of up to five fields, and the name of a column. */
const groupKey = text(2_900, 0)
/** Dates of one list. */
const maxDates = 500
const maxClosures = 100
const maxDayKinds = 20
const Dates = z.array(z.iso.date()).min(1).max(maxDates)
const Capacity = z.number().positive()

const Point = z.strictObject({
  ts: z.string().max(40).describe('Time of the value, with an offset, or local in `timezone`'),
  value: z.number().nullable().describe('The value; null for a gap'),
})
const Series = z.strictObject({
  key: boundedRecord(fieldName, z.string().max(500), maxKeyFields)
    .default({})
    .describe('What tells the series from the others, such as `{"floor": "3"}`; empty for a single one'),
  points: z.array(Point).min(1).max(200_000).describe('The values of the history in any order'),
})

const valueMessage = 'is required with data_source_id, unless aggregation is count'
const fieldKeyMessage =
  'must not be a column named "field": a list in value_field puts the column under this name into the key of each series'
const sourceMessage = (series: unknown): string =>
  series === undefined ? 'is required, or `series` or `workplace`' : 'must not be given beside `series`'

const aggregations = ['sum', 'mean', 'max', 'last', 'count'] as const
/** The share of usable rows below which a run fails, unless it states another one. */
export const defaultMinUsableShare = 0.95

/** Fields that a run over the workplace does not have. */
const notOfWorkplace = [
  ...(['series', 'data_source_id', 'timestamp_field', 'value_field', 'group_by', 'timestamp_format'] as const),
  ...(['aggregation', 'measure', 'capacity', 'holidays', 'closures', 'calendar'] as const),
] as const

export const NewForecastRun = z
  .strictObject({
    data_source_id: id('src').optional(),
    timestamp_field: z
      .union([fieldName, z.array(fieldName).min(1).max(2).refine(isDistinct, distinctMessage)])
      .optional()
      .meta({
        description:
          'The column of the times; or two columns in any order: one of dates, and one of hours (`8`), times of day (`08:30`, ' +
          '`8:30 AM`) or ranges (`0:00-0:59`, of which the start counts). The hour 24 is midnight of the next day',
        examples: ['time', ['date', 'hour']],
      }),
    value_field: z
      .union([fieldName, z.array(fieldName).min(1).max(maxValueFields).refine(isDistinct, distinctMessage)])
      .optional()
      .meta({
        description:
          'The column of the values; or a list of columns, each of them a series of its own, whose key has the column as ' +
          '`field`. Not required if `aggregation` is `count`, which then counts rows',
        examples: ['people', ['North', 'South']],
      }),
    group_by: z
      .array(fieldName)
      .max(maxKeyFields)
      .optional()
      .describe('The columns that divide the rows into series; default: all rows are one series'),
    timestamp_format: text(50)
      .optional()
      .meta({
        description:
          'The format of the times, such as `DD.MM.YYYY HH:mm`; default ISO 8601, which is read beside any format. Of two ' +
          'columns, the format of the dates, or with hours that of both joined by a space. Tokens: `YYYY` `YY` year, `MM` `M` `MMM` ' +
          'month (`MMM`: `Jan` to `Dec`), `DD` `D` day, `HH` `H` hour, `hh` `h` hour of 12 with `A` for AM or PM, `mm` minute, ' +
          '`ss` second, `SSS` fraction, `Z` offset, `X` or `x` alone for seconds or milliseconds since 1970. `[text]` and ' +
          'punctuation stand for themselves',
        examples: ['DD.MM.YYYY HH:mm'],
      }),
    series: z.array(Series).min(1).max(maxSeries).optional().describe('The history itself, in place of a data source'),
    workplace: WorkplaceForecast.optional().describe(
      'Forecasts the attendance of spaces or teams by day, from the datasets of the workspace, so that levels add up. Only ' +
        '`horizon`, `levels` and `timezone`, whose midnights the points have, are allowed beside it',
    ),
    frequency: z.enum(['hour', 'day', 'week']).describe('Width of a step of the forecast'),
    aggregation: z
      .enum(aggregations)
      .optional()
      .describe(
        'Combines all values of one step, however many there are. `last` is the latest; of several with the same time, the ' +
          'last in the input. `count` is the number of rows, or of those with a value in `value_field`, such as badge events. ' +
          'Default: `max` with `measure` `level`, else `sum`; the input of the run states it',
      ),
    measure: z
      .enum(['level', 'flow'])
      .optional()
      .describe(
        'The kind of the values. `level`: a state at a moment, such as people present, which must not be added over time. ' +
          '`flow`: what happened in an interval, such as arrivals, which can be',
      ),
    min_usable_share: z
      .number()
      .min(0)
      .max(1)
      .default(defaultMinUsableShare)
      .describe(
        'The run fails with `too_few_usable_rows` if a smaller share of its rows has a usable time and value, and so does ' +
          'each series of its own. Rows with an empty value are gaps and do not count',
      ),
    timezone: timezone.describe('IANA time zone or offset: of times without an offset, and of the days and weeks'),
    horizon: z.int().min(1).max(2000).describe('Number of steps to forecast'),
    levels: z
      .array(z.union(levels.map((level) => z.literal(level))))
      .min(1)
      .max(5)
      .default([0.8, 0.95])
      .describe('Probabilities of the intervals to return: 0.8 for the interval that holds 80 % of the values'),
    capacity: z
      .union([Capacity, boundedRecord(groupKey, Capacity, maxSeries)])
      .optional()
      .describe(
        'The upper bound of every value: one number for each series, or numbers by group key: `{"north": 120}`. The key ' +
          'of several fields is their values joined by `/`, in the order of `group_by` or, for inline series, in the ' +
          'alphabetical order of the fields; in them `~` is written `~0` and `/` is written `~1`. A group without a number ' +
          'has no bound, and is compared with its usual peak',
      ),
    holidays: z
      .array(z.iso.date())
      .max(maxDates)
      .optional()
      .describe('Local dates in the past and future that are unlike other days of their weekday'),
    closures: z
      .array(
        z.strictObject({
          dates: Dates.describe('Local dates'),
          groups: z
            .array(groupKey)
            .min(1)
            .max(maxSeries)
            .optional()
            .describe('Group keys as in `capacity`; default: all'),
        }),
      )
      .max(maxClosures)
      .optional()
      .describe(
        'Local dates on which groups are closed: their values there are not used, and the forecast is 0. `groups` are group ' +
          'keys as in `capacity`; default: all',
      ),
    calendar: z
      .array(
        z.strictObject({
          name: text(100).describe('Name of the kind, for `calendar_effects`'),
          dates: Dates.describe('Local dates in the past and future'),
        }),
      )
      .max(maxDayKinds)
      .optional()
      .meta({
        description:
          'Named kinds of days, such as school holidays or bridge days, in the past and future. The effect of a kind is learned ' +
          'from its past dates, and applied to the future ones if it is significant. A date is of the first kind that has it',
        examples: [[{ name: 'bridge days', dates: ['2026-05-15', '2026-06-05'] }]],
      }),
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null),
  })
  .superRefine((input, context) => {
    if (input.workplace !== undefined) {
      const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
      for (const field of notOfWorkplace)
        if (input[field] !== undefined) refuse(field, 'must not be given beside `workplace`')
      if (input.frequency !== 'day') refuse('frequency', 'must be day with workplace')
      if (input.horizon > maxWorkplaceHorizon)
        refuse('horizon', `must be at most ${maxWorkplaceHorizon} with workplace`)
      return
    }
    if ((input.series === undefined) === (input.data_source_id === undefined))
      context.addIssue({ code: 'custom', path: ['data_source_id'], message: sourceMessage(input.series) })
    if (input.data_source_id !== undefined && input.timestamp_field === undefined)
      context.addIssue({ code: 'custom', path: ['timestamp_field'], message: 'is required with data_source_id' })
    if (input.data_source_id !== undefined && input.value_field === undefined && input.aggregation !== 'count')
      context.addIssue({ code: 'custom', path: ['value_field'], message: valueMessage })
    for (const field of ['timestamp_field', 'value_field', 'group_by'] as const)
      if (input.series !== undefined && input[field] !== undefined)
        context.addIssue({ code: 'custom', path: [field], message: 'is allowed with data_source_id only' })
    const isOneSeries = (input.group_by ?? []).length === 0 && !Array.isArray(input.value_field)
    if (input.data_source_id !== undefined && isOneSeries && typeof input.capacity === 'object')
      context.addIssue({ code: 'custom', path: ['capacity'], message: 'must be a number without group_by' })
    const named = Array.isArray(input.value_field) ? (input.group_by ?? []).indexOf(valueFieldKey) : -1
    if (named >= 0) context.addIssue({ code: 'custom', path: ['group_by', named], message: fieldKeyMessage })
  })
  .meta({ id: 'NewForecastRun' })
