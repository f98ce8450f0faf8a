import type { ForecastPoint, HierarchyForecast, Holiday, NodeForecast } from '../../forecast/index.ts'
import { fromFirst, localMidnights, minimumDays } from '../../forecast/index.ts'
import type { RunResult, WorkplaceSeries } from '../input/run-input.ts'
import type { LeftOut } from './leave-out.ts'
import type { Workplace, WorkplaceNode } from './read-workplace.ts'

interface Options {
  holidays: ReadonlyMap<string, readonly Holiday[]>
  leftOut: ReadonlyMap<string, LeftOut>
  timezone: string
  warnings: readonly string[]
}

/** Returns the result of a run over the workplace. Means are not rounded to whole people, so that they add up. */
export function workplaceResult(
  { nodes, isTeam, last, threshold }: Workplace,
  forecast: HierarchyForecast,
  { holidays, leftOut, timezone, warnings }: Options,
): RunResult {
  const keyOf = ({ id, name }: WorkplaceNode) => ({ [isTeam ? 'team' : 'space']: id, name })
  const times = localMidnights(forecast.dates, timezone)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const ahead = new Set(forecast.dates)
  return {
    series: forecast.nodes.flatMap((node) => {
      const own = byId.get(node.id)
      if (own === undefined) return []
      const coming = (holidays.get(node.id) ?? []).filter(({ date }) => ahead.has(date))
      return [seriesOf(node, { key: keyOf(own), values: own.values, times, holidays: coming })]
    }),
    history_until: last,
    coherent: true,
    warnings: [...warnings, ...forecast.warnings],
    left_out: nodes.flatMap((node) => {
      const reason = leftOut.get(node.id)
      if (reason === undefined) return []
      const detail = detailOf(reason, {
        isTeam,
        isOfOtherMeasure: node.isOfOtherMeasure,
        threshold,
        requiredDays: minimumDays(forecast.dates.length),
      })
      return [{ key: keyOf(node), reason: reason.reason, detail }]
    }),
  }
}

function seriesOf(
  { mean, bounds, remainder, accuracy, covariate, holidays: contribution, warnings }: NodeForecast,
  of: {
    key: Record<string, string>
    values: readonly (number | null)[]
    times: readonly string[]
    holidays: readonly Holiday[]
  },
): WorkplaceSeries {
  const coverage = (level: number) => accuracy.coverage.find((one) => one.level === level)?.share ?? null
  const history = fromFirst(of.values, (value) => value !== null)
  const gaps = history.filter((value) => value === null).length
  return {
    key: of.key,
    points: of.times.map((ts, day) => {
      const point: ForecastPoint & { remainder?: number } = { ts, mean: mean[day] ?? 0 }
      for (const { level, lower, upper } of bounds) {
        point[`lower_${Math.round(level * 100)}`] = lower[day] ?? 0
        point[`upper_${Math.round(level * 100)}`] = upper[day] ?? 0
      }
      if (remainder !== undefined) point.remainder = remainder[day] ?? 0
      return point
    }),
    model: null,
    accuracy: {
      mase: null,
      wape: accuracy.wape,
      coverage_80: coverage(0.8),
      coverage_95: coverage(0.95),
      baseline: { name: 'seasonal_naive_week', mase: null, wape: accuracy.wapeNaive },
    },
    data_quality: { length: history.length, gaps, duplicates: 0, imputed: gaps },
    covariates: covariate === null ? [] : [{ name: 'bookings', ...contributionOf(covariate) }],
    holidays: {
      dates: of.holidays.map(({ date, name }) => ({ date, name })),
      ...contributionOf(contribution ?? { wapeWith: null, wapeWithout: null, isUsed: false }),
    },
    warnings,
  }
}

const contributionOf = ({ wapeWith, wapeWithout, isUsed }: NonNullable<NodeForecast['covariate']>) => ({
  wape_with: wapeWith,
  wape_without: wapeWithout,
  used: isUsed,
})

function detailOf(
  { reason, days = 0 }: LeftOut,
  of: { isTeam: boolean; isOfOtherMeasure: boolean; threshold: number; requiredDays: number },
): string {
  const { isTeam, isOfOtherMeasure, threshold, requiredDays } = of
  if (reason === 'no_data' && isOfOtherMeasure) return 'Its people are counted in another way: see the warnings.'
  if (reason === 'no_data')
    return `No dataset has counted anyone of this ${isTeam ? 'team' : 'space'} on the days of the history.`
  if (reason === 'too_short') return `It has ${days} days of history, and ${requiredDays} are needed.`
  return `It, or what would be left without it, is about fewer than ${threshold} people.`
}
