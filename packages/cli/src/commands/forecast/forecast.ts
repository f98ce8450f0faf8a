import type { ResponseOf, surfaces } from '@wp/contracts'
import { connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { definedMembers } from '../../flag-types.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { plot } from '../../output/plot.ts'
import { hasColor } from '../../output/print.ts'
import { isJsonRequested, printJson } from '../../output/print-json.ts'
import { waitForJob } from '../../output/wait-for-job.ts'

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

type Series = ResponseOf<(typeof surfaces)['solutions']['getForecastRun']>['series'][number]

const nameOf = ({ key }: Series): string => escapeControls(Object.values(key).join('/')) || 'all rows'

/** Formats the points of a series in lines of values separated by tabs. */
const formatPoints = (series: Series): string[] =>
  series.points.map(({ ts, mean, lower_80, upper_80 }) => [nameOf(series), ts, mean, lower_80, upper_80].join('\t'))

/** Plots a series with its 80 % interval, and names the model and its error in backtests. */
export function plotSeries({ process: { stdout }, env }: Pick<Context, 'process' | 'env'>, series: Series): string[] {
  const title = nameOf(series)
  if (series.points.length === 0) return [title, '']
  const forecast = series.points.map(({ ts, mean, lower_80: lower = mean, upper_80: upper = mean }) => ({
    at: Date.parse(ts),
    value: mean,
    lower,
    upper,
  }))
  const lines = plot({
    history: [],
    forecast,
    width: stdout.columns ?? 80,
    hasUnicode: isUnicode(env),
    hasColor: hasColor(stdout, env),
    labelOf: labelDays(forecast),
  })
  const error = series.accuracy?.wape
  const accuracy =
    error === undefined || error === null ? '' : `, error in backtests ${(error * 100).toFixed(1)} % (WAPE)`
  return [title, ...lines, `model ${series.model?.selected ?? 'none'}${accuracy}`, '']
}

/** Terminals of other encodings get ASCII. */
const isUnicode = ({ LC_ALL, LC_CTYPE, LANG }: Context['env']): boolean =>
  /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || 'UTF-8')

/** Returns a function that labels the first point of each day (UTC). */
function labelDays(points: readonly { at: number }[]): (at: number) => string | undefined {
  const days = new Map(points.toReversed().map(({ at }) => [new Date(at).toISOString().slice(0, 10), at]))
  const firsts = new Map([...days].map(([day, at]) => [at, day.slice(5)]))
  return (at) => firsts.get(at)
}
