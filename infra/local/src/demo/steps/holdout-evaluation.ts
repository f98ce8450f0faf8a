import { type DemoContext, formatSeriesName } from '../context.ts'
import { scoreForecast, withoutLastWeek } from '../forecast-score.ts'
import { formatScore } from '../format.ts'
import { sumByHour } from '../hourly-counts.ts'
import { createUploadSource } from './data.ts'
import { runForecast } from './forecast.ts'

/** Two weeks are the least a weekly rhythm can be learned from. */
const minimumTrainingHours = 336

/** Forecasts the last week as if it had not come yet, and compares: outside the backtest, on hours no model has seen. */
export async function evaluateHoldout(context: DemoContext): Promise<void> {
  const { client, input: counts, output, cleanup } = context
  const before = withoutLastWeek(counts.table, counts.columns, counts.hourOf)
  const known = [...sumByHour(before, counts.columns, counts.hourOf).values()]
  if (Math.max(0, ...known.map((hours) => hours.size)) < minimumTrainingHours)
    return output.printProgress('no score: less than two weeks are left when the last is held back')
  const sourceId = await createUploadSource(context, `${counts.name}, last week held back`, before)
  cleanup.defer(async () => void (await client.data.deleteSource({ params: { data_source_id: sourceId } })))
  const { series } = await runForecast(context, sourceId)
  const counted = sumByHour(counts.table, counts.columns, counts.hourOf)
  for (const { key, points } of series) {
    const group = counts.columns.group === undefined ? '' : (key[counts.columns.group] ?? '')
    const result = scoreForecast(counted.get(group) ?? new Map(), points, counts.hourOf)
    output.printResult(
      result === undefined
        ? [`${formatSeriesName(key)}: nothing to compare`]
        : formatScore(formatSeriesName(key), result),
    )
  }
}
