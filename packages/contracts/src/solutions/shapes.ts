import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { jobFields, timestamp } from '../core/shape/shape.ts'
import { workplaceRunFields, workplaceSeriesFields } from './workplace/forecast-shapes.ts'

const Accuracy = z.object({
  mase: z.number().nullable().meta({
    description:
      'Mean absolute error divided by that of the seasonal naive forecast; null if that error is zero or not known',
  }),
  wape: z
    .number()
    .nullable()
    .meta({ description: 'Sum of absolute errors divided by the sum of absolute values; null if that sum is zero' }),
  coverage_80: z
    .number()
    .nullable()
    .meta({ description: 'Share of the values of the backtest inside the interval of 80 %; null without intervals' }),
  coverage_95: z
    .number()
    .nullable()
    .meta({ description: 'Share of the values of the backtest inside the interval of 95 %; null without intervals' }),
  baseline: z
    .object({
      name: z.string().meta({ description: 'Name of the baseline' }),
      mase: z.number().nullable().meta({ description: 'Its `mase`; null if it is not known' }),
      wape: z.number().nullable().meta({ description: 'Its `wape`; null if it is not known' }),
    })
    .meta({ description: 'The same scores of the seasonal naive forecast' }),
})

const ForecastSeries = z
  .object({
    key: z.record(z.string(), z.string()).meta({
      description: 'Values of the grouping columns by their names, or the space or team; empty for a single series',
    }),
    points: z
      .array(
        z
          .object({
            ts: timestamp().meta({ description: 'Start of the step' }),
            mean: z.number().meta({ description: 'Expected value of the step' }),
          })
          .catchall(z.number())
          .meta({
            description:
              '`ts` and `mean`, and a pair `lower_<level>`, `upper_<level>` for each requested level. Of the workplace also ' +
              '`remainder`: the mean less those of the series directly in it. It is negative where people visit several',
          }),
      )
      .meta({ description: 'The forecast steps, ascending' }),
    model: z
      .object({
        selected: z.string().meta({ description: 'Name of the model with the best backtest' }),
        candidates: z
          .array(
            z.object({
              name: z.string().meta({ description: 'Name of the model' }),
              mase: z.number().nullable().meta({ description: 'Its `mase` in the backtest; null if it is not known' }),
              wape: z.number().nullable().meta({ description: 'Its `wape` in the backtest; null if it is not known' }),
            }),
          )
          .meta({ description: 'The models that were compared' }),
      })
      .nullable()
      .meta({ description: 'The model of the series; null if it has no forecast' }),
    accuracy: Accuracy.nullable().meta({
      description: 'Scores of the selected model in a backtest over the end of the history; null without one',
    }),
    data_quality: z
      .object({
        length: z.number().int().meta({ description: 'Steps of the history' }),
        gaps: z.number().int().meta({ description: 'Steps without a value' }),
        duplicates: z.number().int().meta({ description: 'Values with the timestamp of an earlier one' }),
        imputed: z.number().int().meta({ description: 'Gaps that were filled in' }),
        rows_read: z.number().int().optional().meta({ description: 'Rows, or inline points, of the series' }),
        rows_empty: z.number().int().optional().meta({ description: 'Rows without a value, which are gaps' }),
        rows_used: z.number().int().optional().meta({ description: 'Rows with a usable time and value' }),
        usable_share: z.number().optional().meta({ description: 'Rows used, as a share of those that are not empty' }),
      })
      .nullable()
      .meta({ description: 'State of the history; null if it could not be read' }),
    calendar_effects: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Name of the kind of day, as in `calendar`' }),
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
    warnings: z
      .array(z.string())
      .meta({ description: 'Remarks on the history that make the forecast less reliable, in sentences' }),
    error: z
      .object({
        code: z.string().meta({ description: 'Stable, such as `series_too_short`' }),
        message: z.string().meta({ description: 'The same in words' }),
      })
      .optional()
      .meta({ description: 'Why the series has no forecast; absent if it has one' }),
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
  .object({
    ...runFields,
    series: z.array(ForecastSeries).meta({ description: 'One entry for each series; empty until the run is finished' }),
    ...workplaceRunFields,
  })
  .meta({ id: 'ForecastRunWithSeries' })

export const forecastRunPath = z.object({ id: id('fr') })

export const ForecastHistory = z
  .object({
    id: id('fr'),
    withheld: z.enum(['privacy', 'source_deleted']).nullable().meta({
      description:
        'The reason for which there are no series: only aggregates of the data source are shown, or it was deleted; else null',
    }),
    series: z
      .array(
        z.object({
          key: z.record(z.string(), z.string()).meta({
            description:
              'Values of the grouping columns by their names, or the space or team; empty for a single series',
          }),
          points: z
            .array(
              z.object({
                ts: timestamp().meta({ description: 'Start of the step' }),
                value: z.number().nullable().meta({ description: 'Value of the step' }),
                suppressed: z
                  .literal(true)
                  .optional()
                  .meta({ description: 'True if the value is withheld; absent otherwise' }),
              }),
            )
            .meta({
              description:
                'The last steps before the forecast, ascending. `value` is null where there is none; with `suppressed` because it ' +
                'would tell about too few people. None of a series without a forecast',
            }),
        }),
      )
      .meta({ description: 'The history of each series' }),
  })
  .meta({ id: 'ForecastHistory' })
