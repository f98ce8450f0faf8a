import { describeScore } from '../describe.ts'
import { sumByHour } from '../hours.ts'
import { nameOf, type Scene } from '../scene.ts'
import { holdBackWeek, score } from '../score.ts'
import { connectSource } from './data.ts'
import { runForecast } from './forecast.ts'

/** Two weeks are the least a weekly rhythm can be learned from. */
const leastHours = 336

/** Forecasts the last week as if it had not come yet, and compares: outside the backtest, on hours no model has seen. */
export async function rehearse(scene: Scene): Promise<void> {
  const { client, counts, stage, leftovers } = scene
  const before = holdBackWeek(counts.table, counts.columns, counts.hourOf)
  const known = [...sumByHour(before, counts.columns, counts.hourOf).values()]
  if (Math.max(0, ...known.map((hours) => hours.size)) < leastHours)
    return stage.say('no score: less than two weeks are left when the last is held back')
  const sourceId = await connectSource(scene, `${counts.name}, last week held back`, before)
  leftovers.defer(async () => void (await client.data.deleteSource({ params: { data_source_id: sourceId } })))
  const { series } = await runForecast(scene, sourceId)
  const counted = sumByHour(counts.table, counts.columns, counts.hourOf)
  for (const { key, points } of series) {
    const group = counts.columns.group === undefined ? '' : (key[counts.columns.group] ?? '')
    const result = score(counted.get(group) ?? new Map(), points, counts.hourOf)
    stage.show(result === undefined ? [`${nameOf(key)}: nothing to compare`] : describeScore(nameOf(key), result))
  }
}
