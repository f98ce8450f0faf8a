import { z } from 'zod'
import { boundedRecord } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { isTimeZoneOrOffset } from '../core/shape/locale.ts'
import { jobFields, metadata, text, timestamp } from '../core/shape/shape.ts'

const fieldName = text(200)
/** Fields that name a series. */
const maxKeyFields = 5
const levels = [0.5, 0.8, 0.9, 0.95, 0.99] as const

const timezone = z.string().max(64).refine(isTimeZoneOrOffset, 'must be an IANA time zone, for example Europe/Berlin')

const maxSeries = 500
/** A group key: the values of up to five fields. */
const groupKey = text(2_600, 0)
/** Dates of one list. */
const maxDates = 500
const maxClosures = 100
const maxDayKinds = 20
const Dates = z.array(z.iso.date()).min(1).max(maxDates)
const Capacity = z.number().positive()

const Point = z.strictObject({ ts: z.string().max(40), value: z.number().nullable() })
const Series = z.strictObject({
  key: boundedRecord(fieldName, z.string().max(500), maxKeyFields).default({}),
  points: z.array(Point).min(1).max(200_000),
})

const sourceMessage = (series: unknown): string =>
  series === undefined ? 'is required, or `series`' : 'must not be given beside `series`'

export const NewForecastRun = z
  .strictObject({
    data_source_id: id('src').optional(),
    timestamp_field: fieldName.optional(),
    value_field: fieldName.optional(),
    group_by: z
      .array(fieldName)
      .max(maxKeyFields)
      .optional()
      .meta({ description: 'The columns that divide the rows into series; default: all rows are one series' }),
    timestamp_format: text(50)
      .optional()
      .meta({
        description:
          'The format of the times, such as `DD.MM.YYYY HH:mm`; default ISO 8601. Tokens: `YYYY` `YY` year, `MM` `M` `MMM` ' +
          'month (`MMM`: `Jan` to `Dec`), `DD` `D` day, `HH` `H` hour, `hh` `h` hour of 12 with `A` for AM or PM, `mm` minute, ' +
          '`ss` second, `SSS` fraction, `Z` offset, `X` or `x` alone for seconds or milliseconds since 1970. `[text]` and ' +
          'punctuation stand for themselves',
        examples: ['DD.MM.YYYY HH:mm'],
      }),
    series: z.array(Series).min(1).max(maxSeries).optional(),
    frequency: z.enum(['hour', 'day', 'week']),
    aggregation: z
      .enum(['sum', 'mean', 'max', 'last'])
      .default('sum')
      .meta({
        description:
          'Combines all values of one step, however many there are. `last` is the latest; of several with the same time, the ' +
          'last in the input',
      }),
    timezone,
    horizon: z.number().int().min(1).max(2000),
    levels: z
      .array(z.union(levels.map((level) => z.literal(level))))
      .min(1)
      .max(5)
      .default([0.8, 0.95]),
    capacity: z
      .union([Capacity, boundedRecord(groupKey, Capacity, maxSeries)])
      .optional()
      .meta({
        description:
          'The upper bound of every value: one number for each series, or numbers by group key: `{"north": 120}`. The key ' +
          'of several fields is their values joined by `/`, in the order of `group_by` or, for inline series, in the ' +
          'alphabetical order of the fields; in them `~` is written `~0` and `/` is written `~1`. A group without a number ' +
          'has no bound, and is compared with its usual peak',
      }),
    holidays: z.array(z.iso.date()).max(maxDates).optional(),
    closures: z
      .array(z.strictObject({ dates: Dates, groups: z.array(groupKey).min(1).max(maxSeries).optional() }))
      .max(maxClosures)
      .optional()
      .meta({
        description:
          'Local dates on which groups are closed: their values there are not used, and the forecast is 0. `groups` are group ' +
          'keys as in `capacity`; default: all',
      }),
    calendar: z
      .array(z.strictObject({ name: text(100), dates: Dates }))
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
    if ((input.series === undefined) === (input.data_source_id === undefined))
      context.addIssue({ code: 'custom', path: ['data_source_id'], message: sourceMessage(input.series) })
    for (const field of ['timestamp_field', 'value_field'] as const)
      if (input.data_source_id !== undefined && input[field] === undefined)
        context.addIssue({ code: 'custom', path: [field], message: 'is required with data_source_id' })
    for (const field of ['timestamp_field', 'value_field', 'group_by'] as const)
      if (input.series !== undefined && input[field] !== undefined)
        context.addIssue({ code: 'custom', path: [field], message: 'is allowed with data_source_id only' })
    const isOneSeries = input.data_source_id !== undefined && (input.group_by ?? []).length === 0
    if (isOneSeries && typeof input.capacity === 'object')
      context.addIssue({ code: 'custom', path: ['capacity'], message: 'must be a number without group_by' })
  })
  .meta({ id: 'NewForecastRun' })

const Accuracy = z.object({
  mase: z.number().nullable(),
  wape: z.number().nullable(),
  coverage_80: z.number().nullable(),
  coverage_95: z.number().nullable(),
  baseline: z.object({ name: z.string(), mase: z.number().nullable(), wape: z.number().nullable() }),
})

const ForecastSeries = z
  .object({
    key: z.record(z.string(), z.string()),
    points: z.array(
      z
        .object({ ts: timestamp(), mean: z.number() })
        .catchall(z.number())
        .meta({ description: '`ts` and `mean`, and a pair `lower_<level>`, `upper_<level>` for each requested level' }),
    ),
    model: z
      .object({
        selected: z.string(),
        candidates: z.array(z.object({ name: z.string(), mase: z.number().nullable(), wape: z.number().nullable() })),
      })
      .nullable(),
    accuracy: Accuracy.nullable(),
    data_quality: z
      .object({
        length: z.number().int(),
        gaps: z.number().int(),
        duplicates: z.number().int().meta({ description: 'Values with the timestamp of an earlier one' }),
        imputed: z.number().int(),
      })
      .nullable(),
    calendar_effects: z
      .array(
        z.object({
          name: z.string(),
          days: z.number().int().meta({ description: 'Days of the kind in the history that could be compared' }),
          effect: z
            .number()
            .nullable()
            .meta({ description: 'Their mean difference from usual days, as a share: -0.3 is 30 % less' }),
          applied: z
            .boolean()
            .meta({ description: 'True if the effect is significant; only then the forecast has it' }),
        }),
      )
      .optional()
      .meta({ description: 'One for each kind of day in `calendar`' }),
    warnings: z.array(z.string()),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'ForecastSeries' })

const runFields = {
  id: id('fr'),
  ...jobFields,
  input: z
    .record(z.string(), z.unknown())
    .meta({ description: 'The input of the run; inline points are replaced by their count' }),
  metadata: z.record(z.string(), z.string()),
  external_id: z.string().nullable(),
}
export const ForecastRun = z.object(runFields).meta({ id: 'ForecastRun' })
export const ForecastRunDetail = z
  .object({ ...runFields, series: z.array(ForecastSeries) })
  .meta({ id: 'ForecastRunWithSeries' })

export const forecastRunPath = z.object({ id: id('fr') })
