import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { jobFields, timestamp } from '../core/shape/shape.ts'
import { workplaceRunFields, workplaceSeriesFields } from './workplace/forecast-shapes.ts'

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
        .meta({
          description:
            '`ts` and `mean`, and a pair `lower_<level>`, `upper_<level>` for each requested level. Of the workplace also ' +
            '`remainder`: the mean less those of the series directly in it. It is negative where people visit several',
        }),
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
        rows_read: z.number().int().optional().meta({ description: 'Rows, or inline points, of the series' }),
        rows_empty: z.number().int().optional().meta({ description: 'Rows without a value, which are gaps' }),
        rows_used: z.number().int().optional().meta({ description: 'Rows with a usable time and value' }),
        usable_share: z.number().optional().meta({ description: 'Rows used, as a share of those that are not empty' }),
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
    ...workplaceSeriesFields,
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
  .object({ ...runFields, series: z.array(ForecastSeries), ...workplaceRunFields })
  .meta({ id: 'ForecastRunWithSeries' })

export const forecastRunPath = z.object({ id: id('fr') })

export const ForecastHistory = z
  .object({
    id: id('fr'),
    withheld: z.enum(['privacy', 'source_deleted']).nullable().meta({
      description:
        'The reason for which there are no series: only aggregates of the data source are shown, or it was deleted; else null',
    }),
    series: z.array(
      z.object({
        key: z.record(z.string(), z.string()),
        points: z
          .array(z.object({ ts: timestamp(), value: z.number().nullable(), suppressed: z.literal(true).optional() }))
          .meta({
            description:
              'The last steps before the forecast, ascending. `value` is null where there is none; with `suppressed` because it ' +
              'would tell about too few people. None of a series without a forecast',
          }),
      }),
    ),
  })
  .meta({ id: 'ForecastHistory' })
