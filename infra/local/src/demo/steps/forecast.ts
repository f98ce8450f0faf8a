import { paginate } from '@wp/client'
import { waitForJob } from '../../workplace/wait-for-job.ts'
import { type DemoContext, type ForecastSeries, formatSeriesName } from '../context.ts'
import { formatForecast, formatModel } from '../format.ts'
import { sumByHour } from '../hourly-counts.ts'
import { showDelivery, type WebhookSubscription } from './webhook.ts'

/** The forecast horizon in hours: one week. */
const horizon = 168
/** The number of series that are plotted. */
const maxPlots = 4

/** Starts a forecast run from a data source and returns the finished run with its points. */
export async function runForecast({ client, input, output, signal }: DemoContext, sourceId: string) {
  const { columns, timezone } = input
  const begun = await client.solutions.startForecastRun({
    body: {
      data_source_id: sourceId,
      timestamp_field: columns.timestamp,
      value_field: columns.value,
      ...(columns.group === undefined ? {} : { group_by: [columns.group] }),
      frequency: 'hour',
      timezone,
      horizon,
    },
  })
  output.printProgress(`forecast run ${begun.id}: hourly, ${timezone}, ${horizon} hours ahead`)
  const read = () => client.solutions.getForecastRun({ params: { id: begun.id } })
  const run = await waitForJob('the forecast run', read, signal)
  const seconds = (Date.parse(run.finished_at ?? '') - Date.parse(run.created_at)) / 1000
  output.printProgress(`forecast run finished after ${seconds.toFixed(1)} s: ${run.series.length} series`)
  return run
}

/** Plots history and forecast, and prints the accuracy of the forecast. */
export function showForecast({ input, output }: DemoContext, series: readonly ForecastSeries[]): void {
  const history = sumByHour(input.table, input.columns, input.hourOf)
  for (const one of series.slice(0, maxPlots)) {
    const group = input.columns.group === undefined ? '' : (one.key[input.columns.group] ?? '')
    const points = one.points.map(({ ts, mean, lower_80: lower = mean, upper_80: upper = mean }) => ({
      at: input.hourOf(ts) ?? 0,
      value: mean,
      lower,
      upper,
    }))
    if (points.length > 0)
      output.printResult(formatForecast(formatSeriesName(one.key), history.get(group) ?? new Map(), points, output))
    output.printResult(formatModel(one))
  }
  if (series.length > maxPlots) output.printResult([`and ${series.length - maxPlots} more series`])
}

/** Prints the recommendations of the run, each with its verified delivery. */
export async function showRecommendations(
  context: DemoContext,
  hooks: WebhookSubscription,
  runId: string,
): Promise<void> {
  const { client, output } = context
  const list = (cursor: string | undefined) =>
    client.solutions.listRecommendations({
      query: { forecast_run_id: runId, ...(cursor === undefined ? {} : { cursor }) },
    })
  let count = 0
  for await (const { id, title, rationale } of paginate(list)) {
    count += 1
    output.printProgress(`recommendation ${id}: ${title}`)
    output.printResult([rationale])
    await showDelivery(context, hooks, 'RECOMMENDATION_CREATED', id)
  }
  if (count === 0) output.printProgress('no recommendations: no weekday is far below the usual peak')
}
