import { paginate } from '@wp/client'
import { describeForecast, describeModel } from '../describe.ts'
import { sumByHour } from '../hours.ts'
import { type ForecastSeries, nameOf, type Scene } from '../scene.ts'
import { untilFinished } from '../wait.ts'
import { type Hooks, showDelivery } from './webhook.ts'

/** A week of hours. */
const horizon = 168
/** Buildings whose forecast is drawn. */
const drawn = 4

/** Starts a forecast run from a data source and gives it finished, with its points. */
export async function runForecast({ client, counts, stage, signal }: Scene, sourceId: string) {
  const { columns, timezone } = counts
  const begun = await client.solutions.startForecastRun({
    body: {
      data_source_id: sourceId,
      timestamp_field: columns.timestamp,
      value_field: columns.value,
      ...(columns.group === undefined ? {} : { group_by: [columns.group] }),
      ...{ frequency: 'hour', timezone, horizon },
    },
  })
  stage.say(`forecast run ${begun.id}: hourly, ${timezone}, ${horizon} hours ahead`)
  const read = () => client.solutions.getForecastRun({ params: { id: begun.id } })
  const run = await untilFinished('the forecast run', read, signal)
  const seconds = (Date.parse(run.finished_at ?? '') - Date.parse(run.created_at)) / 1000
  stage.say(`forecast run finished after ${seconds.toFixed(1)} s: ${run.series.length} series`)
  return run
}

/** Draws history and forecast, and says how good the forecast is. */
export function showForecast({ counts, stage }: Scene, series: readonly ForecastSeries[]): void {
  const history = sumByHour(counts.table, counts.columns, counts.hourOf)
  for (const one of series.slice(0, drawn)) {
    const group = counts.columns.group === undefined ? '' : (one.key[counts.columns.group] ?? '')
    const points = one.points.map(({ ts, mean, lower_80: lower = mean, upper_80: upper = mean }) => ({
      ...{ at: counts.hourOf(ts) ?? 0, value: mean },
      ...{ lower, upper },
    }))
    if (points.length > 0) stage.show(describeForecast(nameOf(one.key), history.get(group) ?? new Map(), points, stage))
    stage.show(describeModel(one))
  }
  if (series.length > drawn) stage.show([`and ${series.length - drawn} series more`])
}

/** Lists what follows from the run, each with its verified delivery. */
export async function showRecommendations(scene: Scene, hooks: Hooks, runId: string): Promise<void> {
  const { client, stage } = scene
  const list = (cursor: string | undefined) =>
    client.solutions.listRecommendations({
      query: { forecast_run_id: runId, ...(cursor === undefined ? {} : { cursor }) },
    })
  let count = 0
  for await (const { id, title, rationale } of paginate(list)) {
    count += 1
    stage.say(`recommendation ${id}: ${title}`)
    stage.show([rationale])
    await showDelivery(scene, hooks, 'RECOMMENDATION_CREATED', id)
  }
  if (count === 0) stage.say('no recommendations: no weekday stays far under the usual peak')
}
