import type { ResponseOf, surfaces } from '@wp/contracts'
import type { Context } from '../../context.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { plot } from '../../output/plot.ts'
import { hasColor } from '../../output/print.ts'

type Series = ResponseOf<(typeof surfaces)['solutions']['getForecastRun']>['series'][number]

const nameOf = ({ key }: Series): string => escapeControls(Object.values(key).join('/')) || 'all rows'

/** Formats the points of a series in lines of values separated by tabs. */
export const formatPoints = (series: Series): string[] =>
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
