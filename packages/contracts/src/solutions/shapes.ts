import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { jobFields, timestamp } from '../core/shape/shape.ts'
import { workplaceRunFields, workplaceSeriesFields } from './workplace/forecast-shapes.ts'

const Accuracy = z.object({
  mase: z
    .number()
    .nullable()
    .describe(
      'Mean absolute error divided by that of the seasonal naive forecast; null if that error is zero or not known',
    ),
  wape: z
    .number()
    .nullable()
    .describe('Sum of absolute errors divided by the sum of absolute values; null if that sum is zero'),
  coverage_80: z
    .number()
    .nullable()
    .describe('Share of the values of the backtest inside the interval of 80 %; null without intervals'),
  coverage_95: z
    .number()
    .nullable()
    .describe('Share of the values of the backtest inside the interval of 95 %; null without intervals'),
  baseline: z
    .object({
      name: z.string().describe('Name of the baseline'),
      mase: z.number().nullable().describe('Its `mase`; null if it is not known'),
      wape: z.number().nullable().describe('Its `wape`; null if it is not known'),
    })
    .describe('The same scores of the seasonal naive forecast'),
})

const SeriesKey = z
  .record(z.string(), z.string())
  .describe('Values of the grouping columns by their names, or the space or team; empty for a single series')

const ForecastSeries = z
  .object({
    key: SeriesKey,
    points: z
      .array(
        z
          .object({
            ts: timestamp().describe('Start of the step'),
            mean: z.number().describe('Expected value of the step'),
          })
          .catchall(z.number())
          .describe(
            '`ts` and `mean`, and a pair `lower_<level>`, `upper_<level>` for each requested level. Of the workplace also ' +
              '`remainder`: the mean less those of the series directly in it. It is negative where people visit several',
          ),
      )
      .describe('The forecast steps, ascending'),
    model: z
      .object({
        selected: z.string().describe('Name of the model with the best backtest'),
        candidates: z
          .array(
            z.object({
              name: z.string().describe('Name of the model'),
              mase: z.number().nullable().describe('Its `mase` in the backtest; null if it is not known'),
              wape: z.number().nullable().describe('Its `wape` in the backtest; null if it is not known'),
            }),
          )
          .describe('The models that were compared'),
      })
      .nullable()
      .describe('The model of the series; null if it has no forecast'),
    accuracy: Accuracy.nullable().describe(
      'Scores of the selected model in a backtest over the end of the history; null without one',
    ),
    data_quality: z
      .object({
        length: z.int().describe('Steps of the history'),
        gaps: z.int().describe('Steps without a value'),
        duplicates: z.int().describe('Values with the timestamp of an earlier one'),
        imputed: z.int().describe('Gaps that were filled in'),
        rows_read: z.int().optional().describe('Rows, or inline points, of the series'),
        rows_empty: z.int().optional().describe('Rows without a value, which are gaps'),
        rows_used: z.int().optional().describe('Rows with a usable time and value'),
        usable_share: z.number().optional().describe('Rows used, as a share of those that are not empty'),
      })
      .nullable()
      .describe('State of the history; null if it could not be read'),
    calendar_effects: z
      .array(
        z.object({
          name: z.string().describe('Name of the kind of day, as in `calendar`'),
          days: z.int().describe('Days of the kind in the history that could be compared'),
          effect: z
            .number()
            .nullable()
            .describe('Their mean difference from usual days, as a share: -0.3 is 30 % less'),
          applied: z.boolean().describe('True if the effect is significant; only then the forecast has it'),
        }),
      )
      .optional()
      .describe('One for each kind of day in `calendar`'),
    ...workplaceSeriesFields,
    warnings: z.array(z.string()).describe('Remarks on the history that make the forecast less reliable, in sentences'),
    error: z
      .object({
        code: z.string().describe('Stable, such as `series_too_short`'),
        message: z.string().describe('The same in words'),
      })
      .optional()
      .describe('Why the series has no forecast; absent if it has one'),
  })
  .meta({ id: 'ForecastSeries' })

const runFields = {
  id: id('fr'),
  ...jobFields,
  input: z.record(z.string(), z.unknown()).describe('The input of the run; inline points are replaced by their count'),
  metadata: z.record(z.string(), z.string()),
  external_id: z.string().nullable(),
}
export const ForecastRun = z.object(runFields).meta({ id: 'ForecastRun' })
export const ForecastRunDetail = z
  .object({
    ...runFields,
    series: z.array(ForecastSeries).describe('One entry for each series; empty until the run is finished'),
    ...workplaceRunFields,
  })
  .meta({ id: 'ForecastRunWithSeries' })

export const forecastRunPath = z.object({ id: id('fr') })

export const ForecastHistory = z
  .object({
    id: id('fr'),
    withheld: z
      .enum(['privacy', 'source_deleted'])
      .nullable()
      .describe(
        'The reason for which there are no series: only aggregates of the data source are shown, or it was deleted; else null',
      ),
    series: z
      .array(
        z.object({
          key: SeriesKey,
          points: z
            .array(
              z.object({
                ts: timestamp().describe('Start of the step'),
                value: z.number().nullable().describe('Value of the step'),
                suppressed: z.literal(true).optional().describe('True if the value is withheld; absent otherwise'),
              }),
            )
            .describe(
              'The last steps before the forecast, ascending. `value` is null where there is none; with `suppressed` because it ' +
                'would tell about too few people. None of a series without a forecast',
            ),
        }),
      )
      .describe('The history of each series'),
  })
  .meta({ id: 'ForecastHistory' })
