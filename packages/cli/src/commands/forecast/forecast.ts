import { connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { definedMembers } from '../../flag-types.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { isJsonRequested, printJson } from '../../output/print-json.ts'
import { waitForJob } from '../../output/wait-for-job.ts'
import { formatPoints, plotSeries } from './format-series.ts'

interface ForecastFlags extends OutputFlags {
  timestamp: string[]
  value: string[] | undefined
  aggregation: 'sum' | 'mean' | 'max' | 'last' | 'count' | undefined
  measure: 'level' | 'flow' | undefined
  groupBy: string[] | undefined
  frequency: 'hour' | 'day' | 'week'
  horizon: number | undefined
  timezone: string
}

const defaultHorizons = { hour: 168, day: 28, week: 8 } as const
/** More plots than these are hard to read; the JSON has all series. */
const maxPlots = 12

export async function forecast(this: Context, flags: ForecastFlags, sourceId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const started = await client.solutions.startForecastRun({
    body: {
      data_source_id: sourceId,
      timestamp_field: oneOrAll(flags.timestamp),
      frequency: flags.frequency,
      horizon: flags.horizon ?? defaultHorizons[flags.frequency],
      timezone: flags.timezone,
      ...(flags.value !== undefined && { value_field: oneOrAll(flags.value) }),
      ...definedMembers({ group_by: flags.groupBy, aggregation: flags.aggregation, measure: flags.measure }),
    },
  })
  const params = { id: started.id }
  const read = () => client.solutions.getForecastRun({ params })
  const run = await waitForJob(this, 'solutions.cancelForecastRun', started.id, read)
  if (isJsonRequested(flags)) return printJson(this, flags, run)
  const { stdout } = this.process
  const isTerminal = stdout.isTTY === true
  for (const series of isTerminal ? run.series.slice(0, maxPlots) : run.series)
    for (const line of isTerminal ? plotSeries(this, series) : formatPoints(series)) stdout.write(`${line}\n`)
  if (isTerminal && run.series.length > maxPlots)
    report(this, `${run.series.length - maxPlots} more series: wp forecast --json`)
  for (const { key, error, warnings } of run.series) {
    const name = Object.values(key).join('/') || 'all rows'
    if (error !== undefined) report(this, `No forecast of ${name}: ${error.message}`)
    for (const warning of warnings) report(this, `${name}: ${warning}`)
  }
}

/** Returns a single name as it is: only a list of columns makes a series of each. */
function oneOrAll(names: string[]): string | string[] {
  const [only, ...more] = names
  return only !== undefined && more.length === 0 ? only : names
}
