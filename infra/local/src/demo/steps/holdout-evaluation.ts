import { type DemoContext, formatSeriesName } from '../context.ts'
import { scoreForecast, withoutLastWeek } from '../forecast-score.ts'
import { formatScore } from '../format.ts'
import { sumByHour } from '../hourly-counts.ts'
import { createUploadSource } from './data.ts'
import { runForecast } from './forecast.ts'

/** Two weeks, the minimum from which a weekly pattern can be estimated. */
const minimumTrainingHours = 336

/** Forecasts the last week from the data before it, and compares the forecast with the actual counts. */
export async function evaluateHoldout(context: DemoContext): Promise<void> {
  const { client, input, output, cleanup } = context
  const before = withoutLastWeek(input.table, input.columns, input.hourOf)
  const known = [...sumByHour(before, input.columns, input.hourOf).values()]
  if (Math.max(0, ...known.map((hours) => hours.size)) < minimumTrainingHours)
    return output.printProgress('no holdout evaluation: less than two weeks remain when the last week is held out')
  const sourceId = await createUploadSource(context, `${input.name}, last week held back`, before)
  cleanup.defer(async () => void (await client.data.deleteSource({ params: { data_source_id: sourceId } })))
  const { series } = await runForecast(context, sourceId)
  const counted = sumByHour(input.table, input.columns, input.hourOf)
  for (const { key, points } of series) {
    const group = input.columns.group === undefined ? '' : (key[input.columns.group] ?? '')
    const result = scoreForecast(counted.get(group) ?? new Map(), points, input.hourOf)
    output.printResult(
      result === undefined
        ? [`${formatSeriesName(key)}: nothing to compare`]
        : formatScore(formatSeriesName(key), result),
    )
  }
}
