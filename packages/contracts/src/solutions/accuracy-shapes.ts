import { z } from 'zod'
import { id } from '../core/shape/id.ts'

const scores = {
  steps: z.int().describe('The number of steps that were compared'),
  mase: z
    .number()
    .nullable()
    .describe(
      'The mean absolute error divided by that of the seasonal naive forecast in the history before the forecast; null ' +
        'without steps, or if that error is zero',
    ),
  wape: z.number().nullable().describe('The sum of absolute errors divided by the sum of absolute values'),
  coverage: z
    .record(z.string(), z.number())
    .describe('By level, such as `80`: the share of the values inside the interval'),
}

export const ForecastAccuracy = z
  .object({
    id: id('fr'),
    ...scores,
    series: z
      .array(
        z.object({
          key: z
            .record(z.string(), z.string())
            .describe('Values of the grouping columns by their names; empty for a single series'),
          ...scores,
          warnings: z.array(z.string()).describe('Rows of the source that could not be compared'),
        }),
      )
      .describe('The scores of each series'),
  })
  .meta({ id: 'ForecastAccuracy' })
